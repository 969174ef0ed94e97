package dev.rcc.transport.verbs.disni;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a native object alive while calls use it: closing the object waits until the last call has left, and later
 * calls are refused. So closing a queue pair while another thread posts to it causes an exception and not a crash. A call
 * must not close the object that it uses.
 */
final class Guard {
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long WAIT_NANOS = 20_000;

    private final String what;
    /** Number of calls inside; counted from {@link #CLOSED} when closed. */
    private final AtomicInteger state = new AtomicInteger();

    /** A guard of an object that messages call {@code what}. */
    Guard(String what) {
        this.what = what;
    }

    /** Begins a call. The caller must {@link #exit} if this returns. */
    void enter() throws IOException {
        if (state.incrementAndGet() < 0) {
            state.decrementAndGet();
            throw new IOException("the " + what + " is closed");
        }
    }

    /** Ends a call. */
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
