/**
 * Faults of the processes of a cluster, drawn at random, under a load that comes in through clients: what nodes do is as operators see it, and what is
 * checked is the outcomes that clients received.
 */
package dev.rcc.bench.faults;
