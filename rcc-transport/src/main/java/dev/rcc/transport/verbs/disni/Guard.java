package dev.rcc.transport.verbs.disni;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a native object alive while calls use it: closing the object waits until the last call has left, and later
 * calls are refused. So a queue pair that is closed while another thread posts to it is an exception and not a crash. A call
 * must not close what it is using.
 */
final class Guard {
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long WAIT_NANOS = 20_000;

    private final String what;
    /** Number of calls inside; from {@link #CLOSED} on when closed. */
    private final AtomicInteger state = new AtomicInteger();

    /** For an object that messages call {@code what}. */
    Guard(String what) {
        this.what = what;
    }

    /** A call comes in. Must {@link #exit} if this returns. */
    void enter() throws IOException {
        if (state.incrementAndGet() < 0) {
            state.decrementAndGet();
            throw new IOException("the " + what + " is closed");
        }
    }

    /** A call leaves. */
    void exit() {
        state.decrementAndGet();
    }

    boolean isOpen() {
        return state.get() >= 0;
    }

    /**
     * Closes, and waits until the last call has left.
     *
     * @throws IOException when it was closed before
     */
    void close() throws IOException {
        if (state.getAndUpdate(calls -> calls | CLOSED) < 0) {
            throw new IOException("the " + what + " is closed already");
        }
        while (state.get() != CLOSED) {
            LockSupport.parkNanos(this, WAIT_NANOS);
        }
    }
}
