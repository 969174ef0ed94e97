/** Clusters in virtual time that only have locks. */
package dev.rcc.bench.locks.cluster;
