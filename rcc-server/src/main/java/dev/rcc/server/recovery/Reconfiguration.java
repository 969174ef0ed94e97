package dev.rcc.server.recovery;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.core.time.Timestamp;
import java.time.Duration;
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
 * Takes lost nodes out of the cluster. The nodes that are left go through it together, step by step: no node takes a step before all nodes
 * have taken the previous one.
 *
 * <ol>
 *   <li><b>Freeze:</b> lost nodes are cut off; no transaction begins; running transactions end, one way or the other.
 *   <li><b>Settle:</b> everything that living coordinators have logged is decided, and their backups are notified.
 *   <li><b>Report, decide:</b> a transaction that a lost coordinator had on its way has committed if all its backups that are left have it
 *       ({@link ReplicationProvider#committed}).
 *   <li><b>Replay:</b> the backups mark transactions that have not committed as aborted, and replay all that have: now the backups have the
 *       data that primaries should have.
 *   <li><b>Install:</b> backups become primaries, and primaries take from their backups the data that a lost coordinator may have left
 *       half-written; all its locks are gone with that.
 *   <li><b>Save:</b> where data survives the processes, each node makes durable the data that it keeps in the next configuration.
 *   <li><b>Resume</b> in the next configuration.
 * </ol>
 *
 * <p>A node that comes back in another incarnation goes through the steps with the members. When they are frozen and have replayed everything, they
 * install the placement that they have, which repairs their primaries. Then they welcome the node, and it copies the partitions that it is to hold.
 *
 * <p>If another node is lost on the way, the reconfiguration is {@linkplain #abandon abandoned}, takes no further step, and another one
 * begins without that node. The new one finds the same outcome of each transaction. A transaction that has committed is found committed
 * again, as fewer nodes are asked. A transaction that has not is found aborted again: every backup that has logged it marked it so before
 * the first primary was repaired.
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

    private long stepSinceNanos = System.nanoTime();
    private Map<Integer, CompletableFuture<Void>> ends = Map.of();
    private boolean abandoned;
    private boolean resuming;

    /**
     * A change to another configuration.
     *
     * @param replication the cluster's replication
     * @param participants the nodes that are left, and the joiner
     * @param resume lets the nodes go on
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

    /** The change that it makes. */
    ConfigurationChange change() {
        return change;
    }

    /** Takes all steps; fails if a step fails on a node. */
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
     * Lets it take no further step: another reconfiguration takes its place.
     *
     * @return false if it is too late, and the nodes already enter the configuration
     */
    synchronized boolean abandon() {
        abandoned = true;
        return !resuming;
    }

    /** The step that it waits for, and the nodes that have not taken it. */
    synchronized String waitsFor() {
        List<Integer> nodes = ends.entrySet().stream()
                .filter(end -> !end.getValue().isDone())
                .map(Map.Entry::getKey)
                .toList();
        return "step=" + step + " nodes=" + nodes;
    }

    /** Whether it has waited for the end of a step for so long. */
    synchronized boolean hasWaitedFor(RecoveryStep which, Duration duration) {
        return step == which && System.nanoTime() - stepSinceNanos > duration.toNanos();
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
                        RecoveryStep.INSTALL, // or the joiner would copy what a lost link has left half-written
                        (id, node) -> id == joiner
                                ? DONE
                                : node.install(change.before(), change.before(), bound(), change.lost()))
                .thenCompose(repaired -> onEach(
                        RecoveryStep.WELCOME,
                        (id, node) -> id == joiner ? DONE : node.welcome(joiner, change.joinerIncarnation())))
                .thenCompose(welcomed -> onEach(
                        RecoveryStep.COPY,
                        (id, node) -> id == joiner ? node.copy(change.before(), change.after(), bound()) : DONE));
    }

    private CompletableFuture<Void> onAll(RecoveryStep next, Function<RecoverySteps, CompletableFuture<Void>> taken) {
        return onEach(next, (id, node) -> taken.apply(node));
    }

    /** All nodes begin a step before it can be abandoned, or none does: its successor must not meet a step of this one that begins later. */
    private synchronized CompletableFuture<Void> onEach(
            RecoveryStep next, BiFunction<Integer, RecoverySteps, CompletableFuture<Void>> taken) {
        checkNotAbandoned();
        step = next;
        stepSinceNanos = System.nanoTime();
        ends = new TreeMap<>();
        participants.forEach((id, node) -> ends.put(id, taken.apply(id, node)));
        return CompletableFuture.allOf(ends.values().toArray(CompletableFuture[]::new));
    }
}
