/**
 * Transactions on a table that has secondary indexes, for the hunt. Protocols, networks and faults are not here.
 */
package dev.rcc.bench.verify.indexes;
