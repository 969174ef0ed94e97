package dev.rcc.transport.verbs.ibv;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A resource that the library made and that must be closed: an open device, a protection domain, a queue pair. It
 * records the resources that it depends on, and those that depend on it. It cannot be closed while a resource depends on it,
 * nor used after it is closed. Made and closed on any thread.
 */
public abstract class VerbsResource implements AutoCloseable {
    /** Guards the making and closing of all resources, which is rare. */
    private static final Object LIFECYCLE = new Object();

    private final String what;
    private final VerbsResource[] foundations;
    /** The resources that depend on this, in the order of making. */
    private final Set<VerbsResource> users = new LinkedHashSet<>();

    private volatile long address;

    /**
     * Takes a struct that the library made.
     *
     * @param what its name for messages
     * @param address the struct's address
     * @param foundations the resources that must stay open while this is open
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
     * The address of the library's struct.
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
     * Closes the resource. A second call does nothing.
     *
     * @throws IllegalStateException when a resource that depends on it is still open; nothing happens then
     */
    @Override
    public final void close() {
        synchronized (LIFECYCLE) {
            if (address == 0) {
                return;
            }
            if (!users.isEmpty()) {
                throw new IllegalStateException(
                        what + " cannot be closed: close the resources that use it first: " + users);
            }
            destroy(address);
            address = 0;
            for (VerbsResource foundation : foundations) {
                foundation.users.remove(this);
            }
        }
    }

    /** Closes all resources that depend on this, then this. */
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

    /** Has the library free its struct. */
    abstract void destroy(long structAddress);

    private IllegalStateException closed() {
        return new IllegalStateException(what + " is closed");
    }
}
