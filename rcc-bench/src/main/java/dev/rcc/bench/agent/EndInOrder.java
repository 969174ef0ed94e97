package dev.rcc.bench.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run end in order when its process is asked to end, by Ctrl-C or SIGTERM: the process ends after the run. The run opens it before it changes
 * anything that it must put right again, and closes it after that.
 */
public final class EndInOrder implements AutoCloseable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable ask;
    private final Duration patience;
    private final Thread hook = new Thread(this::askAndAwait, "rcc-end");

    /**
     * Begins.
     *
     * @param ask has the run end early; called on another thread
     * @param patience the longest time for which the process waits for the run
     * @throws IllegalStateException when the process ends already
     */
    public EndInOrder(Runnable ask, Duration patience) {
        this.ask = ask;
        this.patience = patience;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void askAndAwait() {
        if (ended.getCount() > 0) {
            ask.run();
        }
        try {
            boolean _ = ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process ends, and the hook has waited for this
        }
    }
}
