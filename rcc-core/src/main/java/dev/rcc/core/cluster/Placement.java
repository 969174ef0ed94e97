package dev.rcc.core.cluster;

import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The assignment of keys to partitions and of partitions to nodes. There are as many partitions as nodes. Each partition has a
 * <i>home</i>: its primary on the node of its number and its backups on the nodes after it, around the ring. While nodes are
 * missing, the first of those left is the primary; so every copy lies where memory was laid out for it. Immutable.
 */
public final class Placement {
    private final int nodes;
    private final int replicas;
    /** By partition: the nodes that hold a copy, the primary first. */
    private final int[][] holders;

    /**
     * The placement of a cluster of which no node is missing.
     *
     * @param nodes number of nodes, 1 to 256
     * @param replicas copies of each partition, the primary included, 1 to {@code nodes}
     */
    public Placement(int nodes, int replicas) {
        if (nodes < 1 || nodes > RemoteAddress.MAX_NODE + 1) {
            throw new IllegalArgumentException("nodes must be 1 to " + (RemoteAddress.MAX_NODE + 1) + ", got " + nodes);
        }
        if (replicas < 1 || replicas > nodes) {
            throw new IllegalArgumentException(
                    "replicas must be 1 to the number of nodes, " + nodes + ", got " + replicas);
        }
        this.nodes = nodes;
        this.replicas = replicas;
        this.holders = new int[nodes][];
        for (int partition = 0; partition < nodes; partition++) {
            holders[partition] = home(partition);
        }
    }

    private Placement(int nodes, int replicas, int[][] holders) {
        this.nodes = nodes;
        this.replicas = replicas;
        this.holders = holders;
    }

    /**
     * The placement after a node was lost. A partition whose only copy it held stays assigned to it: nobody else can serve it.
     */
    public Placement without(int node) {
        int[][] left = new int[nodes][];
        for (int partition = 0; partition < nodes; partition++) {
            int[] others = Arrays.stream(holders[partition])
                    .filter(holder -> holder != node)
                    .toArray();
            left[partition] = others.length == 0 ? holders[partition] : others;
        }
        return new Placement(nodes, replicas, left);
    }

    /**
     * The placement with a node that was missing, and holds copies again of what its home says. Partitions without a copy on
     * {@code present} nodes stay as they are: there was nobody to copy them from.
     */
    public Placement with(int node, BitSet present) {
        int[][] more = new int[nodes][];
        for (int partition = 0; partition < nodes; partition++) {
            int[] now = holders[partition];
            more[partition] = present.get(now[0])
                    ? Arrays.stream(home(partition))
                            .filter(holder ->
                                    holder == node || Arrays.stream(now).anyMatch(each -> each == holder))
                            .toArray()
                    : now;
        }
        return new Placement(nodes, replicas, more);
    }

    /**
     * A placement that is told by {@link #holders}.
     *
     * @param replicas copies of each partition while no node is missing
     */
    public static Placement of(int replicas, List<List<Integer>> holders) {
        int[][] each = holders.stream()
                .map(nodes -> nodes.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        return new Placement(each.length, replicas, each);
    }

    /** By partition, the nodes that hold a copy, the primary first. */
    public List<List<Integer>> holders() {
        return Arrays.stream(holders)
                .map(nodes -> Arrays.stream(nodes).boxed().toList())
                .toList();
    }

    /** Number of nodes, missing ones included. */
    public int nodes() {
        return nodes;
    }

    /** Copies of each partition while no node is missing. */
    public int replicas() {
        return replicas;
    }

    /** Number of partitions. */
    public int partitions() {
        return nodes;
    }

    /** The partition of the key with this hash ({@link dev.rcc.core.store.KeyHash}). */
    public int partition(long keyHash) {
        return (int) Math.unsignedMultiplyHigh(keyHash, nodes);
    }

    /** The node that holds the partition's primary copy. */
    public int primary(int partition) {
        return holders[partition][0];
    }

    /** Number of a partition's backups. */
    public int backups(int partition) {
        return holders[partition].length - 1;
    }

    /**
     * The node that holds one of the partition's backups.
     *
     * @param ordinal 0 to {@link #backups} - 1
     */
    public int backup(int partition, int ordinal) {
        assert ordinal >= 0 && ordinal < backups(partition) : ordinal;
        return holders[partition][1 + ordinal];
    }

    /** Whether {@code node} holds a backup of {@code partition}. */
    public boolean isBackup(int node, int partition) {
        int[] all = holders[partition];
        for (int i = 1; i < all.length; i++) {
            if (all[i] == node) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the primary of {@code partition}, too, logs what a coordinator on {@code node} writes there: the coordinator's node holds a
     * backup. If all backups die together, the coordinator is dead, too, and the primary is all that is left to tell. Any other coordinator
     * lives in that case, and ends what it has begun at the primary.
     */
    public boolean logsAtPrimary(int node, int partition) {
        return isBackup(node, partition);
    }

    /** Whether {@code node} holds a copy of {@code partition}, primary or backup. */
    public boolean holds(int node, int partition) {
        return node == primary(partition) || isBackup(node, partition);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement that
                && nodes == that.nodes
                && replicas == that.replicas
                && Arrays.deepEquals(holders, that.holders);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * nodes + replicas) + Arrays.deepHashCode(holders);
    }

    /** Text for logs: the holders of each partition, the primary first. */
    @Override
    public String toString() {
        return Arrays.deepToString(holders);
    }

    private int[] home(int partition) {
        int[] home = new int[replicas];
        for (int i = 0; i < replicas; i++) {
            home[i] = (partition + i) % nodes;
        }
        return home;
    }
}
