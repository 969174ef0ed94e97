package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.time.Timestamp;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes lost nodes out of the cluster. The nodes that are left go through it together, step by step: none takes a step before all
 * have taken the one before.
 *
 * <ol>
 *   <li><b>Freeze:</b> lost nodes are cut off; no transaction begins; those that run end, one way or the other.
 *   <li><b>Settle:</b> of the coordinators that live, everything they have logged is decided, and their backups know.
 *   <li><b>Report, decide:</b> what lost coordinators had on their way has committed if all its backups that are left have it
 *       ({@link ReplicationProvider#committed}).
 *   <li><b>Replay:</b> the backups mark as aborted what has not committed, and replay all that has: now they are what primaries should be.
 *   <li><b>Install:</b> backups become primaries, and primaries take from their backups what a lost coordinator may have left
 *       half-written; all its locks are gone with that.
 *   <li><b>Save:</b> where data survives the processes, what each node keeps in the next configuration is made durable.
 *   <li><b>Resume</b> in the next configuration.
 * </ol>
 *
 * <p>A node that comes back in another life takes the same way with the members: when they stand still and have replayed everything,
 * they welcome it, and it copies what it is to hold.
 *
 * <p>Should another node be lost on the way, it is {@linkplain #abandon abandoned}, takes no further step, and another one begins
 * without that node. That one finds of each transaction what was found before: that it has committed, as fewer are asked; that it has
 * not, as every backup that has logged it has marked it so before the first primary was repaired.
 */
final class Reconfiguration {
    private static final int NOBODY = -1;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final ReplicationProvider replication;
    private final Map<Integer, RecoverySteps> participants;
    private final BitSet lost;
    private final BitSet absent = new BitSet();
    private final int joiner;
    private final long joinerLife;
    private final Placement before;
    private final Placement after;
    private final long configEpoch;
    private final Supplier<CompletableFuture<Void>> resume;
    private final Map<Integer, LogReport> reports = new ConcurrentHashMap<>();
    private final List<Long> bounds = Collections.synchronizedList(new ArrayList<>());
    private boolean abandoned;
    private boolean resuming;

    private Reconfiguration(
            ReplicationProvider replication,
            Map<Integer, ? extends RecoverySteps> participants,
            BitSet lost,
            int joiner,
            long joinerLife,
            Placement before,
            Placement after,
            long configEpoch,
            Supplier<CompletableFuture<Void>> resume) {
        this.replication = replication;
        this.participants = new TreeMap<>(participants); // in an order that a simulation's seed decides
        this.lost = (BitSet) lost.clone();
        this.joiner = joiner;
        this.joinerLife = joinerLife;
        this.before = before;
        this.after = after;
        this.configEpoch = configEpoch;
        this.resume = resume;
        this.absent.set(0, before.nodes());
        participants.keySet().forEach(this.absent::clear);
    }

    /**
     * The way to a configuration without some nodes.
     *
     * @param replication the cluster's
     * @param survivors the nodes that are left
     * @param lost those that were part of the configuration before, and are not left
     * @param before the placement before
     * @param configEpoch the number of the next configuration
     * @param resume what lets the nodes go on, told the placement after
     */
    static Reconfiguration without(
            ReplicationProvider replication,
            Map<Integer, ? extends RecoverySteps> survivors,
            BitSet lost,
            Placement before,
            long configEpoch,
            Function<Placement, CompletableFuture<Void>> resume) {
        Placement left = before;
        for (int node = lost.nextSetBit(0); node >= 0; node = lost.nextSetBit(node + 1)) {
            left = left.without(node);
        }
        Placement after = left;
        return new Reconfiguration(
                replication, survivors, lost, NOBODY, 0, before, after, configEpoch, () -> resume.apply(after));
    }

    /**
     * The way to a configuration with one more node.
     *
     * @param replication the cluster's
     * @param participants the members, and the node
     * @param life the incarnation of the node
     * @param configEpoch the number of the next configuration
     */
    static Reconfiguration with(
            ReplicationProvider replication,
            int joiner,
            long life,
            Map<Integer, ? extends RecoverySteps> participants,
            Placement before,
            long configEpoch,
            Function<Placement, CompletableFuture<Void>> resume) {
        BitSet present = new BitSet();
        participants.keySet().stream().filter(node -> node != joiner).forEach(present::set);
        Placement after = before.with(joiner, present);
        return new Reconfiguration(
                replication,
                participants,
                new BitSet(),
                joiner,
                life,
                before,
                after,
                configEpoch,
                () -> resume.apply(after));
    }

    /** Goes all the way; fails if a step fails on some node. */
    CompletableFuture<Void> run() {
        return onAll(node -> node.freeze(absent, before))
                .thenCompose(frozen -> onAll(node -> node.settle(absent)))
                .thenCompose(settled -> report())
                .thenCompose(reported -> replay())
                .thenCompose(replayed -> join())
                .thenCompose(joined -> onAll(node -> node.install(before, after, bound(), lost)))
                .thenCompose(installed -> onAll(node -> node.save(configEpoch, after, bound())))
                .thenCompose(saved -> resume());
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

    private void checkNotAbandoned() {
        if (abandoned) {
            throw new CancellationException("another node was lost");
        }
    }

    private CompletableFuture<Void> resume() {
        synchronized (this) {
            checkNotAbandoned();
            resuming = true;
        }
        return resume.get();
    }

    private CompletableFuture<Void> report() {
        return lost.isEmpty()
                ? DONE
                : onEach((id, node) -> node.report(lost).thenAccept(report -> reports.put(id, report)));
    }

    private CompletableFuture<Void> replay() {
        Set<Long> committed = replication.committed(reports, before);
        return onEach((id, node) -> node.replay(committed).thenAccept(bounds::add));
    }

    private long bound() {
        synchronized (bounds) {
            return bounds.stream().reduce(Timestamp.NONE, Timestamp::max);
        }
    }

    private CompletableFuture<Void> join() {
        if (joiner == NOBODY) {
            return DONE;
        }
        return onEach((id, node) -> id == joiner ? DONE : node.welcome(joiner, joinerLife))
                .thenCompose(welcomed -> onEach((id, node) -> id == joiner ? node.copy(before, after, bound()) : DONE));
    }

    private CompletableFuture<Void> onAll(Function<RecoverySteps, CompletableFuture<Void>> step) {
        return onEach((id, node) -> step.apply(node));
    }

    /** All begin before it can be abandoned, or none: what takes its place must not meet a step of this one that begins later. */
    private synchronized CompletableFuture<Void> onEach(
            BiFunction<Integer, RecoverySteps, CompletableFuture<Void>> step) {
        checkNotAbandoned();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        participants.forEach((id, node) -> all.add(step.apply(id, node)));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }
}
