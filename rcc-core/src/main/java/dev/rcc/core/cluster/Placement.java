package dev.rcc.core.cluster;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The assignment of keys to partitions, of partitions to nodes, and of nodes to zones. There are as many partitions as nodes. Each partition
 * has a <i>home</i>: the nodes that hold its copies while no node is missing, its primary first. While nodes are missing, the first node of the home
 * that is left is the primary; so every copy lies where memory was laid out for it.
 *
 * <p>Immutable, used on any thread, and the same on every node: nodes send each other the {@link #holders} alone. Two placements are equal if they
 * have the same home, the same zones and the same holders. An implementation decides the home and the zones; this interface decides the holders of a
 * partition when nodes are lost or rejoin. Queries by partition and node allocate nothing.
 */
public interface Placement {
    /** Number of nodes, missing ones included. */
    int nodes();

    /** Copies of each partition while no node is missing. */
    int replicas();

    /** The zones of the nodes, missing or not. */
    Zones zones();

    /** The node that holds the partition's primary copy. */
    int primary(int partition);

    /** Number of a partition's backups. */
    int backups(int partition);

    /**
     * The node that holds one of the partition's backups.
     *
     * @param ordinal 0 to {@link #backups} - 1
     */
    int backup(int partition, int ordinal);

    /** The placement while no node is missing. */
    Placement home();

    /**
     * The same home and zones, with other nodes that hold copies.
     *
     * @param holders the {@link #holders} of the new placement: by partition, some nodes of its home, at least one
     */
    Placement withHolders(List<List<Integer>> holders);

    /** The zone that a node, missing or not, is in. */
    default int zone(int node) {
        return zones().zone(node);
    }

    /** Number of partitions. */
    default int partitions() {
        return nodes();
    }

    /** The partition of the key with this hash ({@link dev.rcc.core.store.Table#keyHash}). */
    default int partition(long keyHash) {
        return partition(keyHash, partitions());
    }

    /** The partition of the key with this hash, of {@code partitions} in all. */
    static int partition(long keyHash, int partitions) {
        return (int) Math.unsignedMultiplyHigh(keyHash, partitions);
    }

    /**
     * A partition whose primary copy is on {@code node}, if possible the one with the node's number; for a node that holds no primary copy, the one
     * with its number.
     */
    default int partitionAt(int node) {
        for (int i = 0; i < partitions(); i++) {
            int partition = (node + i) % partitions();
            if (primary(partition) == node) {
                return partition;
            }
        }
        return node;
    }

    /** Whether {@code node} holds a backup of {@code partition}. */
    default boolean isBackup(int node, int partition) {
        for (int i = 0, backups = backups(partition); i < backups; i++) {
            if (backup(partition, i) == node) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code node} holds a copy of any partition. */
    default boolean holdsAny(int node) {
        for (int partition = 0; partition < partitions(); partition++) {
            if (holds(node, partition)) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code node} holds a copy of {@code partition}, primary or backup. */
    default boolean holds(int node, int partition) {
        return node == primary(partition) || isBackup(node, partition);
    }

    /**
     * Whether the primary of {@code partition}, too, logs the writes of a coordinator on {@code node} there. It does if the coordinator's node holds
     * a backup: if all backups die together, the coordinator is dead, too, and only the primary still has the writes. Any other coordinator is alive
     * in that case, and ends its transactions at the primary. A placement whose zones may be lost as a whole returns true, too, if the coordinator
     * and a backup share a zone.
     */
    default boolean logsAtPrimary(int node, int partition) {
        return isBackup(node, partition);
    }

    /** By partition, the nodes that hold a copy, the primary first. */
    default List<List<Integer>> holders() {
        List<List<Integer>> holders = new ArrayList<>();
        for (int partition = 0; partition < partitions(); partition++) {
            List<Integer> each = new ArrayList<>();
            each.add(primary(partition));
            for (int i = 0; i < backups(partition); i++) {
                each.add(backup(partition, i));
            }
            holders.add(List.copyOf(each));
        }
        return List.copyOf(holders);
    }

    /**
     * The placement after a node was lost. A partition whose only copy the node held stays assigned to the node: no other node can serve it.
     */
    default Placement without(int node) {
        return withHolders(holders().stream()
                .map(now -> {
                    List<Integer> others =
                            now.stream().filter(holder -> holder != node).toList();
                    return others.isEmpty() ? now : others;
                })
                .toList());
    }

    /**
     * The placement with a node that was missing, and holds copies again of the partitions in whose home it is. Partitions without a copy on
     * {@code present} nodes stay as they are: there was no node to copy them from.
     */
    default Placement with(int node, BitSet present) {
        List<List<Integer>> now = holders();
        List<List<Integer>> home = home().holders();
        List<List<Integer>> more = new ArrayList<>();
        for (int partition = 0; partition < partitions(); partition++) {
            List<Integer> holders = now.get(partition);
            more.add(
                    present.get(holders.getFirst())
                            ? home.get(partition).stream()
                                    .filter(holder -> holder == node || holders.contains(holder))
                                    .toList()
                            : holders);
        }
        return withHolders(more);
    }
}
