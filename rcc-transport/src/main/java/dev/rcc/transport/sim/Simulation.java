package dev.rcc.transport.sim;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Virtual time: events in the order of their times; events of one time come in an order drawn from the seed. Nothing
 * happens between two events, so an hour of idleness costs nothing.
 *
 * <p>Everything runs on the thread that calls {@link #run}, one event after the other, each to its end. The effect of an event
 * depends only on the events before it and on random numbers drawn from the seed: the same seed gives the
 * same events.
 *
 * <p>The events are a binary heap on two parallel arrays. Used by one thread.
 */
public final class Simulation {
    /** The latest virtual time: 39 hours. */
    public static final long END_NANOS = Long.MAX_VALUE >>> 16;

    private static final int INITIAL_EVENTS = 1024;
    private static final int ORDER_BITS = 16;

    private final long seed;
    private final SplittableRandom order;
    private long now;
    private long eventsRun;
    private boolean running;
    private int size;
    /** An event's time, and below it random bits, so that the events of one time come in any order. */
    private long[] keys = new long[INITIAL_EVENTS];

    private Runnable[] actions = new Runnable[INITIAL_EVENTS];
    private Runnable guard = () -> {};
    /** Null without an observer. */
    private Runnable observer;

    /** A simulation at time 0 without events. */
    public Simulation(long seed) {
        this.seed = seed;
        this.order = random(0);
    }

    /** The seed that everything follows from. */
    public long seed() {
        return seed;
    }

    /** Virtual nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** The number of events that have happened. */
    public long eventsRun() {
        return eventsRun;
    }

    /**
     * Calls {@code newObserver} after each event, in place of the former observer. It may cause faults; if it only looks,
     * the run is the same as without an observer.
     */
    public void observe(Runnable newObserver) {
        observer = newObserver;
    }

    /** Whether no event is left: unless a caller from outside adds one, nothing will ever happen again. */
    public boolean isOver() {
        return size == 0;
    }

    /** Calls {@code newGuard} before each event; an exception that it throws ends {@link #run}, and the events are left as they are. */
    public void guard(Runnable newGuard) {
        guard = newGuard;
    }

    /** A source of random numbers for one purpose, so that the draws of one part do not shift those of another. */
    SplittableRandom random(long purpose) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + purpose * 0xD1B54A32D192ED03L);
    }

    /** Schedules {@code action} for {@code nanos}, or for now if that time has passed. */
    void at(long nanos, Runnable action) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
            actions = Arrays.copyOf(actions, size * 2);
        }
        long time = Math.clamp(nanos, now, END_NANOS);
        siftUp(size++, (time << ORDER_BITS) | (order.nextLong() >>> (Long.SIZE - ORDER_BITS)), action);
    }

    /**
     * Runs events until {@code condition} holds, {@code untilNanos} is reached or no event is left. The condition
     * is checked before each event.
     *
     * @return whether the condition holds
     * @throws IllegalStateException when called by an event, or on a virtual thread
     */
    public boolean run(long untilNanos, BooleanSupplier condition) {
        if (running || Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(
                    "the simulation can only be driven from outside, by a platform thread: not by its own coroutines");
        }
        running = true;
        try {
            while (!condition.getAsBoolean()) {
                if (size == 0) {
                    return false;
                }
                long time = keys[0] >>> ORDER_BITS;
                if (time > untilNanos) {
                    now = Math.max(now, untilNanos);
                    return false;
                }
                guard.run();
                now = time;
                eventsRun++;
                removeFirst().run();
                if (observer != null) {
                    observer.run();
                }
            }
            return true;
        } finally {
            running = false;
        }
    }

    /** Fills the hole at the top with the smaller child, all the way down, then with the last event, which rises little. */
    private Runnable removeFirst() {
        Runnable first = actions[0];
        int last = --size;
        int hole = 0;
        for (int child = 1; child < last; child = 2 * hole + 1) {
            child += keys[child + 1] < keys[child] ? 1 : 0; // without a sibling, that is the last event, still intact
            keys[hole] = keys[child];
            actions[hole] = actions[child];
            hole = child;
        }
        siftUp(hole, keys[last], actions[last]);
        actions[last] = null;
        return first;
    }

    private void siftUp(int from, long key, Runnable action) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) / 2;
            if (keys[parent] <= key) {
                break;
            }
            keys[hole] = keys[parent];
            actions[hole] = actions[parent];
            hole = parent;
        }
        keys[hole] = key;
        actions[hole] = action;
    }
}
