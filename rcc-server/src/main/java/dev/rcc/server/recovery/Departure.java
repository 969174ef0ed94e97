package dev.rcc.server.recovery;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;

/** Gives up a node's place on purpose, so that the other nodes need not wait until they are sure that it is gone. */
final class Departure {
    private static final String TOPIC = "leave";
    private static final byte[] NOTHING = {};
    private static final long LOOK_MILLIS = 10;

    private final Control control;
    private final MemberState state;
    private final IntToLongFunction incarnations;
    private final Runnable whenLeaving;

    /**
     * Receives the announcements of peers that leave as soon as they are let in.
     *
     * @param incarnations the incarnation that a node is in, 0 if it is not connected
     * @param whenLeaving called when a peer or this node leaves
     */
    Departure(Control control, MemberState state, IntToLongFunction incarnations, Runnable whenLeaving) {
        this.control = control;
        this.state = state;
        this.incarnations = incarnations;
        this.whenLeaving = whenLeaving;
        control.serve(TOPIC, (peer, question) -> {
            state.hearLeave(peer, ByteBuffer.wrap(question).getLong());
            whenLeaving.run();
            return NOTHING;
        });
    }

    /** Gives up the node's place, once it has ended its transactions; waits up to {@code patienceNanos} for the other nodes to go on without it. */
    void leave(long patienceNanos) throws InterruptedException {
        if (!state.isMember()) {
            return;
        }
        state.leave();
        whenLeaving.run();
        byte[] incarnation =
                ByteBuffer.allocate(Long.BYTES).putLong(control.incarnation()).array();
        List<CompletableFuture<byte[]>> _ = control.askOthers(TOPIC, incarnation);
        long deadline = System.nanoTime() + patienceNanos;
        while (!state.isOver() && othersStay() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Whether enough of the other nodes stay to go on. */
    private boolean othersStay() {
        int staying = 0;
        for (int peer = 0; peer < control.nodes(); peer++) {
            staying += control.isUp(peer) && !state.isLeaving(peer, incarnations.applyAsLong(peer)) ? 1 : 0;
        }
        return staying >= control.nodes() / 2 + 1;
    }
}
