package dev.rcc.core.testing;

import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A worker whose clocks, and optionally random numbers, the test sets. It runs nothing. */
public final class FakeWorker implements Worker {
    /** The random numbers to draw next; then a seeded generator takes over. */
    public final Deque<Long> randoms = new ArrayDeque<>();

    /** The result of {@link #nanoTime}. */
    public long nanoTime;
    /** The result of {@link #wallNanos}. */
    public long wallNanos;

    /** The pollers that were added. */
    public final List<Poller> pollers = new ArrayList<>();
    /** The bodies of spawned coroutines. */
    public final List<Consumer<Coroutine>> spawned = new ArrayList<>();

    private final SplittableRandom random = new SplittableRandom(1);
    private final int node;

    public FakeWorker(int node) {
        this.node = node;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public long nanoTime() {
        return nanoTime;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }

    @Override
    public long random() {
        return randoms.isEmpty() ? random.nextLong() : randoms.remove();
    }

    @Override
    public void compute(long nanos) {
        nanoTime += nanos;
    }

    @Override
    public void spawn(int coroutineId, Consumer<Coroutine> body) {
        spawned.add(body);
    }

    @Override
    public void execute(Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void addPoller(Poller poller) {
        pollers.add(poller);
    }

    @Override
    public void wakeUp() {}
}
