/**
 * Transactions that any node can run beside those that only their coordinators can, for the hunt. What protocols, networks and faults do, is
 * not here.
 */
package dev.rcc.bench.verify.fragments;
