package dev.rcc.bench.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A driver's lease of a node's process. The driver keeps the connection open on which it asked for the lease. So a driver that is killed, and gives
 * nothing back, is noticed: the system closes its connections.
 */
final class DriverLease {
    private static final long BEAT_MILLIS = 1_000;

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Ends the lease. */
    void end() {
        ended.countDown();
    }

    /**
     * Waits until the lease ends.
     *
     * @param out the connection to the driver; gets a byte now and then, since only a write notices that a connection is closed
     * @throws IOException when the driver has closed the connection
     */
    void awaitEnd(OutputStream out) throws IOException {
        try {
            do {
                out.write('.');
                out.flush();
            } while (!ended.await(BEAT_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // this process ends
        }
    }
}
