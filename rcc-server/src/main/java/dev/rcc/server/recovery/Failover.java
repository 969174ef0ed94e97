package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.store.Catalog;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.Replications;
import dev.rcc.server.node.ClusterRuntime;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes stopped nodes out of a cluster whose nodes are all in this JVM, and takes in nodes that have begun another incarnation, one
 * {@link Reconfiguration} after the other. Callers report the node that has stopped, that is back, or that has left a lock behind; no vote
 * is needed. Its methods may be called on any thread.
 */
public final class Failover {
    private static final Logger LOG = LoggerFactory.getLogger(Failover.class);
    /** The pause before a change is tried again for which a node could not be reached. */
    private static final long AGAIN_NANOS = 100_000;

    private static final int NO_NODE = RecoveryWatch.NO_NODE;

    /** The catalog for readers that are not nodes; nodes that have incarnations have catalogs of their own. */
    private final Catalog catalog;

    private final Protocol protocol;
    private final ReplicationProvider replication;
    private final ClusterRuntime runtime;
    private final RecoveryWatch watch;
    private final boolean hasIncarnations;
    private final Map<Integer, NodeRecovery> members = new HashMap<>();
    /** Nodes that have begun another incarnation, and are to be taken in when no node is lost. */
    private final Map<Integer, NodeRecovery> joiners = new TreeMap<>();
    /** Nodes that have stopped and are still part of the configuration. */
    private final BitSet lost = new BitSet();

    private Placement before;
    private long configEpoch;
    private Reconfiguration current;
    /** The node that is being taken in, and is not a member yet. */
    private int joiner = NO_NODE;
    /** Whether a sweep was asked for during another reconfiguration, which may be too far on to free the lock. */
    private boolean sweepWanted;

    /**
     * A cluster all of whose nodes are members. Where nodes have incarnations, the nodes let in the present incarnation of each member, and
     * no others.
     *
     * @param group has all nodes of the cluster
     * @param watch observes their reconfigurations
     */
    public Failover(ClusterConfig config, NodeGroup group, ClusterRuntime runtime, RecoveryWatch watch) {
        this.protocol = config.protocol();
        this.catalog = group.catalog();
        this.replication = Replications.of(config);
        this.runtime = runtime;
        this.watch = watch;
        this.hasIncarnations = runtime.hasIncarnations();
        for (Node node : group.nodes()) {
            members.put(node.id(), recovery(node));
        }
        this.before = catalog.placement();
    }

    /** The node's part; from now on its workers may ask for a sweep. */
    private NodeRecovery recovery(Node node) {
        node.sweeper(() -> runtime.later(this::sweep));
        return new NodeRecovery(node, protocol);
    }

    /** The nodes are about to start: they let each other in. */
    public synchronized void begins() {
        letInOnly(members);
    }

    /** A node has stopped: begins a reconfiguration without it. */
    public synchronized void lose(int node) {
        boolean wasMember = members.remove(node) != null;
        boolean wasComing = joiners.remove(node) != null && node == joiner;
        if (!wasMember && !wasComing) {
            return;
        }
        if (current != null && !current.abandon()) {
            settled(); // nodes receive the rest of it before the next change
        }
        if (wasMember) {
            lost.set(node);
        }
        if (!members.isEmpty()) {
            begin();
        }
    }

    /**
     * A node has begun another incarnation: takes it in, with empty memory, when no lost node is left to take out. If its former
     * incarnation is still a member, that incarnation is taken out first.
     */
    public synchronized void join(Node incarnation) {
        lose(incarnation.id());
        joiners.put(incarnation.id(), recovery(incarnation));
        if (current == null) {
            begin();
        }
    }

    /** An attempt may have left a lock behind: begins a reconfiguration in which no node is lost. */
    private synchronized void sweep() {
        if (current != null) {
            sweepWanted = true;
        } else if (!members.isEmpty()) {
            begin();
        }
    }

    private void begin() {
        sweepWanted = false;
        long epoch = ++configEpoch;
        joiner = !lost.isEmpty() || joiners.isEmpty()
                ? NO_NODE
                : joiners.keySet().iterator().next();
        Map<Integer, NodeRecovery> nodes = new TreeMap<>(members);
        if (joiner != NO_NODE) {
            nodes.put(joiner, joiners.get(joiner));
        }
        watch.begins(joiner);
        if (joiner != NO_NODE && hasIncarnations) {
            // When an earlier change began to take the joiner in, the joiner may have cut off an absent member.
            nodes.get(joiner).letInOnly(incarnations(members));
        }
        ConfigurationChange change = joiner == NO_NODE
                ? ConfigurationChange.without(lost, before, epoch)
                : ConfigurationChange.with(joiner, nodes.get(joiner).incarnation(), present(), before, epoch);
        Reconfiguration next = new Reconfiguration(replication, watched(nodes), change, () -> resume(nodes, change));
        current = next;
        CompletableFuture<Void> _ = next.run().whenComplete((nothing, failure) -> ended(next, failure));
    }

    private BitSet present() {
        BitSet present = new BitSet();
        members.keySet().forEach(present::set);
        return present;
    }

    private Map<Integer, RecoverySteps> watched(Map<Integer, NodeRecovery> nodes) {
        Map<Integer, RecoverySteps> watched = new HashMap<>();
        nodes.forEach((id, steps) -> watched.put(id, new WatchedSteps(id, steps, watch)));
        return watched;
    }

    private synchronized CompletableFuture<Void> resume(Map<Integer, NodeRecovery> nodes, ConfigurationChange change) {
        int joined = joiner;
        if (joined != NO_NODE) {
            members.put(joined, joiners.remove(joined));
            joiner = NO_NODE;
        }
        catalog.place(change.after());
        letInOnly(nodes);
        List<CompletableFuture<Void>> all = nodes.entrySet().stream()
                .map(node -> resume(node.getValue(), change.configEpoch()).thenRun(() -> {
                    if (node.getKey() == joined) {
                        watch.joined(joined);
                    }
                }))
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private void letInOnly(Map<Integer, NodeRecovery> nodes) {
        if (hasIncarnations) {
            Map<Integer, Long> incarnations = incarnations(nodes);
            nodes.values().forEach(node -> node.letInOnly(incarnations));
        }
    }

    private static Map<Integer, Long> incarnations(Map<Integer, NodeRecovery> nodes) {
        Map<Integer, Long> incarnations = new TreeMap<>();
        nodes.forEach((id, node) -> incarnations.put(id, node.incarnation()));
        return incarnations;
    }

    private CompletableFuture<Void> resume(NodeRecovery node, long epoch) {
        watch.began(RecoveryStep.RESUME);
        return node.resume(epoch, new BitSet()).thenRun(() -> watch.ended(RecoveryStep.RESUME));
    }

    /** Whether every node is in the last configuration. */
    public synchronized boolean isSettled() {
        return current == null;
    }

    /** Whether a node is to be taken in. */
    public synchronized boolean isAnybodyJoining() {
        return !joiners.isEmpty();
    }

    /** Whether a node is in the last configuration, and was not lost since. */
    public synchronized boolean isMember(int node) {
        return members.containsKey(node);
    }

    private synchronized void ended(Reconfiguration ended, Throwable failure) {
        if (ended != current) {
            return;
        }
        if (failure == null) {
            LOG.info("event=nodes_expelled epoch={} nodes={} placement={}", configEpoch, lost, catalog.placement());
            settled();
            if (sweepWanted || !joiners.isEmpty()) {
                begin();
            }
        } else if (isUnreachable(failure)) {
            LOG.info("event=reconfiguration_restarted epoch={}: {}", configEpoch, failure.toString());
            runtime.later(AGAIN_NANOS, () -> beginAgain(ended));
        } else {
            LOG.error("event=cluster_frozen lost={}: the nodes could not be expelled", lost, failure);
        }
    }

    private static boolean isUnreachable(Throwable failure) {
        return failure instanceof PeerUnreachable || failure.getCause() instanceof PeerUnreachable;
    }

    /** Tries again if no node was lost meanwhile: a link had failed, or it is not known yet which node has died. */
    private synchronized void beginAgain(Reconfiguration failed) {
        if (failed == current && current.abandon()) {
            begin();
        }
    }

    private void settled() {
        before = catalog.placement();
        lost.clear();
        current = null;
        joiner = NO_NODE;
    }
}
