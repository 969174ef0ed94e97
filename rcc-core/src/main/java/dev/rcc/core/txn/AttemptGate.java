package dev.rcc.core.txn;

import dev.rcc.core.worker.Coroutine;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Holds a worker's transactions back while the cluster is reconfigured, and lets transactions that a dead node has stopped wait for the next
 * configuration. Attempts pass the gate one by one: once it is closed and empty, this worker's coordinators have nothing in flight. Used on its
 * worker only; allocates nothing.
 */
public final class AttemptGate {
    /** How long a node without a replacement is tried by default. */
    public static final long PATIENCE_NANOS = 1_000_000_000;

    private static final long LOOK_NANOS_MIN = 20_000;
    private static final long LOOK_NANOS_MAX = 1_000_000;

    private final long recoveryNanos;
    private final long patienceNanos;
    private final Admission admission;
    private final Lease lease;
    private final List<BooleanSupplier> listeners = new ArrayList<>();
    private final List<Runnable> closingListeners = new ArrayList<>();
    /** Nodes that are out of the configuration, or will be out of the next one. */
    private final BitSet lost = new BitSet();

    /** The failures to reach a node, without a longer time between two of them. */
    private static final class Unreached {
        final long firstNanos;
        long lastNanos;

        Unreached(long firstNanos) {
            this.firstNanos = firstNanos;
        }
    }

    /** By node that an attempt could not reach, and no attempt is known to have reached since. */
    private final Map<Integer, Unreached> unreached = new HashMap<>();

    private Runnable sweeper = () -> {};
    private long configEpoch;
    private boolean closed;
    private int running;
    /** Null if no caller waits for the gate to be empty. */
    private Runnable whenEmpty;

    /**
     * An open gate, of the configuration epoch 0.
     *
     * @param recoveryNanos how long a transaction that could not reach a node waits for another configuration, in nanoseconds;
     *     0: not at all, as this cluster is never reconfigured
     * @param admission whether the node takes new transactions
     */
    public AttemptGate(long recoveryNanos, Admission admission) {
        this(recoveryNanos, PATIENCE_NANOS, admission, Lease.forEver(), false);
    }

    /**
     * A gate of the configuration epoch 0 in a node that may lose its place to other nodes.
     *
     * @param recoveryNanos how long a transaction that could not reach a node waits for another configuration, in nanoseconds;
     *     0: not at all, as this cluster is never reconfigured
     * @param patienceNanos how long a node without a replacement is tried before it counts as dead, in nanoseconds
     * @param admission whether the node takes new transactions
     * @param lease how long the node may serve
     * @param closed whether no attempt may begin before the gate is opened
     */
    public AttemptGate(long recoveryNanos, long patienceNanos, Admission admission, Lease lease, boolean closed) {
        if (recoveryNanos < 0 || patienceNanos < 0) {
            throw new IllegalArgumentException(
                    "a wait is not negative, got " + recoveryNanos + " ns and " + patienceNanos + " ns");
        }
        this.recoveryNanos = recoveryNanos;
        this.patienceNanos = patienceNanos;
        this.admission = admission;
        this.lease = lease;
        this.closed = closed;
    }

    /**
     * The node may not serve from {@code nowNanos} on, in the worker's time: other nodes count it as lost, and may take its place. For a simulation;
     * in a cluster of processes, leases end by themselves.
     */
    public void endLease(long nowNanos) {
        lease.end(nowNanos);
    }

    /** Whether the cluster is reconfigured when a node is lost. */
    public boolean isReconfigured() {
        return recoveryNanos > 0;
    }

    /** Whether the node takes no new transactions. */
    boolean isRefusing() {
        return admission.isClosed();
    }

    /** The configuration epoch that attempts run in. */
    public long configEpoch() {
        return configEpoch;
    }

    /** Whether no further attempt may begin. Running attempts are to end. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Adds a listener that is called each time that the gate closes: attempts that wait for something outside of the cluster, such as a client, must
     * end, as the cluster waits for them.
     */
    public void whenClosing(Runnable listener) {
        closingListeners.add(listener);
    }

    /** Lets no further attempt begin; {@code newWhenEmpty} is called once when none is running. */
    public void close(Runnable newWhenEmpty) {
        closed = true;
        whenEmpty = newWhenEmpty;
        closingListeners.forEach(Runnable::run);
        tellIfEmpty();
    }

    /**
     * Lets no further attempt begin; {@code newWhenEmpty} is called once when none is running.
     *
     * @param absent the nodes that are not in the next configuration. Running attempts need not wait for these; they may have to reach all other
     *     nodes before they end
     */
    public void close(BitSet absent, Runnable newWhenEmpty) {
        lost.clear();
        lost.or(absent);
        close(newWhenEmpty);
    }

    /** Sets the action that starts a reconfiguration in which no node is lost; by default, there is none. */
    public void sweeper(Runnable newSweeper) {
        sweeper = newSweeper;
    }

    /**
     * Requests a reconfiguration, even one in which no node is lost: an attempt may have left a lock behind, and cannot determine whether the lock is
     * its own. While no attempt runs, every lock may be freed. Returns at once; nothing waits for the reconfiguration.
     */
    public void askForSweep() {
        sweeper.run();
    }

    /** A node is not in the configuration that attempts run in. */
    public void lose(int node) {
        lost.set(node);
    }

    /** Whether a node is out of the configuration, or will be out of the next one: no attempt may wait for it. */
    public boolean isLost(int node) {
        return lost.get(node);
    }

    /**
     * An attempt could not reach a node that would not be replaced. A failure that is long past does not count: most attempts that have reached the
     * node since have not reported so.
     *
     * @param since when the attempt began to try, in the worker's time in nanoseconds
     * @param now the worker's time
     * @return whether the node counts as dead, as attempts of this worker have not reached it for too long
     */
    public boolean countsAsDead(int node, long since, long now) {
        Unreached failures = unreached.get(node);
        if (failures == null || since - failures.lastNanos > patienceNanos) {
            failures = new Unreached(now);
            unreached.put(node, failures);
        }
        failures.lastNanos = now;
        return now - failures.firstNanos >= patienceNanos;
    }

    /** An attempt has reached a node again. */
    public void reached(int node) {
        unreached.remove(node);
    }

    /**
     * Adds a listener that is called when no attempt runs in the whole cluster any more, and lost nodes are cut off. It is called again and again
     * until it returns true: nothing of its own is in flight.
     */
    public void whenFrozen(BooleanSupplier listener) {
        listeners.add(listener);
    }

    /**
     * No attempt runs in the whole cluster: the work that participants still do is for lost coordinators.
     *
     * @return whether all listeners are done with that; if not, this has to be called again
     */
    public boolean frozen() {
        boolean done = true;
        for (BooleanSupplier listener : listeners) {
            done &= listener.getAsBoolean();
        }
        return done;
    }

    /** Lets attempts begin again, in another configuration. */
    public void open(long newConfigEpoch) {
        configEpoch = newConfigEpoch;
        closed = false;
        whenEmpty = null;
    }

    /**
     * An attempt begins; waits while the gate is closed, or the node may not serve.
     *
     * @param now the worker's time
     * @return false if the node is cut off from most other nodes, and was for as long as transactions wait for another configuration:
     *     then none has begun
     */
    boolean enter(Coroutine coroutine, long now) {
        if (closed || !lease.holds(now)) {
            return await(coroutine);
        }
        running++;
        return true;
    }

    private boolean await(Coroutine coroutine) {
        long deadline = coroutine.worker().nanoTime() + recoveryNanos;
        long nanos = LOOK_NANOS_MIN;
        while (true) {
            coroutine.sleep(nanos);
            nanos = Math.min(2 * nanos, LOOK_NANOS_MAX);
            long now = coroutine.worker().nanoTime();
            boolean mayServe = lease.holds(now);
            if (mayServe && !closed) {
                running++;
                return true;
            }
            if (!mayServe && now - deadline >= 0) {
                return false;
            }
        }
    }

    /**
     * Holds back the reply to a commit while the node may not serve: other nodes may have taken its place, and the records that the transaction has
     * read may be old. If they have, this never returns. Nor does it for a commit during which the node was cut off: the other nodes have decided its
     * outcome.
     *
     * @return the worker's time, at which the node may serve
     */
    long awaitLease(Coroutine coroutine) {
        long now = coroutine.worker().nanoTime();
        for (long nanos = LOOK_NANOS_MIN; !lease.holds(now); nanos = Math.min(2 * nanos, LOOK_NANOS_MAX)) {
            coroutine.sleep(nanos);
            now = coroutine.worker().nanoTime();
        }
        return now;
    }

    /** An attempt has ended. */
    void leave() {
        running--;
        if (closed) {
            tellIfEmpty();
        }
    }

    /**
     * Holds back the reply to an abort while the nodes change to another configuration: the attempt's log entries may not be marked as aborted
     * everywhere yet. Until they are, recovery might find that the attempt has committed.
     *
     * @param epoch the configuration epoch that the attempt ran in
     */
    void awaitSettled(long epoch, Coroutine coroutine) {
        for (long nanos = LOOK_NANOS_MIN; closed && configEpoch <= epoch; nanos = Math.min(2 * nanos, LOOK_NANOS_MAX)) {
            coroutine.sleep(nanos);
        }
    }

    /**
     * Waits for a configuration after {@code epoch}.
     *
     * @return false if there was none in time
     */
    boolean awaitAfter(long epoch, Coroutine coroutine) {
        long deadline = coroutine.worker().nanoTime() + recoveryNanos;
        for (long nanos = LOOK_NANOS_MIN; configEpoch <= epoch; nanos = Math.min(2 * nanos, LOOK_NANOS_MAX)) {
            if (coroutine.worker().nanoTime() - deadline >= 0) {
                return false;
            }
            coroutine.sleep(nanos);
        }
        return true;
    }

    private void tellIfEmpty() {
        if (running == 0 && whenEmpty != null) {
            Runnable listener = whenEmpty;
            whenEmpty = null;
            listener.run();
        }
    }
}
