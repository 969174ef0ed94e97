package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.server.durability.DataConfiguration;
import dev.rcc.server.node.Node;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The part of a node of this process in a {@link Reconfiguration}. The methods may be called on any thread but a worker; the futures that
 * they return are completed when all of the node's workers are done.
 */
final class NodeRecovery implements RecoverySteps {
    private static final long LOOK_NANOS = 50_000;

    private final Node node;
    private final Protocol protocol;
    private final Catalog catalog;
    /** By worker: the end of the last task that its service coroutine was given; used on that worker only. */
    private final List<CompletableFuture<Void>> serving;
    /** Counts freezes. */
    private volatile long round;

    /** The last report. */
    private volatile LogReport reported = LogReport.NOTHING;

    /** The lost nodes of the last report. */
    private volatile BitSet writers = new BitSet();

    NodeRecovery(Node node, Protocol protocol) {
        this.node = node;
        this.protocol = protocol;
        this.catalog = node.memstore().catalog();
        this.serving = IntStream.range(0, node.workers())
                .mapToObj(worker -> CompletableFuture.<Void>completedFuture(null))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Before the workers start: lets no attempt begin, and makes all timestamps from now on larger than all earlier ones.
     *
     * @param bound an upper bound of all earlier timestamps
     */
    void hold(long bound) {
        for (int i = 0; i < node.workers(); i++) {
            node.worker(i).context().gate().close(() -> {});
            for (TimestampClock clock : node.worker(i).clocks()) {
                clock.observe(bound);
            }
        }
    }

    /** Gives this node's primaries the data that a backup has recovered from its disk. */
    CompletableFuture<Void> takeFromBackups() {
        return onEachWorker((worker, done) -> serve(worker, done, coroutine -> {
            PartitionRecovery recovery = recovery(worker, coroutine, node.readBound());
            int turn = 0;
            for (int table = 0; table < catalog.tables(); table++) {
                for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                    boolean mine = catalog.placement().primary(partition) == node.id();
                    if (mine && turn++ % node.workers() == worker.index()) {
                        take(recovery, node.memstore().partition(table, partition));
                    }
                }
            }
        }));
    }

    private void take(PartitionRecovery recovery, TablePartition copy) {
        if (catalog.placement().backups(copy.partition()) == 0) {
            recovery.promote(copy); // the only copy is on this node's disk
            return;
        }
        int backup = catalog.placement().backup(copy.partition(), 0);
        if (!recovery.take(copy, backup)) {
            throw new PeerUnreachable(backup);
        }
    }

    private PartitionRecovery recovery(Node.NodeWorker worker, Coroutine coroutine, long bound) {
        return new PartitionRecovery(
                protocol, worker.context(), coroutine, worker.recoveryBuffer(), worker.recoveryBufferBytes(), bound);
    }

    @Override
    public CompletableFuture<Void> freeze(BitSet absent, Placement before) {
        return freeze(absent, absent, before);
    }

    /**
     * {@link #freeze(BitSet, Placement)}, for a node that need not cut off all absent nodes. A node that joins only now was in no
     * configuration with the absent nodes that it spares; they change nothing here.
     *
     * @param cutOff the absent nodes to cut off
     */
    CompletableFuture<Void> freeze(BitSet absent, BitSet cutOff, Placement before) {
        reported = LogReport.NOTHING;
        writers = new BitSet();
        long freezing = beginRound();
        if (node.durability() != null) {
            node.durability().freeze(freezing);
        }
        cutOff.stream().forEach(node::fence);
        return onEachWorker((worker, done) -> worker.context().gate().close(absent, () -> done.complete(null)))
                .thenRun(() -> place(freezing, before, 0));
    }

    @Override
    public CompletableFuture<Void> settle(BitSet absent) {
        return onEachWorker((worker, done) -> {
                    absent.stream().forEach(worker.replication()::lose);
                    serve(worker, done, coroutine -> {
                        AttemptGate gate = worker.context().gate();
                        while (gate.isClosed() && !gate.frozen()) {
                            coroutine.sleep(LOOK_NANOS);
                        }
                    });
                })
                .thenCompose(frozen ->
                        onEachWorker((worker, done) -> worker.replication().settle(() -> done.complete(null))));
    }

    /** Seals the logs. The coordinators of all nodes that are left have settled. */
    private CompletableFuture<Void> seal() {
        return onEachWorker((worker, done) -> worker.replication().seal(() -> done.complete(null)));
    }

    @Override
    public CompletableFuture<LogReport> report(BitSet lost) {
        writers = (BitSet) lost.clone();
        List<LogReport> parts = Collections.synchronizedList(new ArrayList<>());
        return seal().thenCompose(nothingMore -> onEachWorker((worker, done) -> {
                    parts.add(worker.replication().report(lost));
                    done.complete(null);
                }))
                .thenApply(nothing -> {
                    reported = LogReport.of(parts);
                    return reported;
                });
    }

    @Override
    public CompletableFuture<Long> replay(Set<Long> committed) {
        LogReport report = reported;
        BitSet lost = writers;
        long replaying = round;
        return seal().thenCompose(nothingMore -> onEachWorker((worker, done) -> {
                    WorkerReplication logs = worker.replication();
                    logs.decide(report, lost, committed);
                    serve(worker, done, coroutine -> {
                        // The missing entries may be found by the next round, which waits for this round.
                        while (!logs.isDrained() && round == replaying) {
                            if (logs.isDamaged()) {
                                throw new DamagedLog(node.id());
                            }
                            coroutine.sleep(LOOK_NANOS);
                        }
                        if (round != replaying) {
                            throw new CancellationException(
                                    "node " + node.id() + " abandoned this round: a later freeze has begun");
                        }
                    });
                }))
                .thenApply(nothing -> {
                    node.replication().complete(report, committed);
                    return Timestamp.max(node.readBound(), node.replication().readBound());
                });
    }

    @Override
    public CompletableFuture<Void> welcome(int joiner, long incarnation) {
        node.admit(joiner, incarnation);
        return onEachWorker((worker, done) -> {
            worker.replication().welcome(joiner);
            done.complete(null);
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Copies byte for byte, metadata included: no lock is held while no transaction runs, so a copy is as fit to be the primary as its
     * source.
     */
    @Override
    public CompletableFuture<Void> copy(Placement before, Placement after, long bound) {
        return onEachWorker((worker, done) -> serve(worker, done, coroutine -> {
            regain(worker, before);
            PartitionCopy copies = new PartitionCopy(
                    worker.context(), coroutine, worker.recoveryBuffer(), worker.recoveryBufferBytes());
            int turn = 0;
            for (int table = 0; table < catalog.tables(); table++) {
                for (int partition = 0; partition < after.partitions(); partition++) {
                    boolean mine = after.holds(node.id(), partition) && !before.holds(node.id(), partition);
                    if (mine && turn++ % node.workers() == worker.index()) {
                        copies.take(node.memstore().partition(table, partition), before.primary(partition));
                    }
                }
            }
            worker.replication().observeReadBound(bound); // as on the backups that were there
        }));
    }

    /** A member may have been absent when this node was to join before: then it would go on missing it. */
    private void regain(Node.NodeWorker worker, Placement before) {
        for (int peer = 0; peer < before.nodes(); peer++) {
            if (before.holdsAny(peer) && worker.context().replication().isLost(peer)) {
                worker.replication().welcome(peer);
            }
        }
    }

    @Override
    public CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost) {
        long installing = round;
        return onEachWorker((worker, done) -> serve(worker, done, coroutine -> {
                    PartitionRecovery recovery = new PartitionRecovery(
                            protocol,
                            worker.context(),
                            coroutine,
                            worker.recoveryBuffer(),
                            worker.recoveryBufferBytes(),
                            bound);
                    int turn = 0;
                    for (int table = 0; table < catalog.tables(); table++) {
                        for (int partition = 0; partition < after.partitions(); partition++) {
                            boolean mine = after.primary(partition) == node.id();
                            if (mine && turn++ % node.workers() == worker.index()) {
                                install(recovery, node.memstore().partition(table, partition), before, after, lost);
                            }
                        }
                    }
                    worker.addresses().clear();
                    for (TimestampClock clock : worker.clocks()) {
                        clock.observe(bound);
                    }
                }))
                .thenRun(() -> place(installing, after, bound));
    }

    private synchronized long beginRound() {
        return ++round;
    }

    /** Takes a placement, if no later freeze has begun: a step that began before a freeze may end after it, and has no effect any more. */
    private synchronized void place(long mine, Placement placement, long bound) {
        if (mine == round) {
            node.raiseReadBound(bound); // a coordinator's next incarnation begins to announce at 0
            catalog.place(placement);
        }
    }

    /** Makes a copy fit to be the primary. Even if no node is lost, an attempt may have left locks behind when a link failed under it. */
    private void install(
            PartitionRecovery recovery, TablePartition copy, Placement before, Placement after, BitSet lost) {
        int partition = copy.partition();
        if (before.primary(partition) != node.id()) {
            recovery.promote(copy);
        } else if (after.backups(partition) == 0) {
            checkCanTell(recovery, copy, before, lost);
            recovery.release(copy);
        } else if (!recovery.repair(copy, after.backup(partition, 0), !lost.isEmpty())) {
            throw new PeerUnreachable(after.backup(partition, 0));
        }
    }

    /**
     * Checks that a last copy is fit: everything that lost coordinators wrote there was logged here. This holds for coordinators whose node
     * held a backup. For a lock of another lost coordinator, no node can determine whether the transaction has committed; its writes
     * may be incomplete.
     */
    private void checkCanTell(PartitionRecovery recovery, TablePartition copy, Placement before, BitSet lost) {
        boolean logged = lost.stream().allMatch(coordinator -> before.logsAtPrimary(coordinator, copy.partition()));
        long left = logged ? 0 : recovery.leftBehind(copy);
        if (left > 0 || (!logged && !protocol.marksHolders())) {
            throw new IllegalStateException("table " + copy.table() + ", partition " + copy.partition() + ": "
                    + (protocol.marksHolders() ? left + " tuples and leaves" : "tuples")
                    + " may be half-written since the nodes " + lost
                    + " were lost, and no other copy is left to repair them:"
                    + " the cluster stays frozen rather than serve them");
        }
    }

    @Override
    public CompletableFuture<Void> save(long configEpoch, Placement after, long bound) {
        if (node.durability() == null) {
            return CompletableFuture.completedFuture(null);
        }
        long saving = round;
        Map<Integer, long[]> ids = new ConcurrentHashMap<>();
        return onEachWorker((worker, done) -> {
                    ids.putAll(worker.replication()
                            .replayedBefore(new long[node.replication().logs()]));
                    done.complete(null);
                })
                .thenRunAsync(
                        () -> node.durability().propose(saving, new DataConfiguration(configEpoch, after), bound, ids),
                        Thread::startVirtualThread);
    }

    /**
     * Goes on in another configuration.
     *
     * @param absent nodes that are not members; a node that goes through a {@link Reconfiguration} has lost them before, a node that
     *     forms a cluster has not
     */
    CompletableFuture<Void> resume(long configEpoch, BitSet absent) {
        node.configured(configEpoch);
        return onEachWorker((worker, done) -> {
            absent.stream().forEach(worker.replication()::lose);
            absent.stream().forEach(worker.context().gate()::lose);
            worker.context().gate().open(configEpoch);
            done.complete(null);
        });
    }

    /** The number of the incarnation that the node is in. */
    long incarnation() {
        return node.incarnation();
    }

    /** From now on, messages to a member reach the incarnation that is a member, or none. */
    void letInOnly(Map<Integer, Long> incarnations) {
        incarnations.forEach((peer, incarnation) -> {
            if (peer != node.id()) {
                node.admit(peer, incarnation);
            }
        });
    }

    /** A task for the service coroutine of a worker. */
    @FunctionalInterface
    private interface Service {
        void run(Coroutine coroutine);
    }

    /**
     * Gives a worker's service coroutine a task, after all tasks that it was given before: a leader that is gone may have begun the same
     * task, and there is one buffer.
     */
    private void serve(Node.NodeWorker worker, CompletableFuture<Void> done, Service service) {
        CompletableFuture<Void> before = serving.set(worker.index(), done);
        if (before.isDone()) {
            spawn(worker, done, service);
        } else {
            CompletableFuture<Void> _ = before.whenComplete(
                    (nothing, failure) -> worker.worker().execute(() -> spawn(worker, done, service)));
        }
    }

    private static void spawn(Node.NodeWorker worker, CompletableFuture<Void> done, Service service) {
        worker.worker().spawn(worker.context().serviceCoroutine(), coroutine -> {
            try {
                service.run(coroutine);
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
    }

    private CompletableFuture<Void> onEachWorker(BiConsumer<Node.NodeWorker, CompletableFuture<Void>> task) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < node.workers(); i++) {
            Node.NodeWorker worker = node.worker(i);
            CompletableFuture<Void> done = new CompletableFuture<>();
            all.add(done);
            worker.worker().execute(() -> {
                try {
                    task.accept(worker, done);
                } catch (RuntimeException | Error e) {
                    done.completeExceptionally(e);
                }
            });
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }
}
