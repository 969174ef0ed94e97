package dev.rcc.server;

import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.node.ClusterRuntime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Real threads and this machine's time. */
abstract class ThreadRuntime implements ClusterRuntime {
    private static final long POLL_NANOS_MIN = 100_000;
    private static final long POLL_NANOS_MAX = 1_000_000;

    @Override
    public Worker newWorker(int node, int index, long seed) {
        return new EventLoop(node, index, seed);
    }

    @Override
    public void start(Worker worker) {
        ((EventLoop) worker).start();
    }

    @Override
    public void close(Worker worker) {
        ((EventLoop) worker).close();
    }

    @Override
    public void later(Runnable task) {
        Thread.startVirtualThread(task);
    }

    @Override
    public void later(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }

    @Override
    public long birthWallNanos() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    @Override
    public HistoryRecorder recorderOf(int node, HistoryRecorder recorder) {
        return recorder; // all nodes share this machine's clock
    }

    @Override
    public boolean runsOnlyInAwait() {
        return false;
    }

    @Override
    public boolean await(Duration timeout, BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        long pollNanos = POLL_NANOS_MIN; // grows: the threads that are waited for need the processor more
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(pollNanos);
            pollNanos = Math.min(pollNanos + (pollNanos >> 2), POLL_NANOS_MAX);
        }
        return true;
    }
}
