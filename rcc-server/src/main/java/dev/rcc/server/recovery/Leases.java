package dev.rcc.server.recovery;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node's leases: it repeatedly asks its peers for one, and grants theirs. A peer grants no lease to a node that is being taken out,
 * leaves, or is no member of the peer's configuration. A node with grants from a majority of all nodes, itself included, may serve for the
 * length of a lease from when it asked.
 *
 * <p>A peer that has frozen to take a node out waits until the last lease that it granted to that node is over. Every majority contains a
 * peer that takes part in the change and has granted a lease before, unless too few nodes take part. Then a node that is taken out may have a
 * lease from another one that died since, so each peer waits for the length of a lease.
 */
final class Leases {
    private static final String TOPIC = "lease";
    private static final byte[] YES = {1};
    private static final byte[] NO = {0};

    private final Control control;
    private final MemberState state;
    private final long nanos;

    /**
     * Grants leases as soon as peers are let in.
     *
     * @param length how long a lease lasts, from when it was asked for
     */
    Leases(Control control, MemberState state, Duration length) {
        this.control = control;
        this.state = state;
        this.nanos = length.toNanos();
        control.serve(TOPIC, this::grant);
    }

    private byte[] grant(int peer, byte[] question) {
        ByteBuffer asks = ByteBuffer.wrap(question);
        return state.grant(peer, asks.getLong(), asks.getLong(), nanos) ? YES : NO;
    }

    /** Asks all connected peers; does not wait for them. */
    void ask() {
        if (!state.isMember() || state.leaves()) {
            return;
        }
        long end = System.nanoTime() + nanos;
        int majority = control.nodes() / 2 + 1;
        AtomicInteger grants = new AtomicInteger(1);
        if (majority == 1) {
            state.prolong(end);
            return;
        }
        byte[] question = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(control.incarnation())
                .putLong(state.configuration().epoch())
                .array();
        for (CompletableFuture<byte[]> asked : control.askOthers(TOPIC, question)) {
            CompletableFuture<Void> _ = asked.thenAccept(answer -> {
                if (answer[0] == YES[0] && grants.incrementAndGet() == majority) {
                    state.prolong(end);
                }
            });
        }
    }

    /**
     * Completed when no lease of {@code nodes} is left, as far as this node can know; it grants them none any more.
     *
     * @param nodes all nodes that take no part in the change
     */
    CompletableFuture<Void> untilOver(BitSet nodes) {
        int majority = control.nodes() / 2 + 1;
        long left = nodes.cardinality() < majority ? state.untilLeasesAreOver(nodes) : nanos;
        return left == 0
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(left, TimeUnit.NANOSECONDS));
    }
}
