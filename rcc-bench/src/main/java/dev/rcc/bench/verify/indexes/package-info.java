/**
 * Transactions on a table that has secondary indexes, for the hunt. What protocols, networks and faults do, is not here.
 */
package dev.rcc.bench.verify.indexes;
