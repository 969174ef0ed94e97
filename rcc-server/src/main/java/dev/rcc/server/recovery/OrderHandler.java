package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.server.node.Node;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Carries out at a node the orders of a leader's {@link RemoteRecovery}. Orders arrive on the control channel's threads, which must not wait. */
final class OrderHandler {
    private static final byte[] DONE = {};
    private static final long LOOK_MILLIS = 10;

    private final Control control;
    private final Node node;
    private final NodeRecovery recovery;
    private final MemberState state;
    private final Leases leases;
    private final RecoveryRounds rounds;
    /** The last report, encoded, which the leader asks for part by part. */
    private volatile byte[] report = {};

    /**
     * Carries orders out as soon as peers are let in.
     *
     * @param home where the partitions live while no node is missing
     */
    OrderHandler(Control control, Placement home, Node node, NodeRecovery recovery, MemberState state, Leases leases) {
        this.control = control;
        this.node = node;
        this.recovery = recovery;
        this.state = state;
        this.leases = leases;
        this.rounds = new RecoveryRounds(control.node());
        control.serveLater(RemoteRecovery.TOPIC, (peer, question) -> carryOut(RecoveryOrder.of(question, home)));
    }

    /**
     * A FREEZE, which begins the next change, waits until this node has ended the last one: nodes that have gone on may need this node to
     * end their transactions.
     */
    private CompletableFuture<byte[]> carryOut(RecoveryOrder order) {
        if (order.step() != RecoveryOrder.Step.FREEZE || state.hasHeardOf(order.configEpoch() - 1)) {
            return carryOutNow(order);
        }
        return later(() -> {
            await(() -> state.hasHeardOf(order.configEpoch() - 1));
            return carryOutNow(order);
        });
    }

    private CompletableFuture<byte[]> carryOutNow(RecoveryOrder order) {
        state.accept(order, rounds);
        return switch (order.step()) {
            case FREEZE ->
                done(later(order, () -> recovery.freeze(order.nodes(), cutOff(order.nodes()), order.before()))
                        .thenCompose(frozen -> leases.untilOver(order.nodes())));
            case SETTLE -> done(later(order, () -> recovery.settle(order.nodes())));
            case REPORT ->
                later(order, () -> recovery.report(order.nodes())).thenApply(reported -> {
                    rounds.check(order); // or the next round would send a part of this report
                    report = RecoveryOrder.toBytes(reported);
                    return chunk(0);
                });
            case REPORT_MORE -> CompletableFuture.completedFuture(chunk((int) order.number()));
            case REPLAY ->
                later(order, () -> recovery.replay(order.committed()))
                        .whenComplete((bound, failure) -> startOverIfDamaged(failure))
                        .thenApply(bound ->
                                ByteBuffer.allocate(Long.BYTES).putLong(bound).array());
            case WELCOME ->
                done(later(order, () -> recovery.welcome(order.node(), order.number()))
                        .thenRunAsync(
                                () -> awaitPeers(order, peer -> peer == order.node()), Thread::startVirtualThread));
            case COPY ->
                done(later(() -> {
                    awaitPeers(order, order.before()::holdsAny);
                    return rounds.begin(order, () -> recovery.copy(order.before(), order.after(), order.number()));
                }));
            case INSTALL ->
                done(later(
                        order, () -> recovery.install(order.before(), order.after(), order.number(), order.nodes())));
            case SAVE -> done(later(order, () -> recovery.save(order.configEpoch(), order.after(), order.number())));
        };
    }

    /**
     * The absent nodes to cut off: all of them or, if this node waits to join, only the members. On a network that cuts a node off by
     * killing it, two newcomers of a cluster would otherwise end each other, even the newcomer that leads. No incarnation that was a member
     * is spared: the nodes that have gone on without it have cut it off.
     */
    private BitSet cutOff(BitSet absent) {
        BitSet cutOff = (BitSet) absent.clone();
        if (state.isOutside()) {
            cutOff.and(state.configuration().members());
        }
        return cutOff;
    }

    /**
     * A damaged node that was never a member begins another incarnation: it has no data that other nodes need, and must not keep them from
     * going on.
     */
    private void startOverIfDamaged(Throwable failure) {
        boolean isDamaged =
                failure instanceof DamagedLog || (failure != null && failure.getCause() instanceof DamagedLog);
        if (isDamaged && !state.wasMember()) {
            state.beginAnew("its log rings were damaged before it became a member");
        }
    }

    /** Begins a step on another thread: a step that cuts peers off waits, and must not hold the control channel up. */
    private static <T> CompletableFuture<T> later(Supplier<CompletableFuture<T>> step) {
        return CompletableFuture.completedFuture(step).thenComposeAsync(Supplier::get, Thread::startVirtualThread);
    }

    /** As {@link #later}, unless another round has begun by then. */
    private <T> CompletableFuture<T> later(RecoveryOrder order, Supplier<CompletableFuture<T>> step) {
        return later(() -> rounds.begin(order, step));
    }

    private static CompletableFuture<byte[]> done(CompletableFuture<Void> step) {
        return step.thenApply(nothing -> DONE);
    }

    private byte[] chunk(int from) {
        byte[] whole = report;
        return Arrays.copyOfRange(whole, from, Math.min(whole.length, from + RemoteRecovery.CHUNK_BYTES));
    }

    /**
     * Waits until the network reaches the peers of {@code which} that are up; it may need a moment after one side has let the other in.
     *
     * @throws ControlFailure when another round has begun
     */
    private void awaitPeers(RecoveryOrder order, IntPredicate which) {
        await(() -> {
            rounds.check(order);
            return IntStream.range(0, control.nodes())
                    .filter(which)
                    .allMatch(peer -> !control.isUp(peer) || node.isReachable(peer));
        });
    }

    /** Waits for a condition, as long as this incarnation of the node goes on. */
    private void await(BooleanSupplier condition) {
        while (!state.isOver() && control.isUp(control.node()) && !condition.getAsBoolean()) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ControlFailure("node " + control.node() + " ends");
            }
        }
    }
}
