package dev.rcc.transport.verbs.ibv;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Something that the library made and that has to be given back: an open device, a protection domain, a queue pair. It
 * knows what it is built on, and what is built on it: closing it while something is built on it is refused, and using it
 * after that too. Made and closed on any thread.
 */
public abstract class VerbsResource implements AutoCloseable {
    /** Guards the making and closing of all resources, which is rare. */
    private static final Object LIFECYCLE = new Object();

    private final String what;
    private final VerbsResource[] foundations;
    /** What is built on this, in the order of making. */
    private final Set<VerbsResource> users = new LinkedHashSet<>();

    private volatile long address;

    /**
     * Takes what the library made.
     *
     * @param what its name for messages
     * @param address where it is
     * @param foundations what has to stay open while this is
     */
    VerbsResource(String what, long address, VerbsResource... foundations) {
        this.what = what;
        this.foundations = foundations;
        this.address = address;
        synchronized (LIFECYCLE) {
            for (VerbsResource foundation : foundations) {
                foundation.users.add(this);
            }
        }
    }

    /**
     * Where the library's struct is.
     *
     * @throws IllegalStateException when this is closed
     */
    public final long address() {
        long here = address;
        if (here == 0) {
            throw closed();
        }
        return here;
    }

    /** Whether {@link #close} has been called. */
    public final boolean isClosed() {
        return address == 0;
    }

    /**
     * Gives it back. A second call does nothing.
     *
     * @throws IllegalStateException when something that is built on it is still open; nothing happens then
     */
    @Override
    public final void close() {
        synchronized (LIFECYCLE) {
            if (address == 0) {
                return;
            }
            if (!users.isEmpty()) {
                throw new IllegalStateException(
                        what + " cannot be closed: what is built on it must be closed first, " + users);
            }
            destroy(address);
            address = 0;
            for (VerbsResource foundation : foundations) {
                foundation.users.remove(this);
            }
        }
    }

    /** Gives back everything that is built on this, then this. */
    public final void closeAll() {
        synchronized (LIFECYCLE) {
            for (VerbsResource user : List.copyOf(users)) {
                user.closeAll();
            }
            close();
        }
    }

    @Override
    public final String toString() {
        return isClosed() ? what + " (closed)" : what;
    }

    /** Gives the library's struct back. */
    abstract void destroy(long structAddress);

    private IllegalStateException closed() {
        return new IllegalStateException(what + " is closed");
    }
}
