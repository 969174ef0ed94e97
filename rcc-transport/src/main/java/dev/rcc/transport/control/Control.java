package dev.rcc.transport.control;

import dev.rcc.transport.handshake.Handshakes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The slow, reliable way between the processes of a cluster: questions and answers of some bytes, and word of peers that come
 * and go. Networks exchange here, and only here, what opens their nodes' memory to peers: keys, queue pairs, paths.
 *
 * <p>The course is: create, {@link #serve} and {@link #listen}, {@link #start}, {@link #ask}, {@link #close}. What it calls, it
 * calls on threads of its own, which must not be held up for long; its own methods may be called on any thread.
 */
public interface Control extends AutoCloseable {
    /** The node that this process is. */
    int node();

    /** Number of nodes in the cluster. */
    int nodes();

    /** Tells this incarnation of the process from its other ones: what a node that was restarted has anew. */
    long incarnation();

    /** What this node proves to its peers and asks of them, here and on every other connection that a network makes. */
    Handshakes handshakes();

    /**
     * Chooses who answers the questions about a topic; before {@link #start}.
     *
     * @throws IllegalArgumentException when the topic has a handler
     */
    default void serve(String topic, Handler handler) {
        Objects.requireNonNull(handler);
        serveLater(topic, (peer, question) -> CompletableFuture.completedFuture(handler.answer(peer, question)));
    }

    /**
     * Chooses who answers the questions about a topic that take their time; before {@link #start}.
     *
     * @throws IllegalArgumentException when the topic has a handler
     */
    void serveLater(String topic, LaterHandler handler);

    /** Adds a listener of peers that come and go; before {@link #start}. */
    void listen(Listener listener);

    /** Begins to look for the peers, and lets them in. Does not wait for them. */
    void start();

    /** Whether {@code peer} is connected. A node is to itself from its start to its end. */
    boolean isUp(int peer);

    /**
     * Asks a peer, or this node itself.
     *
     * @return the answer; or fails with a {@link dev.rcc.core.fabric.PeerUnreachable} if the peer is not connected or gets lost
     *     before the answer is there, or with a {@link ControlFailure} if its handler threw or the topic has none
     */
    CompletableFuture<byte[]> ask(int peer, String topic, byte[] question);

    /**
     * Asks all other nodes that are connected.
     *
     * @return their answers, each as that of {@link #ask}
     */
    default List<CompletableFuture<byte[]>> askOthers(String topic, byte[] question) {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int peer = 0; peer < nodes(); peer++) {
            if (peer != node() && isUp(peer)) {
                answers.add(ask(peer, topic, question));
            }
        }
        return answers;
    }

    /** Leaves the cluster: peers hear of it at once. Questions without an answer fail. */
    @Override
    void close();

    /** Answers questions. */
    @FunctionalInterface
    interface Handler {
        /**
         * Answers a question of {@code peer}; what it throws is logged, and sent to the peer with its message.
         *
         * @param peer who asks; this node itself too
         */
        byte[] answer(int peer, byte[] question);
    }

    /** Answers questions some time after they were asked. */
    @FunctionalInterface
    interface LaterHandler {
        /**
         * Begins to answer a question of {@code peer}, and does not hold up the next question. What it throws, or fails with, is
         * sent to the peer with its message, and logged unless it is a {@link ControlFailure}.
         *
         * @param peer who asks; this node itself too
         */
        CompletableFuture<byte[]> answer(int peer, byte[] question);
    }

    /**
     * Receives the peers that come and go, one event at a time for each peer: {@code up} and {@code down} alternate, beginning with
     * {@code up}. A peer that dies or is cut off goes down after the configured time at the latest.
     */
    interface Listener {
        /**
         * A peer is connected, and answers questions.
         *
         * @param incarnation greater than last time if its process was restarted
         */
        void up(int peer, long incarnation);

        /** A peer that was connected has ended, has died, or is cut off. */
        void down(int peer);
    }
}
