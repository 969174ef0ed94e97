/**
 * What operators see of a node, over HTTP: {@link dev.rcc.server.admin.AdminServer}, with health, status and metrics, and
 * whatever else a process adds to it. Nothing here is on the way of a transaction.
 */
package dev.rcc.server.admin;
