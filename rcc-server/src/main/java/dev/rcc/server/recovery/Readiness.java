package dev.rcc.server.recovery;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Reports to the leader whether the node can be taken into a configuration, and with which data. If it cannot, the leader notifies the node
 * to begin another incarnation. Thread-safe.
 */
final class Readiness {
    private static final String READY_TOPIC = "ready";
    private static final String ANEW_TOPIC = "anew";
    private static final byte YES = 1;
    private static final byte NO = 0;
    private static final byte[] NOTHING = {};
    private static final int HEADER_BYTES = 1 + Long.BYTES;
    /** In place of the epoch of a configuration. */
    private static final long NO_CONFIGURATION = -1;

    private final Control control;
    private final MemberState state;
    private volatile boolean ready;
    private volatile long recovered = NO_CONFIGURATION;

    /** Answers peers as soon as they are let in. */
    Readiness(Control control, MemberState state) {
        this.control = control;
        this.state = state;
        control.serve(READY_TOPIC, (peer, question) -> tell());
        control.serve(ANEW_TOPIC, (peer, question) -> hearAnew(question));
    }

    /**
     * Whether a node can be taken into a configuration, and with which data.
     *
     * @param isReady whether it can be taken in
     * @param recovered the epoch of the configuration of its disk; negative if it has no data
     * @param missing the nodes that it is not connected to
     */
    record Answer(boolean isReady, long recovered, BitSet missing) {
        /** Whether the node can be given copies. */
        boolean isNewcomer() {
            return isReady && recovered < 0;
        }

        /** Whether the node can be taken in with the recovered data of a configuration. */
        boolean has(long configEpoch) {
            return isReady && recovered == configEpoch;
        }
    }

    /** The node's workers run: it can be taken into a configuration. */
    void ready() {
        ready = true;
    }

    /** As {@link #ready}: the node has recovered the data of a configuration from its disk, together with all members of that configuration. */
    void ready(long configEpoch) {
        recovered = configEpoch;
        ready = true;
    }

    /** Answers the leader; an incarnation that is or was a member is not ready. */
    private byte[] tell() {
        boolean isReady = ready && !state.wasMember() && !state.leaves();
        byte[] missing = missing().toByteArray();
        return ByteBuffer.allocate(HEADER_BYTES + missing.length)
                .put(isReady ? YES : NO)
                .putLong(recovered)
                .put(missing)
                .array();
    }

    private BitSet missing() {
        BitSet missing = new BitSet();
        IntStream.range(0, control.nodes())
                .filter(peer -> peer != control.node() && !control.isUp(peer))
                .forEach(missing::set);
        return missing;
    }

    /** Asks whether a node can be taken into a configuration. */
    CompletableFuture<Answer> ask(int peer) {
        return control.ask(peer, READY_TOPIC, NOTHING).thenApply(Readiness::answer);
    }

    private static Answer answer(byte[] bytes) {
        ByteBuffer answer = ByteBuffer.wrap(bytes);
        return new Answer(answer.get() == YES, answer.getLong(), BitSet.valueOf(answer));
    }

    /** Notifies a node to begin another incarnation, if it is still in the incarnation for which the leader decided this. */
    CompletableFuture<Void> tellAnew(int peer, long incarnation) {
        byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(incarnation).array();
        return control.ask(peer, ANEW_TOPIC, question).thenAccept(answer -> {});
    }

    private byte[] hearAnew(byte[] question) {
        if (ByteBuffer.wrap(question).getLong() == control.incarnation()) {
            state.beginAnew("the cluster restarts from the disks of all its members");
        }
        return NOTHING;
    }
}
