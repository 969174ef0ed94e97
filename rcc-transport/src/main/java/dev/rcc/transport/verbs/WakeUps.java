package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.EventDescriptor;
import dev.rcc.transport.verbs.ibv.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes workers that sleep when a completion comes. A thread waits for the events of a completion channel, which there are
 * only for queues that a worker armed before it slept: a busy node has none.
 */
final class WakeUps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);

    private final CompletionChannel channel;
    private final Waker waker;
    private final Thread thread;
    private final EventDescriptor end = new EventDescriptor();
    private volatile boolean closed;

    /** The event to signal. */
    @FunctionalInterface
    interface Waker {
        /** A completion queue with that cookie has something. */
        void wakeUp(int cookie);
    }

    WakeUps(int node, CompletionChannel channel, Waker waker) {
        this.channel = channel;
        this.waker = waker;
        this.thread = new Thread(this::run, "rcc-node" + node + "-verbs-events");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        end.tell();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        end.close();
    }

    private void run() {
        while (!closed) {
            try {
                if (channel.await(end)) {
                    waker.wakeUp((int) channel.next());
                }
            } catch (VerbsException e) {
                LOG.error("event=device_event_lost: workers that sleep poll by themselves", e);
                return;
            }
        }
    }
}
