/** Clusters in virtual time that have locks and nothing else. */
package dev.rcc.bench.locks.cluster;
