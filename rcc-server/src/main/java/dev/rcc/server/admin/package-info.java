/**
 * The operators' interface to a node, over HTTP: {@link dev.rcc.server.admin.AdminServer}, with health, status and metrics, and
 * other pages that a process adds to it. No transaction passes through this package.
 */
package dev.rcc.server.admin;
