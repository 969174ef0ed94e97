/**
 * Which node holds what: {@link dev.rcc.core.cluster.Placement} assigns keys to partitions and partitions to a primary
 * and its backups. Pure arithmetic, the same on every node; who is alive is not known here.
 */
package dev.rcc.core.cluster;
