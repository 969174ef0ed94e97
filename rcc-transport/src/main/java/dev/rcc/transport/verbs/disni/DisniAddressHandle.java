package dev.rcc.transport.verbs.disni;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The path to a remote port, for datagrams. DiSNI's work requests have an {@code int} for it where verbs have a pointer, so
 * they name it by {@link #number}. May be used on any thread; must not be closed while datagrams that use it are being posted.
 */
public final class DisniAddressHandle implements AutoCloseable {
    private static final ConcurrentHashMap<Integer, DisniAddressHandle> HANDLES = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST_NUMBER = new AtomicInteger();

    private final int number = LAST_NUMBER.incrementAndGet();
    private final long address;
    private final Native.Action destroyer;
    private volatile boolean open = true;

    DisniAddressHandle(long address, Native.Action destroyer) {
        this.address = address;
        this.destroyer = destroyer;
        HANDLES.put(number, this);
    }

    static DisniAddressHandle byNumber(int number) throws IOException {
        DisniAddressHandle handle = HANDLES.get(number);
        if (handle == null) {
            throw new IOException("there is no address handle with number " + number
                    + ": a datagram's is made by DisniExtensions.createAh");
        }
        return handle;
    }

    /** The number to pass to {@code IbvSendWR.Ud.setAh}. */
    public int number() {
        return number;
    }

    long address() {
        return address;
    }

    boolean isOpen() {
        return open;
    }

    /** Destroys the handle. A second call does nothing. */
    @Override
    public synchronized void close() throws IOException {
        if (open) {
            open = false;
            HANDLES.remove(number);
            Native.run("destroy an address handle", destroyer);
        }
    }
}
