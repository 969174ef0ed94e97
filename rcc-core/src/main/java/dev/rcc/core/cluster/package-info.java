/**
 * Where data and nodes are: {@link dev.rcc.core.cluster.Placement} assigns keys to partitions, partitions to a primary and its backups, and
 * {@link dev.rcc.core.cluster.Zones} nodes to zones. Pure arithmetic, the same on every node; which nodes are alive is not known here.
 */
package dev.rcc.core.cluster;
