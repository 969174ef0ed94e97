package dev.rcc.bench.agent;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The driver's end of a {@link DriverLease}: notices that the node's process is silent. A process that is stopped or hangs keeps its connections open,
 * and would be waited for without end.
 */
final class LeaseWatch implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;
    /** A look that comes later than this shows that this process itself did not run. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(5 * LOOK_MILLIS);

    private final InputStream beats;
    private final long silenceNanos;
    private final Runnable whenSilent;
    private final CountDownLatch watched = new CountDownLatch(1);
    private volatile long heardNanos = System.nanoTime();

    /**
     * Begins to listen.
     *
     * @param beats the node's answer to the request for the lease
     * @param silence how long the node may be silent
     * @param whenSilent is called once, on a thread of the watch, when the node has been silent for so long
     */
    LeaseWatch(InputStream beats, Duration silence, Runnable whenSilent) {
        this.beats = beats;
        this.silenceNanos = silence.toNanos();
        this.whenSilent = whenSilent;
        Thread.startVirtualThread(this::listen);
        Thread.startVirtualThread(this::watch);
    }

    private void listen() {
        try {
            while (beats.read() >= 0) {
                heardNanos = System.nanoTime();
            }
        } catch (IOException e) {
            // the connection is closed: the next request finds that out
        } finally {
            pardon();
        }
    }

    private void watch() {
        try {
            long lookedNanos = System.nanoTime();
            while (!watched.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                if (now - lookedNanos > LATE_NANOS) {
                    heardNanos = now;
                }
                lookedNanos = now;
                if (now - heardNanos > silenceNanos) {
                    whenSilent.run();
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // this process ends
        }
    }

    /** Lets the node be silent from now on. */
    void pardon() {
        watched.countDown();
    }

    /** Closes the connection. */
    @Override
    public void close() {
        pardon();
        try {
            beats.close();
        } catch (IOException e) {
            // it is closed already
        }
    }
}
