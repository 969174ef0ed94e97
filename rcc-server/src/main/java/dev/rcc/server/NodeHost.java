package dev.rcc.server;

import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the node of a process: the serving node, which is configured when the process is started, or another node while a caller
 * leases the process. Each is a new incarnation, with its own connections and memory.
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
     * A host for the process of a node.
     *
     * @param serving the configuration that the node serves
     * @param birthWallNanos the cluster's birth, as in {@link NodeServer}
     * @param front admits clients while the node serves
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

    /** Admits clients to a serving node. Its methods are called one at a time. */
    public interface Front extends AutoCloseable {
        /** Prepares for a node that will serve; it has not joined yet. */
        void prepare(NodeServer node);

        /**
         * Admits clients: the node runs.
         *
         * @throws RuntimeException when clients cannot be admitted
         */
        void open(NodeServer node);

        /** The address at which clients connect, {@code host:port}, while it is open. For any thread. */
        Optional<String> address();

        /** Lets no transaction begin any more, as the node is to stop. Does not wait for running transactions. */
        void drain();

        /** Ends the transactions that have not ended and admits no client; may be called before {@link #open}, or several times. */
        @Override
        void close();
    }

    /** Receives the progress of the node that serves. */
    public interface Progress {
        /** The node waits for its peers; called at once and then every few seconds. */
        void waiting(NodeServer node, List<Integer> missing);

        /** The node runs transactions and admits clients. */
        void running(NodeServer node);

        /** The node cannot start, admit clients, begin another incarnation, or do its part in replacing dead nodes; the process must end. */
        void failed(NodeServer node, RuntimeException why);
    }

    /** The configuration that the node serves while the process is not leased. */
    public ClusterConfig serving() {
        return serving;
    }

    /** The process's present node, if there is one. */
    public Optional<NodeServer> node() {
        return Optional.ofNullable(node);
    }

    /** The address at which clients connect to the serving node, {@code host:port}, while they are admitted. */
    public Optional<String> clientAddress() {
        return front.address();
    }

    /** Whether the process is leased. */
    public boolean isBorrowed() {
        return borrowed;
    }

    /** The state of the present node; stopped if there is none. */
    public NodeServer.State state() {
        NodeServer current = node;
        NodeServer.State state = current == null ? NodeServer.State.STOPPED : current.state();
        return draining && state != NodeServer.State.STOPPED ? NodeServer.State.DRAINING : state;
    }

    /** Makes the serving node, and starts it once all its peers are connected or run already, however long that takes. Does not wait. */
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

    /** Begins another incarnation of a serving node, as the other nodes have gone on without it. */
    private synchronized void comeBack(NodeServer expelled) {
        if (node != expelled || draining) {
            return;
        }
        try {
            end();
            serve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fail(expelled, e);
        }
    }

    /** Leases the process to the caller: ends its present node. */
    public synchronized void borrow() throws InterruptedException {
        borrowed = true;
        end();
    }

    /** Makes a node, which has not joined, for the caller that has leased the process. */
    public synchronized NodeServer create(ClusterConfig config, long birth) {
        if (node != null) {
            throw new IllegalStateException("the process has a node");
        }
        NodeServer created = factory.create(config, birth);
        created.whenFailed(why -> fail(created, why));
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
            if (serves.state() == NodeServer.State.RUNNING) {
                front.open(serves);
                progress.running(serves);
            }
        } catch (InterruptedException e) {
            LOG.debug("no more waiting for peers", e);
        } catch (RuntimeException | Error e) {
            if (Thread.currentThread().isInterrupted()) { // the node ends, and has cut its start short
                LOG.debug("the start was cut short", e);
            } else {
                fail(serves, e);
            }
        }
    }

    /** Reports that a node does not serve. Nothing else would: the exception is on a thread of this object or of the node. */
    private void fail(NodeServer failed, Throwable why) {
        LOG.error("event=node_failed node={}", failed.id(), why);
        progress.failed(
                failed, why instanceof RuntimeException e ? e : new IllegalStateException("a defect: " + why, why));
    }

    /**
     * Refuses new transactions, lets running transactions end, closes the clients' connections, and leaves the network.
     *
     * @return false if a client had not returned in time; the other nodes then end its transaction
     */
    public synchronized boolean drain(Duration timeout) throws InterruptedException {
        draining = true;
        endStarter();
        front.drain();
        NodeServer current = node;
        boolean ended = current == null || current.drain(timeout);
        front.close(); // while the node's workers run, which serve the connections
        if (current != null) {
            current.leave();
        }
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
