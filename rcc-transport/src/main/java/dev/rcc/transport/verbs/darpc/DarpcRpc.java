package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCProtocol;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.disni.DisniProvider;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.Gid;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries calls by DaRPC. A node listens on the IP address that its port's global identifier stands for; each worker
 * of each node has a connection to every node. When a peer goes, the outstanding calls to it fail. When a connection breaks,
 * its outstanding and later calls fail until the peer is connected anew, which it asks for ({@link RpcSetting#whenBroken}).
 */
public final class DarpcRpc implements RpcTransport {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcRpc.class);

    /** The time between two checks of DaRPC's threads whether they must end. */
    static final int LOOK_MILLIS = 100;

    private static final int IP_BYTES = 16;
    private static final byte MOST_RETRIES = 7;
    private static final long CLOSE_SECONDS = 30;
    private static final int CQ_ENTRIES_PER_CALL = 2;

    private final RpcSetting setting;
    private final DarpcOptions options;
    private final InetSocketAddress address;
    private final int inlineBytes;
    private final List<DarpcChannel> channels = new ArrayList<>();
    private final ExecutorService closer;
    private DarpcServer server;
    private DaRPCClientGroup<DarpcMessage, DarpcMessage> clients;

    /** Carries calls with default options. */
    public DarpcRpc(RpcSetting setting) {
        this(setting, DarpcOptions.DEFAULT);
    }

    /**
     * Carries calls.
     *
     * @throws VerbsUnavailable when the port has no IP address, by which DaRPC connects
     */
    public DarpcRpc(RpcSetting setting, DarpcOptions options) {
        this.setting = setting;
        this.options = options;
        this.address = new InetSocketAddress(ip(setting), 0);
        this.inlineBytes = Math.min(options.inlineBytes(), setting.device().maxInline());
        DisniProvider.install();
        this.closer = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "rcc-node" + setting.node() + "-darpc-close");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // after the shutdown, the groups close remaining connections
    }

    private static InetAddress ip(RpcSetting setting) {
        Gid gid = setting.gid();
        byte[] bytes = ByteBuffer.allocate(IP_BYTES)
                .putLong(gid.high())
                .putLong(gid.low())
                .array();
        InetAddress ip;
        try {
            ip = InetAddress.getByAddress(bytes); // an IPv4 address if the GID is an IPv4-mapped one
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are no IPv6 address", e);
        }
        if (gid.kind() != Gid.Kind.ROCE_V2 || ip.isLinkLocalAddress()) {
            throw new VerbsUnavailable("rpc=darpc connects by IP addresses, and GID " + gid + " of device "
                    + setting.device().name()
                    + " is not an address that peers can connect to: give the interface an IP address, choose"
                    + " a RoCE v2 GID by gid-index, or use rpc=ud");
        }
        return ip;
    }

    @Override
    public RpcChannel open(
            Worker worker, Memory buffers, MemoryRegion region, CompletionChannel channel, RpcHandlers handlers) {
        DarpcChannel opened = new DarpcChannel(worker, buffers, handlers, options, setting.nodes(), setting.gates());
        channels.add(opened);
        return opened;
    }

    /** {@inheritDoc} Starts to listen. The description is the 16 bytes of the IP address, and the port. */
    @Override
    public byte[] describe() {
        if (server == null) {
            listen();
        }
        try {
            InetSocketAddress listening = server.address();
            return ByteBuffer.allocate(IP_BYTES + Integer.BYTES)
                    .putLong(setting.gid().high())
                    .putLong(setting.gid().low())
                    .putInt(listening.getPort())
                    .array();
        } catch (Exception e) {
            throw new IllegalStateException("DaRPC does not listen on " + address, e);
        }
    }

    private void listen() {
        try {
            clients = DaRPCClientGroup.createClientGroup(
                    new Messages(), LOOK_MILLIS, inlineBytes, options.pipeline(), options.pipeline());
            clients.getConnParam().setRetry_count(MOST_RETRIES);
            clients.getConnParam().setRnr_retry_count(MOST_RETRIES);
            server = new DarpcServer(
                    setting.node(),
                    address,
                    channels.toArray(DarpcChannel[]::new),
                    options,
                    connectionsPerThread(),
                    inlineBytes,
                    closer);
        } catch (Exception e) {
            throw new VerbsUnavailable("DaRPC cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Twice as many connections as the workers of all nodes make, if the device can: old ones are closed while new ones are made. */
    private int connectionsPerThread() {
        int wanted = 2 * setting.nodes();
        int entries = CQ_ENTRIES_PER_CALL * options.pipeline();
        int possible = setting.device().attributes().cqEntriesMax() / entries;
        if (possible < setting.nodes()) {
            throw new IllegalArgumentException("device " + setting.device().name() + " has completion queues for "
                    + possible + " connections of darpc-calls-per-peer " + options.callsPerPeer() + " and there are "
                    + setting.nodes() + " nodes: lower darpc-calls-per-peer");
        }
        return Math.min(wanted, possible);
    }

    /** Makes the messages from which the clients' group takes the length of messages. */
    private final class Messages implements DaRPCProtocol<DarpcMessage, DarpcMessage> {
        @Override
        public DarpcMessage createRequest() {
            return new DarpcRequest(options.messageBytesMax());
        }

        @Override
        public DarpcMessage createResponse() {
            return new DarpcRequest.Response(options.messageBytesMax());
        }
    }

    /**
     * {@inheritDoc} Waits for the connections, one for each worker.
     *
     * @throws UncheckedIOException when a connection cannot be made
     */
    @Override
    public Prepared prepare(int peer, int link, byte[] description) {
        InetSocketAddress there = read(description);
        Connections made = new Connections(peer);
        for (DarpcChannel channel : channels) {
            DaRPCClientEndpoint<DarpcMessage, DarpcMessage> endpoint = null;
            try {
                endpoint = clients.createEndpoint();
                endpoint.connect(there, options.connectMillis());
                if (!endpoint.isConnected()) {
                    throw new IOException("node " + peer + " at " + there + " closed the connection");
                }
                made.ofChannel.add(new DarpcConnection(
                        peer,
                        link,
                        channel.worker(),
                        setting.incarnation(),
                        channel.buffers(),
                        options,
                        setting.whenBroken(),
                        endpoint));
            } catch (Exception e) {
                if (endpoint != null) {
                    DaRPCClientEndpoint<DarpcMessage, DarpcMessage> failed = endpoint;
                    closer.execute(() -> DarpcConnection.close(failed));
                }
                made.discard();
                throw new UncheckedIOException(
                        "node " + setting.node() + " cannot call node " + peer + " by DaRPC",
                        e instanceof IOException io ? io : new IOException(e));
            }
        }
        LOG.debug("node {}: calls to node {} go to {}", setting.node(), peer, there);
        return made;
    }

    /** Connections to a peer, in the order of the channels that will use them. */
    private final class Connections implements Prepared {
        private final int peer;
        private final List<DarpcConnection> ofChannel = new ArrayList<>();

        Connections(int peer) {
            this.peer = peer;
        }

        @Override
        public void use() {
            for (int i = 0; i < ofChannel.size(); i++) {
                DarpcChannel channel = channels.get(i);
                abandon(channel, channel.replace(peer, ofChannel.get(i)));
            }
        }

        @Override
        public void discard() {
            ofChannel.forEach(connection -> closer.execute(connection::close));
        }
    }

    private static InetSocketAddress read(byte[] description) {
        ByteBuffer buffer = ByteBuffer.wrap(description);
        if (description.length != IP_BYTES + Integer.BYTES) {
            throw new IllegalArgumentException("a peer's address by DaRPC has " + (IP_BYTES + Integer.BYTES)
                    + " bytes, got " + description.length);
        }
        byte[] ip = new byte[IP_BYTES];
        buffer.get(ip);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(ip), buffer.getInt());
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are no IPv6 address", e);
        }
    }

    @Override
    public void disconnect(int peer) {
        for (DarpcChannel channel : channels) {
            abandon(channel, channel.replace(peer, null));
        }
    }

    private void abandon(DarpcChannel channel, DarpcConnection connection) {
        if (connection != null) {
            channel.worker().execute(connection::fail);
            closer.execute(connection::close);
        }
    }

    @Override
    public void close() {
        for (DarpcChannel channel : channels) {
            for (int peer = 0; peer < setting.nodes(); peer++) {
                DarpcConnection connection = channel.replace(peer, null);
                if (connection != null) {
                    closer.execute(connection::close);
                }
            }
        }
        // DaRPC's groups must not be closed beside their endpoints: both would wait for each other.
        closer.shutdown();
        try {
            if (!closer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("event=close_slow node={}: DaRPC's connections take long to close", setting.node());
            }
            if (clients != null) {
                clients.close();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=close_failed: DaRPC's clients", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (server != null) {
            server.close();
        }
    }
}
