package dev.rcc.server.recovery;

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
 * <p>A node that comes back in another incarnation takes the same way with the members: when they are frozen and have replayed everything,
 * they welcome it, and it copies what it is to hold.
 *
 * <p>Should another node be lost on the way, it is {@linkplain #abandon abandoned}, takes no further step, and another one begins
 * without that node. That one finds of each transaction what was found before: that it has committed, as fewer are asked; that it has
 * not, as every backup that has logged it has marked it so before the first primary was repaired.
 */
final class Reconfiguration {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final ReplicationProvider replication;
    private final Map<Integer, RecoverySteps> participants;
    private final ConfigurationChange change;
    private final BitSet absent = new BitSet();
    private final Supplier<CompletableFuture<Void>> resume;
    private final Map<Integer, LogReport> reports = new ConcurrentHashMap<>();
    private final List<Long> bounds = Collections.synchronizedList(new ArrayList<>());
    /** The step that was begun last, and its end on each node. */
    private RecoveryStep step = RecoveryStep.FREEZE;

    private Map<Integer, CompletableFuture<Void>> ends = Map.of();
    private boolean abandoned;
    private boolean resuming;

    /**
     * The way to another configuration.
     *
     * @param replication the cluster's
     * @param participants the nodes that are left, and who joins
     * @param resume what lets the nodes go on
     */
    Reconfiguration(
            ReplicationProvider replication,
            Map<Integer, ? extends RecoverySteps> participants,
            ConfigurationChange change,
            Supplier<CompletableFuture<Void>> resume) {
        this.replication = replication;
        this.participants = new TreeMap<>(participants); // in an order that a simulation's seed decides
        this.change = change;
        this.resume = resume;
        this.absent.set(0, change.before().nodes());
        participants.keySet().forEach(this.absent::clear);
    }

    /** Goes all the way; fails if a step fails on some node. */
    CompletableFuture<Void> run() {
        return onAll(RecoveryStep.FREEZE, node -> node.freeze(absent, change.before()))
                .thenCompose(frozen -> onAll(RecoveryStep.SETTLE, node -> node.settle(absent)))
                .thenCompose(settled -> report())
                .thenCompose(reported -> replay())
                .thenCompose(replayed -> join())
                .thenCompose(joined -> onAll(
                        RecoveryStep.INSTALL,
                        node -> node.install(change.before(), change.after(), bound(), change.lost())))
                .thenCompose(installed ->
                        onAll(RecoveryStep.SAVE, node -> node.save(change.configEpoch(), change.after(), bound())))
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

    /** What it waits for: a step, and the nodes that have not taken it. */
    synchronized String waitsFor() {
        List<Integer> nodes = ends.entrySet().stream()
                .filter(end -> !end.getValue().isDone())
                .map(Map.Entry::getKey)
                .toList();
        return "step=" + step + " nodes=" + nodes;
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
            step = RecoveryStep.RESUME;
            ends = Map.of();
        }
        return resume.get();
    }

    private CompletableFuture<Void> report() {
        return change.lost().isEmpty()
                ? DONE
                : onEach(
                        RecoveryStep.REPORT,
                        (id, node) -> node.report(change.lost()).thenAccept(report -> reports.put(id, report)));
    }

    private CompletableFuture<Void> replay() {
        Set<Long> committed = replication.committed(reports, change.before());
        return onEach(RecoveryStep.REPLAY, (id, node) -> node.replay(committed).thenAccept(bounds::add));
    }

    private long bound() {
        synchronized (bounds) {
            return bounds.stream().reduce(Timestamp.NONE, Timestamp::max);
        }
    }

    private CompletableFuture<Void> join() {
        if (!change.hasJoiner()) {
            return DONE;
        }
        int joiner = change.joiner();
        return onEach(
                        RecoveryStep.WELCOME,
                        (id, node) -> id == joiner ? DONE : node.welcome(joiner, change.joinerIncarnation()))
                .thenCompose(welcomed -> onEach(
                        RecoveryStep.COPY,
                        (id, node) -> id == joiner ? node.copy(change.before(), change.after(), bound()) : DONE));
    }

    private CompletableFuture<Void> onAll(RecoveryStep next, Function<RecoverySteps, CompletableFuture<Void>> taken) {
        return onEach(next, (id, node) -> taken.apply(node));
    }

    /** All begin before it can be abandoned, or none: what takes its place must not meet a step of this one that begins later. */
    private synchronized CompletableFuture<Void> onEach(
            RecoveryStep next, BiFunction<Integer, RecoverySteps, CompletableFuture<Void>> taken) {
        checkNotAbandoned();
        step = next;
        ends = new TreeMap<>();
        participants.forEach((id, node) -> ends.put(id, taken.apply(id, node)));
        return CompletableFuture.allOf(ends.values().toArray(CompletableFuture[]::new));
    }
}
