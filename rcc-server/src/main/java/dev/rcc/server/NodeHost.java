package dev.rcc.server;

import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a process's node: the one that serves, which is configured when the process is started, or another one, while a
 * caller borrows the process. Each is a new incarnation of the node, with its own connections and memory.
 *
 * <p>Its methods may be called on any thread.
 */
public final class NodeHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeHost.class);
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Factory factory;
    private final ClusterConfig serving;
    private final long birthWallNanos;
    private final Front front;
    private final Progress progress;
    private volatile NodeServer node;
    private volatile Thread starter;
    private volatile boolean draining;
    private volatile boolean borrowed;

    /**
     * For the process of a node.
     *
     * @param serving what the node serves
     * @param birthWallNanos the cluster's birth, as in {@link NodeServer}
     * @param front what lets clients in while the node serves
     */
    public NodeHost(Factory factory, ClusterConfig serving, long birthWallNanos, Front front, Progress progress) {
        this.factory = factory;
        this.serving = serving;
        this.birthWallNanos = birthWallNanos;
        this.front = front;
        this.progress = progress;
    }

    /** Makes the process's node, in a new incarnation. */
    @FunctionalInterface
    public interface Factory {
        /** Makes a node that has not joined. */
        NodeServer create(ClusterConfig config, long birthWallNanos);
    }

    /** What lets clients in, at a node that serves. Its calls come one at a time. */
    public interface Front extends AutoCloseable {
        /** A node was made that will serve; it has not joined. */
        void prepare(NodeServer node);

        /**
         * The node runs: clients may come in.
         *
         * @throws IllegalStateException when they cannot be let in
         */
        void open(NodeServer node);

        /** Where clients find it, {@code host:port}, while it is open. For any thread. */
        Optional<String> address();

        /** The node is to stop: no transaction may begin any more; does not wait for those that have begun. */
        void drain();

        /** Ends what has not ended and admits no client; may be called before {@link #open}, or several times. */
        @Override
        void close();
    }

    /** Receives the progress of the node that serves. */
    public interface Progress {
        /** The node waits for its peers; called at once and then every few seconds. */
        void waiting(NodeServer node, List<Integer> missing);

        /** The node runs transactions, and clients may come in. */
        void running(NodeServer node);

        /** The node cannot start, or not let clients in; it does nothing any more. */
        void failed(NodeServer node, RuntimeException why);
    }

    /** What the node serves while the process is not borrowed. */
    public ClusterConfig serving() {
        return serving;
    }

    /** The node that is there now. */
    public Optional<NodeServer> node() {
        return Optional.ofNullable(node);
    }

    /** Where clients find the node that serves, {@code host:port}, while they are let in. */
    public Optional<String> clientAddress() {
        return front.address();
    }

    /** Whether the process is borrowed. */
    public boolean isBorrowed() {
        return borrowed;
    }

    /** The state of the node that is there now; stopped if none is. */
    public NodeServer.State state() {
        NodeServer current = node;
        NodeServer.State state = current == null ? NodeServer.State.STOPPED : current.state();
        return draining && state != NodeServer.State.STOPPED ? NodeServer.State.DRAINING : state;
    }

    /** Makes the node that serves, and starts it when all its peers are there, however long that takes. Does not wait. */
    public synchronized void serve() {
        if (draining) {
            return;
        }
        NodeServer serves = create(serving, birthWallNanos);
        borrowed = false;
        front.prepare(serves);
        serves.whenExpelled(() -> comeBack(serves));
        serves.join();
        starter = Thread.ofPlatform().daemon().name("rcc-start").start(() -> startWhenComplete(serves));
    }

    /** The others have gone on without a node that serves: begins another incarnation of it. */
    private synchronized void comeBack(NodeServer expelled) {
        if (node != expelled || draining) {
            return;
        }
        try {
            end();
            serve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the node that is there, to have the process for something else. */
    public synchronized void borrow() throws InterruptedException {
        borrowed = true;
        end();
    }

    /** Makes a node for the caller that has borrowed the process; it has not joined. */
    public synchronized NodeServer create(ClusterConfig config, long birth) {
        if (node != null) {
            throw new IllegalStateException("the process has a node");
        }
        NodeServer created = factory.create(config, birth);
        node = created;
        return created;
    }

    private void startWhenComplete(NodeServer serves) {
        long reported = System.nanoTime() - PROGRESS.toNanos();
        try {
            while (!serves.canStart()) {
                if (System.nanoTime() - reported >= PROGRESS.toNanos()) {
                    reported = System.nanoTime();
                    progress.waiting(serves, serves.missing());
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            serves.start();
        } catch (InterruptedException e) {
            LOG.debug("no more waiting for peers", e);
            return;
        } catch (RuntimeException e) {
            progress.failed(serves, e);
            return;
        }
        try {
            front.open(serves);
            progress.running(serves);
        } catch (IllegalStateException e) {
            progress.failed(serves, e);
        }
    }

    /**
     * Refuses new transactions, lets those that have begun end, and leaves the network.
     *
     * @return false if some client had not returned in time; its transaction is left to the others to end
     */
    public synchronized boolean drain(Duration timeout) throws InterruptedException {
        draining = true;
        endStarter();
        front.drain();
        NodeServer current = node;
        boolean ended = current == null || current.drain(timeout);
        end();
        return ended;
    }

    private void endStarter() throws InterruptedException {
        Thread starting = starter;
        if (starting != null) {
            starting.interrupt();
            starting.join();
            starter = null;
        }
    }

    private void end() throws InterruptedException {
        endStarter();
        front.close();
        if (node != null) {
            node.close();
            node = null;
        }
    }

    @Override
    public synchronized void close() {
        draining = true;
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
