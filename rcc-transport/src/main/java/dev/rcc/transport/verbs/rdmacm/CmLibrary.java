package dev.rcc.transport.verbs.rdmacm;

import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.NativeFunction;
import dev.rcc.transport.verbs.ibv.NativeLibrary;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/**
 * The functions of {@code librdmacm.so.1}, with their names there without {@code rdma_}. An id, a channel or an event is the
 * address of its struct, and must be valid.
 */
public final class CmLibrary {
    /** The port space of reliable connections. */
    public static final int PS_TCP = 0x0106;
    /** The port space of datagrams. */
    public static final int PS_UDP = 0x0111;
    /**
     * For {@code responder_resources} and {@code initiator_depth}: as many READs and atomics at a time as the device can do;
     * when accepting, as many as both sides' devices can do.
     */
    public static final int AS_MANY_AS_POSSIBLE = 0xFF;

    private static final String REMEDY =
            "install rdma-core's connection manager (Debian, Ubuntu: librdmacm1; Fedora, RHEL: librdmacm)";
    private static final String NO_CHANNEL = "; the kernel's module rdma_ucm must be loaded (modprobe rdma_ucm), and"
            + " /dev/infiniband/rdma_cm must be readable and writable";

    private static CmLibrary loaded;

    private final NativeFunction createEventChannel;
    private final NativeFunction destroyEventChannel;
    private final NativeFunction getCmEvent;
    private final NativeFunction ackCmEvent;
    private final NativeFunction createId;
    private final NativeFunction destroyId;
    private final NativeFunction bindAddr;
    private final NativeFunction listen;
    private final NativeFunction resolveAddr;
    private final NativeFunction resolveRoute;
    private final NativeFunction createQp;
    private final NativeFunction destroyQp;
    private final NativeFunction connect;
    private final NativeFunction accept;
    private final NativeFunction reject;
    private final NativeFunction disconnect;

    private CmLibrary(NativeLibrary library) {
        createEventChannel = library.pointerFunction("rdma_create_event_channel", 0);
        destroyEventChannel = library.voidFunction("rdma_destroy_event_channel", 1);
        getCmEvent = library.intFunction("rdma_get_cm_event", 2);
        ackCmEvent = library.intFunction("rdma_ack_cm_event", 1);
        createId = library.intFunction("rdma_create_id", 4);
        destroyId = library.intFunction("rdma_destroy_id", 1);
        bindAddr = library.intFunction("rdma_bind_addr", 2);
        listen = library.intFunction("rdma_listen", 2);
        resolveAddr = library.intFunction("rdma_resolve_addr", 4);
        resolveRoute = library.intFunction("rdma_resolve_route", 2);
        createQp = library.intFunction("rdma_create_qp", 3);
        destroyQp = library.voidFunction("rdma_destroy_qp", 1);
        connect = library.intFunction("rdma_connect", 2);
        accept = library.intFunction("rdma_accept", 2);
        reject = library.intFunction("rdma_reject", 3);
        disconnect = library.intFunction("rdma_disconnect", 1);
    }

    /**
     * Loads the library until the process ends.
     *
     * @throws dev.rcc.transport.verbs.ibv.VerbsUnavailable when it is missing or another version
     */
    public static synchronized CmLibrary load() {
        if (loaded == null) {
            loaded = new CmLibrary(NativeLibrary.open("librdmacm.so.1", REMEDY));
        }
        return loaded;
    }

    /** Opens a channel for events; its descriptor does not block. */
    public long createEventChannel() {
        long channel;
        try {
            channel = createEventChannel.pointer();
        } catch (VerbsException e) {
            throw new VerbsException("rdma_create_event_channel", e.errno(), NO_CHANNEL);
        }
        FileDescriptors.setNonBlocking(descriptor(channel));
        return channel;
    }

    /** Closes a channel, which must not have any ids. */
    public void destroyEventChannel(long channel) {
        destroyEventChannel.call(channel);
    }

    /** The channel's file descriptor. */
    public static int descriptor(long channel) {
        return Raw.getInt(channel, 0); // struct rdma_event_channel { int fd; };
    }

    /** Takes the next event off a channel; 0 if there is none. The caller must acknowledge it with {@link #ackCmEvent}. */
    public long getCmEvent(long channel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(ValueLayout.JAVA_LONG);
            int error = getCmEvent.errorOf(channel, event.address());
            if (error == Errno.EAGAIN || error == Errno.EINTR) {
                return 0;
            }
            if (error != 0) {
                throw new VerbsException("rdma_get_cm_event", error);
            }
            return event.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Acknowledges an event and frees it; before that, its id cannot be destroyed. */
    public void ackCmEvent(long event) {
        ackCmEvent.check(event);
    }

    /** Creates an id whose events go to {@code channel}. */
    public long createId(long channel, int portSpace) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
            createId.check(channel, id.address(), 0, portSpace);
            return id.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Destroys an id, which must not have a queue pair. Waits until all its events were acknowledged. */
    public void destroyId(long id) {
        destroyId.check(id);
    }

    /** Binds an id to an address of this host and, unless that is the wildcard, to its device. */
    public void bindAddr(long id, InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            bindAddr.check(id, SockAddr.allocate(arena, address).address());
        }
    }

    /** Listens for connection requests. */
    public void listen(long id, int backlog) {
        listen.check(id, backlog);
    }

    /** Starts to look for the device that leads to {@code destination}; ends in an event. {@code source} may be null. */
    public void resolveAddr(long id, InetSocketAddress source, InetSocketAddress destination, int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            long from = source == null ? 0 : SockAddr.allocate(arena, source).address();
            resolveAddr.check(id, from, SockAddr.allocate(arena, destination).address(), timeoutMillis);
        }
    }

    /** Starts to look for the route to the resolved address; ends in an event. */
    public void resolveRoute(long id, int timeoutMillis) {
        resolveRoute.check(id, timeoutMillis);
    }

    /** Creates the id's queue pair as {@code initAttr} specifies, and writes the actual sizes to {@code initAttr}. */
    public void createQp(long id, long pd, long initAttr) {
        createQp.check(id, pd, initAttr);
    }

    /** Destroys the id's queue pair. */
    public void destroyQp(long id) {
        destroyQp.call(id);
    }

    /** Asks for a connection; ends in an event. */
    public void connect(long id, long connParam) {
        connect.check(id, connParam);
    }

    /** Accepts a requested connection; ends in an event. */
    public void accept(long id, long connParam) {
        accept.check(id, connParam);
    }

    /** Rejects a requested connection. */
    public void reject(long id) {
        reject.check(id, 0, 0);
    }

    /**
     * Closes a connection; ends in an event on both sides.
     *
     * @return 0, or the platform's error number, for example when the peer has closed it first
     */
    public int disconnect(long id) {
        return disconnect.errorOf(id);
    }
}
