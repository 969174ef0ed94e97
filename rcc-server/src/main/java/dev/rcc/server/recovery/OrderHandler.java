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

/**
 * Carries out at a node what a leader's {@link RemoteRecovery} orders. Orders come on the control channel's threads, which must not wait.
 */
final class OrderHandler {
    private static final byte[] DONE = {};
    private static final long LOOK_MILLIS = 10;

    private final Control control;
    private final Node node;
    private final NodeRecovery recovery;
    private final MemberState state;
    private final Leases leases;
    private final RecoveryRounds rounds;
    /** What was reported last, of which the leader asks for one part after the other. */
    private volatile byte[] report = {};

    /**
     * Carries orders out from when the peers are let in.
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

    /** What begins the next change waits for the end of the last: those who have gone on may need this node to end what they have begun. */
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
                    rounds.check(order); // or the next round would tell a part of this one's
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
                        .thenRunAsync(() -> awaitPeers(peer -> peer == order.node()), Thread::startVirtualThread));
            case COPY ->
                done(later(() -> {
                    awaitPeers(order.before()::holdsAny);
                    return rounds.begin(order, () -> recovery.copy(order.before(), order.after(), order.number()));
                }));
            case INSTALL ->
                done(later(
                        order, () -> recovery.install(order.before(), order.after(), order.number(), order.nodes())));
            case SAVE -> done(later(order, () -> recovery.save(order.configEpoch(), order.after(), order.number())));
        };
    }

    /**
     * Which of the absent nodes to cut off: all, but for those that wait to join as this node does. On a network that cuts off by
     * killing, two newcomers of a cluster would end each other, even the one that leads. No incarnation that was a member is spared: those
     * that have gone on without it have cut it off.
     */
    private BitSet cutOff(BitSet absent) {
        BitSet cutOff = (BitSet) absent.clone();
        if (state.isOutside()) {
            cutOff.and(state.configuration().members());
        }
        return cutOff;
    }

    /** A node that is to join, and has no data that others need, must not keep all others from going on. */
    private void startOverIfDamaged(Throwable failure) {
        boolean isDamaged =
                failure instanceof DamagedLog || (failure != null && failure.getCause() instanceof DamagedLog);
        if (isDamaged && !state.wasMember()) {
            state.beginAnew("as its log rings are damaged, before it was a member");
        }
    }

    /** What cuts peers off waits, and must not hold the control channel up. */
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

    /** They have let this node in, or this node them; the network may need a moment for that. */
    private void awaitPeers(IntPredicate which) {
        await(() -> IntStream.range(0, control.nodes())
                .filter(which)
                .allMatch(peer -> !control.isUp(peer) || node.isReachable(peer)));
    }

    /** Waits as long as this incarnation of the node goes on. */
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
