package dev.rcc.transport.control;

import dev.rcc.transport.handshake.Handshakes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The slow, reliable channel between the processes of a cluster: questions and answers of some bytes, and events of peers that come and go. Networks
 * exchange here, and only here, the data that opens their nodes' memory to peers: keys, queue pairs, paths.
 *
 * <p>The order of calls is: create, {@link #serve} and {@link #listen}, {@link #start}, {@link #ask}, {@link #close}. The channel calls handlers and
 * listeners on its own threads, which must not be blocked for long; its methods may be called on any thread.
 */
public interface Control extends AutoCloseable {
    /** The node that this process is. */
    int node();

    /** Number of nodes in the cluster. */
    int nodes();

    /** The number of this incarnation of the process; a restarted node has a new one. */
    long incarnation();

    /** The handshakes of this node with its peers, here and on every other connection that a network makes. */
    Handshakes handshakes();

    /**
     * Sets the handler that answers the questions about a topic; before {@link #start}.
     *
     * @throws IllegalArgumentException when the topic has a handler
     */
    default void serve(String topic, Handler handler) {
        Objects.requireNonNull(handler);
        serveLater(topic, (peer, question) -> CompletableFuture.completedFuture(handler.answer(peer, question)));
    }

    /**
     * Sets the handler that answers the questions about a topic, perhaps some time later; before {@link #start}.
     *
     * @throws IllegalArgumentException when the topic has a handler
     */
    void serveLater(String topic, LaterHandler handler);

    /** Adds a listener of peers that come and go; before {@link #start}. */
    void listen(Listener listener);

    /** Begins to look for the peers, and to accept their connections. Does not wait for them. */
    void start();

    /** Whether {@code peer} is connected. A node is connected to itself from its start to its end. */
    boolean isUp(int peer);

    /**
     * Asks a peer, or this node itself.
     *
     * @return the answer; or fails with a {@link dev.rcc.core.fabric.PeerUnreachable} if the peer is not connected or is lost before the answer
     *     arrives, or with a {@link ControlFailure} if its handler threw or the topic has none
     */
    CompletableFuture<byte[]> ask(int peer, String topic, byte[] question);

    /**
     * Asks all other nodes that are connected.
     *
     * @return their answers, each as from {@link #ask}
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

    /** Leaves the cluster: peers are notified at once. Questions without an answer fail. */
    @Override
    void close();

    /** Answers questions. */
    @FunctionalInterface
    interface Handler {
        /**
         * Answers a question of {@code peer}; an exception is logged, and its message is sent to the peer.
         *
         * @param peer the node that asks, perhaps this node itself
         */
        byte[] answer(int peer, byte[] question);
    }

    /** Answers questions some time after they were asked. */
    @FunctionalInterface
    interface LaterHandler {
        /**
         * Begins to answer a question of {@code peer}, and does not delay the next question. If it throws an exception or the future fails, the
         * message is sent to the peer, and the exception is logged unless it is a {@link ControlFailure}.
         *
         * @param peer the node that asks, perhaps this node itself
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
