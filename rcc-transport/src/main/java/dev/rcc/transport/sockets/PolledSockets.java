package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Worker;

/**
 * The sockets of a worker whose network has none. The worker spins as it does without them, and looks at them by a system call now and then. When it
 * has found nothing to do for a while, it sleeps in them.
 */
final class PolledSockets implements SocketParker {
    private final Worker worker;
    private final SocketLoop sockets = new SocketLoop(SocketTransport.AUTO.resolve());

    PolledSockets(Worker worker) {
        this.worker = worker;
    }

    @Override
    public SocketLoop sockets() {
        return sockets;
    }

    /** {@inheritDoc} Clients need the processor, and wake the worker. */
    @Override
    public boolean spinsFirst(boolean areProcessorsScarce) {
        return !areProcessorsScarce || sockets.isIdle();
    }

    @Override
    public int poll() {
        if (sockets.hasEnded() || sockets.isIdle()) {
            return 0;
        }
        sockets.flush();
        if (sockets.isLookDue(worker.wallNanos())) {
            sockets.runNow();
        }
        return sockets.process();
    }

    @Override
    public void end() {
        if (!sockets.isOver()) {
            sockets.end();
        }
    }
}
