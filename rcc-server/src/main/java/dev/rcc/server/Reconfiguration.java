package dev.rcc.server;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.log.InDoubt;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.time.Timestamp;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Takes lost nodes out of the cluster. The nodes that are left go through it together, step by step: none takes a step before all
 * have taken the one before.
 *
 * <ol>
 *   <li><b>Freeze:</b> lost nodes are cut off; no transaction begins; those that run end, one way or the other.
 *   <li><b>Settle:</b> of the coordinators that live, everything they have logged is decided, and their backups know.
 *   <li><b>Report, decide:</b> what lost coordinators had on their way has committed if all its backups that are left have it
 *       ({@link InDoubt}).
 *   <li><b>Replay:</b> the backups replay all that has committed: now they are what primaries should be.
 *   <li><b>Install:</b> backups become primaries, and primaries take from their backups what a lost coordinator may have left
 *       half-written; all its locks are gone with that.
 *   <li><b>Resume</b> in the next configuration.
 * </ol>
 *
 * <p>Should another node be lost on the way, it is begun again without that one: a transaction that was found to have committed
 * will be found so again, as fewer are asked.
 */
final class Reconfiguration {
    private final Map<Integer, NodeRecovery> survivors;
    private final Catalog catalog;
    private final BitSet lost;
    private final Placement before;
    private final Placement after;
    private final long configEpoch;
    private final Map<Integer, InDoubt.Report> reports = new HashMap<>();
    private boolean abandoned;
    private boolean resuming;

    /**
     * The way to another configuration.
     *
     * @param catalog whose placement changes
     * @param survivors the nodes that are left
     * @param lost those that were part of the configuration before, and are not left
     * @param before the placement before
     * @param configEpoch the number of the configuration to come
     */
    Reconfiguration(
            Catalog catalog, Map<Integer, NodeRecovery> survivors, BitSet lost, Placement before, long configEpoch) {
        this.catalog = catalog;
        this.survivors = Map.copyOf(survivors);
        this.lost = (BitSet) lost.clone();
        this.before = before;
        this.configEpoch = configEpoch;
        Placement left = before;
        for (int node = lost.nextSetBit(0); node >= 0; node = lost.nextSetBit(node + 1)) {
            left = left.without(node);
        }
        this.after = left;
    }

    /** Goes all the way; fails if a step fails on some node. */
    CompletableFuture<Void> run() {
        return onAll(node -> node.freeze(lost))
                .thenCompose(frozen -> onAll(node -> node.settle(lost)))
                .thenCompose(settled -> report())
                .thenCompose(reported -> replay())
                .thenCompose(replayed -> install())
                .thenCompose(installed -> resume());
    }

    /**
     * Lets it go no further: another node was lost, and another reconfiguration takes its place.
     *
     * @return false if it is too late, and the nodes are on their way into the configuration
     */
    synchronized boolean abandon() {
        abandoned = true;
        return !resuming;
    }

    private CompletableFuture<Void> resume() {
        synchronized (this) {
            if (abandoned) {
                return CompletableFuture.failedFuture(new CancellationException("another node was lost"));
            }
            resuming = true;
            catalog.place(after);
        }
        return onAll(node -> node.resume(configEpoch));
    }

    private CompletableFuture<Void> report() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        survivors.forEach((id, node) -> all.add(node.report(lost).thenAccept(report -> {
            synchronized (reports) {
                reports.put(id, report);
            }
        })));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> replay() {
        Set<Long> committed = InDoubt.committed(reports, before);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        survivors.forEach((id, node) -> all.add(node.replay(reports.get(id), committed)));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> install() {
        long bound = survivors.values().stream().mapToLong(NodeRecovery::bound).reduce(Timestamp.NONE, Timestamp::max);
        return onAll(node -> node.install(before, after, bound));
    }

    private CompletableFuture<Void> onAll(Function<NodeRecovery, CompletableFuture<Void>> step) {
        return CompletableFuture.allOf(survivors.values().stream().map(step).toArray(CompletableFuture[]::new));
    }
}
