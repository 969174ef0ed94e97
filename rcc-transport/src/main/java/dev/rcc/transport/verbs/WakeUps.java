package dev.rcc.transport.verbs;

import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.EventDescriptor;
import dev.rcc.transport.verbs.ibv.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes sleeping workers when a completion comes. A thread waits for the events of a completion channel. Only queues that a
 * worker armed before it slept have events: a busy node has none.
 */
final class WakeUps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUps.class);

    private final CompletionChannel channel;
    private final Waker waker;
    private final Thread thread;
    private final EventDescriptor end = new EventDescriptor();
    private volatile boolean closed;

    /** Wakes the worker of a completion queue. */
    @FunctionalInterface
    interface Waker {
        /** The completion queue with this cookie has a completion. */
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
                LOG.error(
                        "event=device_event_lost: cannot wait for completion events;"
                                + " sleeping workers wake only by their own timer",
                        e);
                return;
            }
        }
    }
}
