package dev.rcc.transport.sim;

import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker in virtual time: a queue of items (tasks, RPCs that arrived, completions, slices of coroutines) and a moment at
 * which the worker is free for the next. An item runs in one event and is charged for; the worker is then occupied for the
 * charged time. Other workers may run between two items of a worker.
 *
 * <p>The worker calls its pollers when there may be work for them: after an item, after a one-sided operation of a peer has
 * changed this node's memory, after {@link #wakeUp}. A real worker calls them on every turn, and they find nothing most of the
 * time.
 */
public final class SimWorker implements Worker {
    private static final Logger LOG = LoggerFactory.getLogger(SimWorker.class);

    /** The least time between two polls, in nanoseconds. */
    private static final long POLL_INTERVAL_NANOS = 1_000;

    private static final long STREAM = 0x9E3779B97F4A7C15L;

    private final SimNetwork network;
    private final Simulation simulation;
    private final CostModel costs;
    private final SimClock clock;
    private final int node;
    private final int index;
    private final SplittableRandom random;
    private final ArrayDeque<Runnable> items = new ArrayDeque<>();
    private final Runnable turn = this::turn;
    /** The number of slices run, by coroutine. */
    private long[] slices = {};

    private Poller[] pollers = {};
    private SimFabric fabric;
    private boolean started;
    private boolean closed;

    /** The time when the worker has finished the work that it was charged for. */
    private long freeNanos;
    /** The time that the running item has been charged so far. */
    private long charged;
    /** Whether an event for the next turn exists; {@link #scheduledNanos} is its time. */
    private boolean scheduled;

    private long scheduledNanos;
    /** The time when this turn began, which {@link #wallNanos} is based on. */
    private long turnNanos;

    private boolean running;
    private long turns;
    private boolean mayHavePolls;
    private long nextPollNanos;
    /** The coroutine that is running a slice, or null. */
    private SimCoroutine current;
    /** The coroutine that computes, or null: nothing else runs on the worker until it is done. */
    private SimCoroutine computing;

    SimWorker(SimNetwork network, SimClock clock, int node, int index) {
        this.network = network;
        this.simulation = network.simulation();
        this.costs = network.options().costs();
        this.clock = clock;
        this.node = node;
        this.index = index;
        this.random = new SplittableRandom(simulation.seed() ^ (((long) node << 32) | index) * STREAM);
    }

    /** Starts the worker. */
    public void start() {
        started = true;
        schedule();
    }

    /** Ends the worker: its coroutines never run again, as if the node had crashed. */
    public void close() {
        closed = true;
        items.clear();
    }

    /** The number of slices that coroutines with ids below {@code coroutineLimit} have run here. */
    public long slices(int coroutineLimit) {
        long sum = 0;
        for (int id = 0; id < Math.min(coroutineLimit, slices.length); id++) {
            sum += slices[id];
        }
        return sum;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime(localNanos());
    }

    @Override
    public long wallNanos() {
        return clock.wallNanos(turnNanos);
    }

    @Override
    public long random() {
        return random.nextLong();
    }

    /**
     * {@inheritDoc}
     *
     * <p>When a coroutine computes, virtual time passes at once: its next action happens after the events of the meantime.
     * An RPC handler is one event: when it computes, only the messages that it then sends are later.
     */
    @Override
    public void compute(long nanos) {
        SimCoroutine coroutine = current;
        if (coroutine == null || !coroutine.isCurrent()) {
            charge(nanos);
            return;
        }
        long end = localNanos() + nanos;
        computing = coroutine;
        simulation.at(end, () -> {
            if (!closed) {
                coroutine.computed();
            }
        });
        coroutine.awaitComputed();
    }

    @Override
    public void spawn(int coroutineId, Consumer<Coroutine> body) {
        execute(() -> new SimCoroutine(this, coroutineId, body).start());
    }

    @Override
    public void execute(Runnable task) {
        add(Objects.requireNonNull(task));
    }

    @Override
    public void addPoller(Poller poller) {
        pollers = Arrays.copyOf(pollers, pollers.length + 1);
        pollers[pollers.length - 1] = poller;
        wakeUp();
    }

    @Override
    public void wakeUp() {
        mayHavePolls = pollers.length > 0;
        schedule();
    }

    /** The virtual time that the running item has reached: the event's time plus the time that the item was charged since. */
    long localNanos() {
        return simulation.now() + charged;
    }

    /** The number of turns so far, which callers use to do something once a turn. */
    long turns() {
        return turns;
    }

    /** Makes the running item take {@code nanos} longer. */
    void charge(long nanos) {
        charged += nanos;
    }

    /** Appends an item. */
    void add(Runnable item) {
        if (!closed) {
            items.add(item);
            schedule();
        }
    }

    boolean isClosed() {
        return closed;
    }

    Simulation simulation() {
        return simulation;
    }

    void attached(SimFabric to) {
        fabric = to;
    }

    /** A coroutine is ready for its next slice. */
    void ready(SimCoroutine coroutine) {
        if (closed) {
            return;
        }
        if (coroutine == computing) {
            computing = null;
            freeNanos = simulation.now();
            items.addFirst(() -> runSlice(coroutine));
        } else {
            items.add(() -> {
                charge(costs.cpu().switchNanos());
                runSlice(coroutine);
            });
        }
        schedule();
    }

    private void runSlice(SimCoroutine coroutine) {
        if (coroutine.id() >= slices.length) {
            slices = Arrays.copyOf(slices, coroutine.id() + 1);
        }
        slices[coroutine.id()]++;
        current = coroutine;
        try {
            coroutine.runSlice();
        } finally {
            current = null;
        }
    }

    private void schedule() {
        if (!started || closed || computing != null || running) {
            return; // the end of the turn looks again
        }
        long next;
        if (!items.isEmpty()) {
            next = freeNanos;
        } else if (mayHavePolls) {
            next = Math.max(freeNanos, nextPollNanos);
        } else {
            return;
        }
        next = Math.max(next, simulation.now());
        if (scheduled && scheduledNanos <= next) {
            return;
        }
        scheduled = true;
        scheduledNanos = next;
        simulation.at(next, turn);
    }

    /** Runs one item, and the pollers if they are due. */
    private void turn() {
        if (!scheduled || simulation.now() != scheduledNanos || closed) {
            return; // an earlier turn has taken this one's place
        }
        scheduled = false;
        if (simulation.now() < freeNanos || computing != null) {
            schedule();
            return;
        }
        long pause = network.faultPause();
        if (pause > 0) {
            freeNanos = simulation.now() + pause;
            schedule();
            return;
        }
        running = true;
        turns++;
        turnNanos = simulation.now();
        if (mayHavePolls && turnNanos >= nextPollNanos) {
            poll();
        }
        Runnable item = items.poll();
        if (item != null) {
            run(item);
            mayHavePolls |= pollers.length > 0;
        }
        freeNanos = simulation.now() + charged;
        charged = 0;
        running = false;
        schedule();
    }

    private void poll() {
        mayHavePolls = false;
        nextPollNanos = turnNanos + POLL_INTERVAL_NANOS;
        charge(costs.cpu().pollNanos());
        int work = 0;
        for (Poller poller : pollers) {
            try {
                work += poller.poll();
            } catch (RuntimeException | Error e) {
                LOG.error("event=poller_failed: the worker goes on", e);
                work++;
            }
        }
        if (work > 0) {
            charge(work * costs.cpu().completionNanos());
            mayHavePolls = true;
            if (fabric != null) {
                fabric.memoryChanged();
            }
        }
    }

    private static void run(Runnable item) {
        try {
            item.run();
        } catch (RuntimeException | Error e) {
            LOG.error("event=task_failed: the worker goes on", e);
        }
    }
}
