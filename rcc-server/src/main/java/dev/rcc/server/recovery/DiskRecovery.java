package dev.rcc.server.recovery;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.server.node.NodeGroup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Brings this process's nodes from their disks to running workers. The course is: {@link #read}; {@link #replay} if the data
 * {@linkplain #recovers is recovered}, or else {@link #beginAnew}; {@link #open}; {@link #agree} when all nodes have done that;
 * {@link #start}, {@link #takeFromBackups}, {@link #release}; and {@link #forget} when no node needs the disks' data any more. Used by one
 * thread.
 */
final class DiskRecovery {
    private final NodeGroup group;
    private final Protocol protocol;
    /** The data of the nodes' disks. */
    private final List<RecoveredNode> disks = new ArrayList<>();
    /** The parts of nodes that have recovered and are being started. */
    private final List<NodeRecovery> recoveries = new ArrayList<>();

    private boolean recovered;
    private long bound;

    DiskRecovery(NodeGroup group, Protocol protocol) {
        this.group = group;
        this.protocol = protocol;
    }

    /** Reads the disks' data of a configuration into the copies, which are empty. */
    List<RecoveredNode> read(DataConfiguration configuration) {
        group.catalog().place(configuration.placement());
        group.nodes().forEach(node -> disks.add(node.durability().read(configuration)));
        return List.copyOf(disks);
    }

    /**
     * Whether the data on the nodes' disks is recovered; otherwise the cluster begins anew. The snapshots of a first start count only if all
     * nodes have written theirs and agreed on them. No transaction has begun before each node's disk shows that.
     *
     * @param found by node: the data on its disk, for all nodes that start
     * @throws IllegalStateException when nodes have lost data on which the nodes had agreed
     */
    static boolean recovers(Map<Integer, RecoveredNode.Data> found) {
        if (!found.containsValue(RecoveredNode.Data.AGREED)) {
            return false;
        }
        List<Integer> without = found.keySet().stream()
                .filter(node -> found.get(node) == RecoveredNode.Data.NONE)
                .sorted()
                .toList();
        if (!without.isEmpty()) {
            throw new IllegalStateException("nodes " + without + " have no data, but the other nodes do");
        }
        return true;
    }

    /** Begins with tables without records. A peer that starts again meanwhile may compare its copies with these. */
    void beginAnew() {
        group.loader().buildIndexes();
        disks.forEach(RecoveredNode::digest);
    }

    /**
     * Replays the disks' logs into the copies.
     *
     * @param committed the ids of the transactions that have committed, among those that no node can decide alone
     * @param newBound an upper bound of all earlier timestamps, on all nodes
     * @param commitBound an upper bound of all earlier commit timestamps, on all nodes
     */
    void replay(Set<Long> committed, long newBound, long commitBound) {
        disks.forEach(disk -> disk.redo(committed));
        recovered = true;
        bound = newBound;
        group.nodes().forEach(node -> node.raiseReadBound(commitBound));
        group.loader().refuse();
    }

    /** Whether the data comes from disks. */
    boolean isRecovered() {
        return recovered;
    }

    /** Makes the loaded or recovered data durable, for a configuration that is not agreed on yet. */
    void open(DataConfiguration next) {
        disks.forEach(disk -> group.node(disk.node()).durability().begin(disk, bound, next));
    }

    /** The only configuration where dead nodes are not replaced. */
    DataConfiguration only() {
        return new DataConfiguration(0, group.catalog().placement());
    }

    /** All nodes have made their data durable: it counts from now on. */
    void agree(DataConfiguration now) {
        for (RecoveredNode disk : disks) {
            group.node(disk.node()).durability().agree(now);
            disk.has(RecoveredNode.Data.AGREED);
        }
    }

    /** Starts the workers; where the data comes from disks, no transaction begins yet. */
    void start() {
        if (recovered) {
            group.nodes().forEach(node -> recoveries.add(new NodeRecovery(node, protocol)));
            recoveries.forEach(recovery -> recovery.hold(bound));
        }
        group.start();
    }

    /**
     * Gives all primaries the data that the backups have recovered; may be repeated.
     *
     * @return completed then; fails with a {@link dev.rcc.core.fabric.PeerUnreachable} if a backup cannot be reached
     */
    CompletableFuture<Void> takeFromBackups() {
        return CompletableFuture.allOf(
                recoveries.stream().map(NodeRecovery::takeFromBackups).toArray(CompletableFuture[]::new));
    }

    /** Lets transactions begin, once all primaries have their data. */
    void release() {
        recoveries.stream()
                .map(recovery -> recovery.resume(0, new BitSet()))
                .toList()
                .forEach(CompletableFuture::join);
        recoveries.clear();
    }

    /** Gives up the disks' data, which is in the copies, and the files that it is in. */
    void forget() {
        disks.forEach(RecoveredNode::close);
        disks.clear();
    }
}
