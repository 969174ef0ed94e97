package dev.rcc.transport.sim;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Virtual time: events in the order of their times, and among those of one time in an order drawn from the seed. Nothing
 * happens between two events, so an hour of idleness costs nothing.
 *
 * <p>Everything runs on the thread that calls {@link #run}, one event after the other, each to its end. What an event does
 * depends on the events before it and on random numbers drawn from the seed, and on nothing else: the same seed gives the
 * same events.
 *
 * <p>The events are a binary heap on parallel arrays. Used by one thread.
 */
public final class Simulation {
    private static final int INITIAL_EVENTS = 1024;
    private static final long SEQUENCE_MASK = 0xFFFF_FFFFL;

    private final long seed;
    private final SplittableRandom order;
    private long now;
    private long sequence;
    private long eventsRun;
    private boolean running;
    private int size;
    private long[] times = new long[INITIAL_EVENTS];
    /** Random in the upper half, so that events of one time come in any order; unique in the lower. */
    private long[] ties = new long[INITIAL_EVENTS];

    private Runnable[] actions = new Runnable[INITIAL_EVENTS];

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

    /** How many events have happened. */
    public long eventsRun() {
        return eventsRun;
    }

    /** Whether no event is left: unless somebody from outside adds one, nothing will ever happen again. */
    public boolean isOver() {
        return size == 0;
    }

    /** A source of random numbers for one purpose, so that what one part draws does not shift what another draws. */
    SplittableRandom random(long purpose) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + purpose * 0xD1B54A32D192ED03L);
    }

    /** Lets {@code action} happen at {@code nanos}, or now if that has passed. */
    void at(long nanos, Runnable action) {
        if (size == times.length) {
            grow();
        }
        long time = Math.max(nanos, now);
        long tie = order.nextLong() & ~SEQUENCE_MASK | sequence++ & SEQUENCE_MASK;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) / 2;
            if (isBefore(times[parent], ties[parent], time, tie)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, time, tie, action);
    }

    /**
     * Lets events happen until {@code condition} holds, {@code untilNanos} is reached or no event is left. The condition
     * is looked at before each event.
     *
     * @return whether the condition holds
     * @throws IllegalStateException when called by what runs in the simulation itself
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
                if (times[0] > untilNanos) {
                    now = Math.max(now, untilNanos);
                    return false;
                }
                now = times[0];
                eventsRun++;
                removeFirst().run();
            }
            return true;
        } finally {
            running = false;
        }
    }

    private Runnable removeFirst() {
        Runnable first = actions[0];
        int last = --size;
        long time = times[last];
        long tie = ties[last];
        Runnable action = actions[last];
        actions[last] = null;
        if (last == 0) {
            return first;
        }
        int hole = 0;
        for (int child = 1; child < last; child = 2 * hole + 1) {
            if (child + 1 < last && isBefore(times[child + 1], ties[child + 1], times[child], ties[child])) {
                child++;
            }
            if (isBefore(time, tie, times[child], ties[child])) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, time, tie, action);
        return first;
    }

    private static boolean isBefore(long time, long tie, long otherTime, long otherTie) {
        return time < otherTime || (time == otherTime && tie < otherTie);
    }

    private void move(int from, int to) {
        put(to, times[from], ties[from], actions[from]);
    }

    private void put(int at, long time, long tie, Runnable action) {
        times[at] = time;
        ties[at] = tie;
        actions[at] = action;
    }

    private void grow() {
        times = Arrays.copyOf(times, size * 2);
        ties = Arrays.copyOf(ties, size * 2);
        actions = Arrays.copyOf(actions, size * 2);
    }
}
