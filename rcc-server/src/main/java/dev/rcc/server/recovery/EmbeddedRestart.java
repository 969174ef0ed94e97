package dev.rcc.server.recovery;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.Replications;
import dev.rcc.server.durability.CopyDigests;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.server.node.NodeGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Starts a cluster in one JVM from its nodes' disks: all data that {@link ProcessRestart} asks peers for is here. Used by one thread. */
public final class EmbeddedRestart {
    private final ClusterConfig config;
    private final NodeGroup group;
    private final DiskRecovery recovery;

    /**
     * Reads the disks and replays the committed transactions into the copies. If that fails, the caller closes the nodes.
     *
     * @param group has all nodes of the cluster
     * @throws IllegalStateException when the data of the nodes does not fit together
     */
    public EmbeddedRestart(ClusterConfig config, NodeGroup group) {
        this.config = config;
        this.group = group;
        this.recovery = new DiskRecovery(group, config.protocol());
        try {
            replay(recovery.read(recovery.only()));
        } catch (RuntimeException | Error e) {
            recovery.forget();
            throw e;
        }
    }

    private void replay(List<RecoveredNode> disks) {
        if (!DiskRecovery.recovers(
                disks.stream().collect(Collectors.toMap(RecoveredNode::node, RecoveredNode::data)))) {
            return;
        }
        List<RecoveredNode.Undecided> undecided =
                disks.stream().flatMap(disk -> disk.undecided().stream()).toList();
        Map<Integer, LogReport> reports =
                disks.stream().collect(Collectors.toMap(RecoveredNode::node, disk -> disk.report(undecided)));
        Set<Long> committed = Replications.of(config)
                .committedOnDisks(reports, group.catalog().placement());
        for (RecoveredNode disk : disks) {
            disks.stream()
                    .filter(other -> other != disk)
                    .forEach(other -> disk.missing(other.loggedFor(disk.node()), committed)
                            .forEach(txn -> disk.adopt(txn, other.entry(txn.id()))));
        }
        recovery.replay(committed, max(disks, RecoveredNode::bound), max(disks, RecoveredNode::commitBound));
        CopyDigests.check(
                disks.stream().collect(Collectors.toMap(RecoveredNode::node, RecoveredNode::digests)),
                group.catalog().placement());
    }

    private static long max(List<RecoveredNode> disks, ToLongFunction<RecoveredNode> bound) {
        return disks.stream().mapToLong(bound).reduce(Timestamp.NONE, Timestamp::max);
    }

    /** Whether the data comes from the disks: nothing can be loaded then. */
    public boolean isRecovered() {
        return recovery.isRecovered();
    }

    /** Makes the loaded or recovered data durable, and starts the nodes, which are connected. */
    public void start() {
        recovery.open(recovery.only());
        recovery.agree(recovery.only());
        recovery.forget();
        recovery.start();
        recovery.takeFromBackups().join();
        recovery.release();
    }
}
