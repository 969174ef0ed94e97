/**
 * Faults of the processes of a cluster, drawn at random, under a load of clients. The nodes are observed as operators see them, and the checks
 * cover the outcomes that clients received.
 */
package dev.rcc.bench.faults;
