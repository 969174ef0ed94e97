/**
 * Transactions that any node can run, mixed with some that only their coordinators can run, for the hunt. Protocols, networks and faults are
 * not here.
 */
package dev.rcc.bench.verify.fragments;
