package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Parker;
import dev.rcc.core.worker.Worker;

/** What a worker sleeps in whose sockets wake it. */
public interface SocketParker extends Parker {
    /** The worker's sockets. */
    SocketLoop sockets();

    @Override
    default void park(long nanos) {
        sockets().park(nanos);
    }

    @Override
    default void unpark() {
        sockets().unpark();
    }

    /**
     * The sockets of a worker, which it polls: its network's, if that is made of sockets, and its own otherwise. May be called on any thread.
     *
     * @throws IllegalStateException when the worker sleeps in what has no sockets
     */
    static SocketLoop of(Worker worker) {
        Parker parker = worker.parker(() -> new PolledSockets(worker));
        if (parker instanceof SocketParker sockets) {
            worker.addPoller(parker);
            return sockets.sockets();
        }
        throw new IllegalStateException(
                "worker " + worker.index() + " of node " + worker.node() + " sleeps in what has no sockets: " + parker);
    }
}
