package dev.rcc.server.recovery;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.server.node.NodeGroup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The way of this process's nodes from their disks to running workers. The course is: {@link #read}, {@link #replay} if there is data,
 * {@link #open}, {@link #start}, {@link #takeFromBackups}, {@link #release}. Used by one thread.
 */
final class DiskRecovery {
    private final NodeGroup group;
    private final Protocol protocol;
    /** What the nodes' disks have, until it is in their copies. */
    private final List<RecoveredNode> disks = new ArrayList<>();
    /** Of nodes that have recovered and are being started. */
    private final List<NodeRecovery> recoveries = new ArrayList<>();

    private boolean recovered;
    private long bound;

    DiskRecovery(NodeGroup group, Protocol protocol) {
        this.group = group;
        this.protocol = protocol;
    }

    /** Reads what the disks have, of a configuration, into the copies, which are empty. */
    List<RecoveredNode> read(DataConfiguration configuration) {
        group.catalog().place(configuration.placement());
        group.nodes().forEach(node -> disks.add(node.durability().read(configuration)));
        return List.copyOf(disks);
    }

    /**
     * Replays what the disks have into the copies.
     *
     * @param committed those that have of what no node can decide alone
     * @param newBound no timestamp of before was larger, on any node
     * @param commitBound no commit timestamp of before was larger, on any node
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

    /** Makes durable what was loaded or recovered. */
    void open() {
        disks.forEach(disk -> group.node(disk.node()).durability().begin(disk, bound));
        disks.clear();
    }

    /** Makes durable what was recovered, for a configuration that is on its way. */
    void open(DataConfiguration next) {
        disks.forEach(disk -> group.node(disk.node()).durability().begin(disk, bound, next));
        disks.clear();
    }

    /** Starts the workers; where the data comes from disks, no transaction begins yet. */
    void start() {
        if (recovered) {
            group.nodes().forEach(node -> recoveries.add(new NodeRecovery(node, protocol)));
            recoveries.forEach(recovery -> recovery.hold(bound));
        }
        group.start();
    }

    /** Gives the primaries what the backups have recovered, all of them. */
    void takeFromBackups() {
        recoveries.stream().map(NodeRecovery::takeFromBackups).toList().forEach(CompletableFuture::join);
    }

    /** Lets transactions begin, once all primaries have what they need. */
    void release() {
        recoveries.stream()
                .map(recovery -> recovery.resume(0, new BitSet()))
                .toList()
                .forEach(CompletableFuture::join);
        recoveries.clear();
    }
}
