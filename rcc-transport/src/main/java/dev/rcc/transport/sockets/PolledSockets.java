package dev.rcc.transport.sockets;

import dev.rcc.core.worker.Worker;
import java.util.concurrent.TimeUnit;

/**
 * The sockets of a worker whose network has none. It spins as it does without them, and looks at them by a system call now and then; when it has
 * found nothing to do for a while it sleeps in them.
 */
final class PolledSockets implements SocketParker {
    /** A look takes half a microsecond, which is one in a hundred of these. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Worker worker;
    private final SocketLoop sockets = new SocketLoop(SocketTransport.AUTO.resolve());
    private long lookedNanos;

    PolledSockets(Worker worker) {
        this.worker = worker;
    }

    @Override
    public SocketLoop sockets() {
        return sockets;
    }

    @Override
    public boolean spinsFirst() {
        return true;
    }

    @Override
    public int poll() {
        if (sockets.hasEnded() || sockets.isIdle()) {
            return 0;
        }
        sockets.flush();
        long now = worker.wallNanos(); // as of the beginning of the turn: no clock is read for it
        if (Math.abs(now - lookedNanos) >= LOOK_NANOS) {
            lookedNanos = now;
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
