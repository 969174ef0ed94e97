package dev.rcc.server;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Catalog;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes nodes that have stopped out of a cluster whose nodes are all in this JVM, one {@link Reconfiguration} after the other. It
 * is told who has stopped, and who has left a lock behind; nobody has to vote. Its methods may be called on any thread.
 */
final class Failover {
    private static final Logger LOG = LoggerFactory.getLogger(Failover.class);

    private final Catalog catalog;
    private final RecoveryWatch watch;
    private final Map<Integer, NodeRecovery> members = new HashMap<>();
    /** Nodes that have stopped and are part of the configuration yet. */
    private final BitSet lost = new BitSet();

    private Placement before;
    private long configEpoch;
    private Reconfiguration current;
    /** Whether a sweep was asked for while another reconfiguration was on its way, which may be too far for it. */
    private boolean sweepWanted;

    Failover(Catalog catalog, Map<Integer, NodeRecovery> members, RecoveryWatch watch) {
        this.catalog = catalog;
        this.watch = watch;
        this.members.putAll(members);
        this.before = catalog.placement();
    }

    /** A node has stopped: begins a reconfiguration without it. */
    synchronized void lose(int node) {
        if (members.remove(node) == null) {
            return;
        }
        if (current != null && !current.abandon()) {
            settled(); // all that is left of it is on its way to nodes that take it before what follows
        }
        lost.set(node);
        if (!members.isEmpty()) {
            begin();
        }
    }

    /** Some attempt has perhaps left a lock behind: begins a reconfiguration in which nobody is lost. */
    synchronized void sweep() {
        if (current != null) {
            sweepWanted = true;
        } else if (!members.isEmpty()) {
            begin();
        }
    }

    private void begin() {
        sweepWanted = false;
        long epoch = ++configEpoch;
        List<NodeRecovery> nodes = List.copyOf(members.values());
        Reconfiguration next =
                Reconfiguration.without(watched(), lost, before, epoch, after -> resume(nodes, after, epoch));
        current = next;
        CompletableFuture<Void> _ = next.run().whenComplete((nothing, failure) -> ended(next, failure));
    }

    private Map<Integer, RecoverySteps> watched() {
        Map<Integer, RecoverySteps> watched = new HashMap<>();
        members.forEach((id, steps) -> watched.put(id, new WatchedSteps(id, steps, watch)));
        return watched;
    }

    private CompletableFuture<Void> resume(List<NodeRecovery> nodes, Placement after, long epoch) {
        catalog.place(after);
        return CompletableFuture.allOf(
                nodes.stream().map(node -> resume(node, epoch)).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> resume(NodeRecovery node, long epoch) {
        watch.began(RecoveryStep.RESUME);
        return node.resume(epoch, new BitSet()).thenRun(() -> watch.ended(RecoveryStep.RESUME));
    }

    /** The number of the configuration that is in force or on its way. */
    synchronized long configEpoch() {
        return configEpoch;
    }

    /** Whether everybody is in the last configuration. */
    synchronized boolean isSettled() {
        return current == null;
    }

    private synchronized void ended(Reconfiguration ended, Throwable failure) {
        if (ended != current) {
            return;
        }
        if (failure == null) {
            LOG.info("configuration {} without nodes {}: {}", configEpoch, lost, catalog.placement());
            settled();
            if (sweepWanted) {
                begin();
            }
        } else {
            LOG.error("the nodes {} could not be taken out of the cluster: it stands still", lost, failure);
        }
    }

    private void settled() {
        before = catalog.placement();
        lost.clear();
        current = null;
    }
}
