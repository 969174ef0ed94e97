package dev.rcc.transport;

import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A worker that does a step only when the test calls for it: the test's thread plays all workers of a cluster. */
public final class ManualWorker implements Worker {
    private final int node;
    private final int index;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<Poller> pollers = new ArrayList<>();

    /** The result of {@link #wallNanos}. */
    public long wallNanos;

    /** The number of wake-ups. */
    public final AtomicInteger wakeUps = new AtomicInteger();

    public ManualWorker(int node, int index) {
        this.node = node;
        this.index = index;
    }

    /** Runs the tasks that other threads have sent. */
    public void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Polls once. */
    public int poll() {
        int work = 0;
        for (Poller poller : pollers) {
            work += poller.poll();
        }
        return work;
    }

    /** Arms the pollers, like a worker that is about to park, without the last poll. */
    public void arm() {
        pollers.forEach(Poller::arm);
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
        return 0;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }

    @Override
    public long random() {
        return 0;
    }

    @Override
    public void compute(long nanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void spawn(int coroutineId, Consumer<Coroutine> body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void addPoller(Poller poller) {
        pollers.add(poller);
    }

    @Override
    public void wakeUp() {
        wakeUps.incrementAndGet();
    }
}
