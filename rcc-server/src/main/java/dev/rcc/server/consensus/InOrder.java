package dev.rcc.server.consensus;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks one after the other, in the order in which they came, each on a thread of another executor. A task that does not end holds the
 * next one up for a limited time only: then the next one begins nevertheless. A task that throws ends, too. So the order is a help, and
 * callers must be correct without it. For any thread.
 */
final class InOrder implements Executor {
    private final Executor threads;
    private final long limitNanos;
    /** Completed when the last task that came is over, or has been waited for long enough. */
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /**
     * An executor without tasks.
     *
     * @param threads run all tasks
     * @param limit how long a task waits at most for the task before, from when it came
     */
    InOrder(Executor threads, Duration limit) {
        this.threads = threads;
        this.limitNanos = limit.toNanos();
    }

    @Override
    public void execute(Runnable task) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<Void> before;
        synchronized (this) {
            before = last;
            last = over;
        }
        if (!before.isDone()) {
            before.completeOnTimeout(null, limitNanos, TimeUnit.NANOSECONDS);
        }
        CompletableFuture<Void> _ = before.thenRunAsync(
                () -> {
                    try {
                        task.run();
                    } finally {
                        over.complete(null);
                    }
                },
                threads);
    }
}
