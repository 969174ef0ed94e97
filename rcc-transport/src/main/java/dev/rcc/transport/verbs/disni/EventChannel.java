package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.RdmaEventChannel;
import dev.rcc.transport.verbs.rdmacm.CmLibrary;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** A channel for the connection manager's events, and the ids whose events go there. */
final class EventChannel extends RdmaEventChannel {
    private final long address;
    private final Guard guard = new Guard("event channel");
    private final ConcurrentHashMap<Long, CmId> ids = new ConcurrentHashMap<>();
    /** The thread that last asked for an event. */
    private volatile Thread listener;

    EventChannel(long address) throws IOException {
        super(CmLibrary.descriptor(address));
        this.address = address;
    }

    long address() {
        return address;
    }

    Guard guard() {
        return guard;
    }

    void add(CmId id) {
        ids.put(id.address(), id);
    }

    void remove(CmId id) {
        ids.remove(id.address(), id);
    }

    /** The id with this address, or null. */
    CmId id(long idAddress) {
        return ids.get(idAddress);
    }

    boolean hasIds() {
        return !ids.isEmpty();
    }

    List<CmId> ids() {
        return List.copyOf(ids.values());
    }

    /** Records that the calling thread waits for events. */
    void listens() {
        listener = Thread.currentThread();
    }

    /** Whether another thread waits for events, so that the calling thread may wait for their effects. */
    boolean isHeardByAnother() {
        Thread thread = listener;
        return thread != null && !thread.equals(Thread.currentThread()) && thread.isAlive();
    }
}
