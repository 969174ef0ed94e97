package dev.rcc.transport.control;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.handshake.Handshakes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A {@link Control} for tests of networks: all nodes in this JVM, no sockets. {@link Cluster#kill} and {@link Cluster#cut} take
 * nodes and links away.
 */
public final class JvmControl implements Control {
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    /** The nodes that can connect to each other. Its methods may be called on any thread. */
    public static final class Cluster {
        private final JvmControl[] controls;
        private final boolean[][] connected;
        private long incarnations;

        /** A cluster that no node has joined. */
        public Cluster(int nodes) {
            controls = new JvmControl[nodes];
            connected = new boolean[nodes][nodes];
        }

        /** A node's control, in a new incarnation if it had one before. */
        public synchronized JvmControl join(int node) {
            if (controls[node] != null && !controls[node].closed) {
                throw new IllegalStateException("node " + node + " lives");
            }
            controls[node] = new JvmControl(this, node, ++incarnations);
            return controls[node];
        }

        /** Ends a node as if its process had been killed. */
        public void kill(int node) {
            controls[node].close();
        }

        /** Cuts the link between two nodes. */
        public synchronized void cut(int one, int other) {
            disconnect(one, other);
        }

        /** Heals the link between two nodes that was cut. */
        public synchronized void heal(int one, int other) {
            connect(one, other);
        }

        /** Runs {@code event} between a node's next answer and the moment when the asker receives it, on the thread on which the node answers. */
        public void beforeNextAnswer(int node, Runnable event) {
            controls[node].beforeAnswer.set(event);
        }

        /** Waits until a node has handled its events of peers. To be called on a thread outside of the control. */
        public void awaitEvents(int node) {
            CompletableFuture.runAsync(() -> {}, controls[node].events).join();
        }

        /** Waits until a node has answered its pending questions. Not on the thread on which it answers. */
        public void awaitAnswers(int node) {
            CompletableFuture.runAsync(() -> {}, controls[node].questions).join();
        }

        private void connect(int one, int other) {
            if (isLive(one) && isLive(other) && !connected[one][other]) {
                connected[one][other] = true;
                connected[other][one] = true;
                controls[one].tellUp(controls[other]);
                if (one != other) {
                    controls[other].tellUp(controls[one]);
                }
            }
        }

        private void disconnect(int one, int other) {
            if (connected[one][other]) {
                connected[one][other] = false;
                connected[other][one] = false;
                controls[one].tellDown(other);
                if (one != other) {
                    controls[other].tellDown(one);
                }
            }
        }

        private boolean isLive(int node) {
            return controls[node] != null && controls[node].started && !controls[node].closed;
        }
    }

    private final Cluster cluster;
    private final int node;
    private final long incarnation;
    private final Map<String, LaterHandler> handlers = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final ExecutorService events;
    private final ExecutorService questions;
    private final AtomicReference<Runnable> beforeAnswer = new AtomicReference<>(() -> {});
    private volatile boolean started;
    private volatile boolean closed;

    private JvmControl(Cluster cluster, int node, long incarnation) {
        this.cluster = cluster;
        this.node = node;
        this.incarnation = incarnation;
        this.events = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("control-events-" + node).factory());
        this.questions = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("control-" + node).factory());
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int nodes() {
        return cluster.controls.length;
    }

    @Override
    public Handshakes handshakes() {
        return new Handshakes("test", node, incarnation, ClusterSecrets.NONE, HANDSHAKE);
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public void serveLater(String topic, LaterHandler handler) {
        if (handlers.putIfAbsent(topic, handler) != null) {
            throw new IllegalArgumentException("topic " + topic + " is served already");
        }
    }

    @Override
    public void listen(Listener listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    @Override
    public void start() {
        synchronized (cluster) {
            started = true;
            cluster.connect(node, node);
            for (int peer = 0; peer < nodes(); peer++) {
                cluster.connect(node, peer);
            }
        }
    }

    @Override
    public boolean isUp(int peer) {
        synchronized (cluster) {
            return cluster.connected[node][peer];
        }
    }

    @Override
    public CompletableFuture<byte[]> ask(int peer, String topic, byte[] question) {
        JvmControl target;
        synchronized (cluster) {
            if (!cluster.connected[node][peer]) {
                return CompletableFuture.failedFuture(new PeerUnreachable(peer));
            }
            target = cluster.controls[peer];
        }
        return CompletableFuture.completedFuture(question.clone())
                .thenComposeAsync(asked -> target.answered(node, topic, asked), target.questions);
    }

    /** The answer. Runs {@code beforeAnswer} on the answering thread before the asker receives the answer, because an asker may hold locks. */
    private CompletableFuture<byte[]> answered(int peer, String topic, byte[] question) {
        CompletableFuture<byte[]> answer;
        try {
            answer = answer(peer, topic, question);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle(this::checked)
                .whenComplete(
                        (whole, failure) -> beforeAnswer.getAndSet(() -> {}).run());
    }

    private CompletableFuture<byte[]> answer(int peer, String topic, byte[] question) {
        LaterHandler handler = handlers.get(topic);
        if (closed) {
            throw new PeerUnreachable(node);
        }
        if (handler == null) {
            throw new ControlFailure("node " + node + " does not serve " + topic);
        }
        return handler.answer(peer, question);
    }

    private byte[] checked(byte[] answer, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof PeerUnreachable || cause instanceof ControlFailure) {
            throw (RuntimeException) cause;
        }
        if (cause != null) {
            throw new ControlFailure("node " + node + " failed to answer: " + cause);
        }
        return answer.clone();
    }

    private void tellUp(JvmControl peer) {
        int id = peer.node;
        long itsIncarnation = peer.incarnation;
        events.execute(() -> listeners.forEach(listener -> listener.up(id, itsIncarnation)));
    }

    private void tellDown(int peer) {
        events.execute(() -> listeners.forEach(listener -> listener.down(peer)));
    }

    @Override
    public void close() {
        synchronized (cluster) {
            if (!closed) {
                for (int peer = 0; peer < nodes(); peer++) {
                    cluster.disconnect(node, peer);
                }
                closed = true;
            }
        }
        events.shutdown();
        questions.shutdown();
    }
}
