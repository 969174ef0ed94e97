package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.rcc.transport.verbs.ibv.Raw;
import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import dev.rcc.transport.verbs.rdmacm.CmEventLayout;
import dev.rcc.transport.verbs.rdmacm.CmEventType;
import dev.rcc.transport.verbs.rdmacm.CmIdLayout;
import dev.rcc.transport.verbs.rdmacm.CmLibrary;
import dev.rcc.transport.verbs.rdmacm.ConnParamLayout;
import dev.rcc.transport.verbs.rdmacm.FileDescriptors;
import dev.rcc.transport.verbs.rdmacm.SockAddr;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DiSNI's connection manager, on librdmacm. */
final class Cm extends RdmaCm {
    private static final Logger LOG = LoggerFactory.getLogger(Cm.class);

    /** The default time-out for resolving an address: a caller should not wait for ever. */
    private static final int RESOLVE_MILLIS = 10_000;

    private final CmLibrary library;
    private final VerbsLibrary verbs;
    /** The devices that librdmacm has opened, which it never closes, by the addresses of their contexts. */
    private final Map<Long, Context> contexts = new HashMap<>();

    Cm(CmLibrary library, VerbsLibrary verbs) {
        this.library = library;
        this.verbs = verbs;
    }

    /** The one object for a device as librdmacm opened it. Memory registered on another opening would not work with its queue pairs. */
    synchronized Context context(long address) throws IOException {
        Context context = contexts.get(address);
        if (context == null) {
            context = Native.call("use the RDMA device", () -> new Context(verbs.adopt(address)));
            contexts.put(address, context);
        }
        return context;
    }

    // Channels and their events.

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return Native.call("manage RDMA connections", () -> new EventChannel(library.createEventChannel()));
    }

    /** Also destroys the ids that are left on the channel. */
    @Override
    public int destroyEventChannel(RdmaEventChannel cmChannel) throws IOException {
        EventChannel channel = Native.ours(EventChannel.class, cmChannel);
        channel.guard().close();
        channel.close();
        for (CmId id : channel.ids()) {
            destroyCmId(id);
        }
        Native.run("close the event channel", () -> library.destroyEventChannel(channel.address()));
        return 0;
    }

    /**
     * {@inheritDoc}
     *
     * @return null when the time is over; also when it is infinite, but the channel has no ids left whose events could come
     */
    @Override
    public RdmaCmEvent getCmEvent(RdmaEventChannel cmChannel, int timeoutMillis) throws IOException {
        EventChannel channel = Native.ours(EventChannel.class, cmChannel);
        channel.listens();
        Patience patience = new Patience(timeoutMillis);
        while (true) {
            channel.guard().enter();
            try {
                if (FileDescriptors.await(channel.getFd(), patience.sliceMillis())) {
                    RdmaCmEvent event = Native.call("get an event", () -> take(channel));
                    if (event != null) {
                        return event;
                    }
                }
            } finally {
                channel.guard().exit();
            }
            if (patience.isOver(channel.hasIds())) {
                return null;
            }
        }
    }

    /** Takes the next event of a channel; null if there is none, or if it is for no id of the channel. */
    private CmEvent take(EventChannel channel) throws IOException {
        long event = library.getCmEvent(channel.address());
        if (event == 0) {
            return null; // another thread was faster
        }
        CmEventType type = CmEventType.of(Raw.getInt(event, CmEventLayout.EVENT));
        long idAddress = Raw.getLong(event, CmEventLayout.ID);
        CmId listenId = channel.id(Raw.getLong(event, CmEventLayout.LISTEN_ID));
        CmId id;
        CmEvent copy;
        try {
            id = type == CmEventType.CONNECT_REQUEST ? new CmId(this, channel, idAddress) : channel.id(idAddress);
            boolean isForDatagrams = Raw.getInt(idAddress, CmIdLayout.PS) == CmLibrary.PS_UDP;
            copy = new CmEvent(type, event, listenId, id, isForDatagrams);
        } finally {
            library.ackCmEvent(event); // now, as its id cannot be destroyed before
        }
        if (id == null || (type == CmEventType.CONNECT_REQUEST && listenId == null)) {
            LOG.debug("no listener for {}", type.text());
            if (id != null) {
                library.reject(id.address());
                destroyCmId(id);
            }
            return null;
        }
        id.lookUpDevice();
        id.happens(type, copy.getStatus());
        if (type.isFailure()) {
            LOG.debug("connection manager: {}", id.failure());
        }
        return copy;
    }

    /** Does nothing: an event is acknowledged before it is returned. */
    @Override
    public int ackCmEvent(RdmaCmEvent cmEvent) {
        return 0;
    }

    // Ids.

    @Override
    public RdmaCmId createId(RdmaEventChannel cmChannel, short portSpace) throws IOException {
        EventChannel channel = Native.ours(EventChannel.class, cmChannel);
        channel.guard().enter();
        try {
            return Native.call(
                    "create an id", () -> new CmId(this, channel, library.createId(channel.address(), portSpace)));
        } finally {
            channel.guard().exit();
        }
    }

    /** Also destroys the id's queue pair, if it still has one. */
    @Override
    public int destroyCmId(RdmaCmId cmId) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        id.guard().close();
        id.close();
        id.ends();
        Qp qp = id.openQp();
        if (qp != null) {
            qp.destroy(() -> library.destroyQp(id.address()));
        }
        id.channel().remove(id);
        Native.run("destroy the id", () -> library.destroyId(id.address()));
        return 0;
    }

    @Override
    public int destroyEp(RdmaCmId cmId) throws IOException {
        return destroyCmId(cmId);
    }

    @Override
    public void bindAddr(RdmaCmId cmId, SocketAddress address) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        InetSocketAddress ip = ip(address);
        if (SockAddr.isWildcard(ip)) {
            id.bindsToWildcard();
        }
        Native.run("bind to " + ip, id.guard(), () -> library.bindAddr(id.address(), ip));
        id.lookUpDevice();
    }

    @Override
    public void listen(RdmaCmId cmId, int backlog) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        Native.run("listen", id.guard(), () -> library.listen(id.address(), backlog));
    }

    @Override
    public void resolveAddr(RdmaCmId cmId, SocketAddress source, SocketAddress destination, int timeoutMillis)
            throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        InetSocketAddress from = source == null ? null : ip(source);
        InetSocketAddress to = ip(destination);
        id.setTimeoutMillis(timeoutMillis);
        Native.run(
                "resolve " + to, id.guard(), () -> library.resolveAddr(id.address(), from, to, finite(timeoutMillis)));
    }

    @Override
    public void resolveRoute(RdmaCmId cmId, int timeoutMillis) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        id.setTimeoutMillis(timeoutMillis);
        Native.run("resolve the route", id.guard(), () -> library.resolveRoute(id.address(), finite(timeoutMillis)));
    }

    private static int finite(int timeoutMillis) {
        return timeoutMillis > 0 ? timeoutMillis : RESOLVE_MILLIS;
    }

    private static InetSocketAddress ip(SocketAddress address) throws IOException {
        if (!(address instanceof InetSocketAddress ip)) {
            throw new IOException("an IP address and a port are needed, got " + address);
        }
        if (ip.isUnresolved()) {
            throw new IOException("the host name " + ip.getHostString() + " is not known");
        }
        return ip;
    }

    @Override
    public SocketAddress getSrcAddr(RdmaCmId cmId) throws IOException {
        return address(Native.ours(CmId.class, cmId), CmIdLayout.SRC_ADDR);
    }

    @Override
    public SocketAddress getDstAddr(RdmaCmId cmId) throws IOException {
        return address(Native.ours(CmId.class, cmId), CmIdLayout.DST_ADDR);
    }

    private static SocketAddress address(CmId id, int offset) throws IOException {
        id.guard().enter();
        try {
            return SockAddr.read(id.address() + offset);
        } finally {
            id.guard().exit();
        }
    }

    // Connections.

    /**
     * {@inheritDoc} If another thread waits for the channel's events, as in DiSNI's endpoint groups, this waits until the
     * connection is established, and throws if it fails: the endpoint itself would wait for ever.
     */
    @Override
    public void connect(RdmaCmId cmId, RdmaConnParam connParam) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        String whereTo = String.valueOf(getDstAddr(id));
        String failure = id.failure();
        if (!failure.isEmpty()) {
            throw new IOException("no connection to " + whereTo + ": " + failure);
        }
        Native.run("connect to " + whereTo, id.guard(), () -> withParam(connParam, library::connect, id));
        if (id.channel().isHeardByAnother()) {
            id.awaitConnected(whereTo);
        }
    }

    @Override
    public void accept(RdmaCmId cmId, RdmaConnParam connParam) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        Native.run("accept a connection", id.guard(), () -> withParam(connParam, library::accept, id));
    }

    /** A function that takes an id and parameters. */
    @FunctionalInterface
    private interface Connecting {
        void call(long id, long connParam);
    }

    private static void withParam(RdmaConnParam from, Connecting connecting, CmId id) {
        try (Arena arena = Arena.ofConfined()) {
            long param = arena.allocate(ConnParamLayout.BYTES, Long.BYTES).address();
            Raw.putLong(param, ConnParamLayout.PRIVATE_DATA, from.getPrivate_data());
            Raw.putByte(param, ConnParamLayout.PRIVATE_DATA_LEN, from.getPrivate_data_len());
            // DiSNI cannot set these two; without them, a connection does neither READs nor atomics.
            Raw.putByte(param, ConnParamLayout.RESPONDER_RESOURCES, orMost(from.getResponder_resources()));
            Raw.putByte(param, ConnParamLayout.INITIATOR_DEPTH, orMost(from.getInitiator_depth()));
            Raw.putByte(param, ConnParamLayout.FLOW_CONTROL, from.getFlow_control());
            Raw.putByte(param, ConnParamLayout.RETRY_COUNT, from.getRetry_count());
            Raw.putByte(param, ConnParamLayout.RNR_RETRY_COUNT, from.getRnr_retry_count());
            connecting.call(id.address(), param);
        }
    }

    private static int orMost(byte requested) {
        return requested == 0 ? CmLibrary.AS_MANY_AS_POSSIBLE : requested;
    }

    /**
     * {@inheritDoc}
     *
     * @return 0, or the platform's error number, for example when the peer has closed the connection first
     */
    @Override
    public int disconnect(RdmaCmId cmId) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        id.guard().enter();
        try {
            return library.disconnect(id.address());
        } finally {
            id.guard().exit();
        }
    }

    @Override
    public IbvQP createQP(RdmaCmId cmId, IbvPd ibvPd, IbvQPInitAttr attr) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        if (id.openQp() != null) {
            throw new IOException("the id has a queue pair already");
        }
        id.guard().enter();
        try {
            Qp qp = QpFactory.create(ibvPd, attr, (pd, initAttr) -> {
                library.createQp(id.address(), pd, initAttr);
                return Raw.getLong(id.address(), CmIdLayout.QP);
            });
            id.take(qp);
            return qp;
        } finally {
            id.guard().exit();
        }
    }

    /** {@inheritDoc} Does nothing if the id never had a queue pair, as DiSNI does not check that. */
    @Override
    public int destroyQP(RdmaCmId cmId) throws IOException {
        CmId id = Native.ours(CmId.class, cmId);
        if (id.getQp() instanceof Qp qp) {
            id.guard().enter();
            try {
                qp.destroy(() -> library.destroyQp(id.address()));
            } finally {
                id.guard().exit();
            }
        }
        return 0;
    }
}
