package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Parker;
import dev.rcc.core.worker.Worker;

/** The parker of a worker whose sockets wake it. */
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
     * The sockets that a worker polls: its network's sockets, if the network uses sockets, or else sockets of its own. May be called on any thread.
     *
     * @throws IllegalStateException when the worker sleeps in a parker without sockets
     */
    static SocketLoop of(Worker worker) {
        Parker parker = worker.parker(() -> new PolledSockets(worker));
        if (parker instanceof SocketParker sockets) {
            worker.addPoller(parker);
            return sockets.sockets();
        }
        throw new IllegalStateException("worker " + worker.index() + " of node " + worker.node()
                + " sleeps in a parker without sockets: " + parker);
    }
}
