package dev.rcc.server.gateway;

import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.Zones;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.transport.LogLimit;
import dev.rcc.transport.handshake.UnauthenticatedConnections;
import dev.rcc.transport.sockets.SocketParker;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's gateway: listens for clients, and runs their transactions on coroutines of the node's workers. Open from the
 * constructor on until {@link #close}. May be used on any thread outside the cluster.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of channels that are closed, and tasks that run again and again
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private static final int IO_THREADS = 2;
    /** Most connections that may be open without an authenticated client. */
    private static final int UNAUTHENTICATED_MAX = 256;

    /** How often a socket is read in a turn, 64 KiB at most each time, so that a busy socket does not hold up its worker. */
    private static final int READS_MAX = 2;

    private static final long REAP_MILLIS_MAX = 20;
    private static final long START_SECONDS_MAX = 30;
    /** Most bytes of a session in an answer, which has three texts of limited length. */
    private static final int SESSION_BYTES_MAX = 3 * (Wire.TEXT_BYTES_MAX + 2) + 20;

    private final GatewayCore core;
    private final GatewayNode node;
    private final GatewayOptions options;
    private final Supplier<List<String>> members;
    private volatile Users users;
    private final long incarnation = UUID.randomUUID().getMostSignificantBits();
    /** Coroutines that have not begun; below, coroutines that have not ended. */
    private final CountDownLatch beginning;

    private final CountDownLatch serving;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final UnauthenticatedConnections unauthenticated;
    /** The placement that clients were sent last. */
    private volatile Message.Placement placement;

    /** The number of connections of admitted clients. */
    private final AtomicInteger welcomed = new AtomicInteger();

    private final LogLimit logs = new LogLimit();
    private final LogLimit endsLog = new LogLimit();
    private final LogLimit reapFailures = new LogLimit();
    /** The transport of the workers' sockets, to which connections move. */
    private final SocketTransport transport;
    /** Accepts connections, and has them until their clients are admitted. */
    private final EventLoopGroup group;

    private final Channel listening;

    /**
     * Opens a gateway.
     *
     * @param node the gateway's node, whose workers run
     * @param members returns the addresses of the cluster's gateways, by node, each as {@code host:port}; empty for none
     * @throws IllegalStateException when it cannot listen at its address, or the node's workers do not answer
     */
    public Gateway(GatewayNode node, GatewayOptions options, Supplier<List<String>> members) {
        this(node, options, Procedures.NONE, members);
    }

    /**
     * Opens a gateway with stored procedures, which the caller that loaded them closes.
     *
     * @throws IllegalArgumentException when the result of a procedure does not fit the options' frames
     */
    public Gateway(GatewayNode node, GatewayOptions options, Procedures procedures, Supplier<List<String>> members) {
        this.core = new GatewayCore(node, options, procedures, incarnation);
        this.node = node;
        this.options = options;
        this.members = members;
        this.unauthenticated = new UnauthenticatedConnections(node.node(), "clients", UNAUTHENTICATED_MAX);
        this.users = options.access().users();
        this.placement = placement();
        this.beginning = new CountDownLatch(node.workers() * node.coroutines());
        this.serving = new CountDownLatch(node.workers() * node.coroutines());
        this.transport = SocketParker.of(node.worker(0)).transport();
        this.group = new MultiThreadIoEventLoopGroup(
                IO_THREADS, new DefaultThreadFactory("rcc-gateway" + node.node(), true), transport.handlers());
        Channel channel = null;
        try {
            core.open(beginning::countDown, serving::countDown);
            awaitCoroutines();
            channel = listen();
        } finally {
            if (channel == null) {
                leave();
            }
        }
        this.listening = channel;
        long reapMillis = Math.min(REAP_MILLIS_MAX, Math.max(1, options.limits().idleMillis() / 4));
        group.next().scheduleAtFixedRate(this::reapAgain, reapMillis, reapMillis, TimeUnit.MILLISECONDS);
    }

    /**
     * Waits until the coroutines run. An interrupt, as of a process that is to end, does not cut this short: a gateway that is half open cannot
     * be closed.
     */
    private void awaitCoroutines() {
        boolean began = false;
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        for (long left = deadline - System.nanoTime(); !began && left > 0; left = deadline - System.nanoTime()) {
            try {
                began = beginning.await(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!began) {
            throw new IllegalStateException("the workers of node " + node.node()
                    + " do not run their coroutines: start the node before its gateway");
        }
    }

    private Channel listen() {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(transport::newServerSocket)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_MAX))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                });
        var bound = bootstrap.bind(options.host(), options.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IllegalStateException(
                    "cannot listen at " + address(options.port()) + ": is the port in use?", bound.cause());
        }
        return bound.channel();
    }

    /** Takes a connection, whose client is not authenticated yet. */
    private void accept(Channel channel) {
        if (welcomed.get() >= options.capacity().connections()) {
            logFull(channel);
            channel.close();
            return;
        }
        unauthenticated.enter(channel);
        if (options.access().tls() != null) {
            channel.pipeline().addLast(options.access().tls().newHandler(channel.alloc()));
        }
        FrameDecoder decoder = new FrameDecoder();
        Connection connection = new Connection(this, numbers.incrementAndGet(), decoder, channel);
        connections.add(connection);
        channel.pipeline().addLast(decoder, connection);
    }

    private void logFull(Channel channel) {
        long more = logs.admit();
        if (more >= 0) {
            LOG.warn(
                    "event=client_refused client={} connections={} refused_before={}: client.connections allows no more",
                    channel.remoteAddress(),
                    options.capacity().connections(),
                    more);
        }
    }

    /** Limits the log of connections whose clients have made the gateway end them. */
    LogLimit endsLog() {
        return endsLog;
    }

    /** Admits an authenticated client, if there is room. */
    boolean welcomes(Channel channel) {
        unauthenticated.leave(channel);
        if (welcomed.incrementAndGet() <= options.capacity().connections()) {
            return true;
        }
        welcomed.decrementAndGet();
        logFull(channel);
        return false;
    }

    /** The address at which it listens, as {@code host:port}. */
    public String address() {
        return address(((InetSocketAddress) listening.localAddress()).getPort());
    }

    private String address(int port) {
        return NetUtil.toSocketAddressString(options.host(), port);
    }

    /** Number of connections. */
    public int connections() {
        return connections.size();
    }

    /** Lets no transaction begin any more: refuses new ones with an error, and lets running ones go on. Does not wait. */
    public void drain() {
        core.drain();
    }

    /** Sends the addresses of the cluster's gateways, which have changed, to all clients. */
    public void membersChanged() {
        connections.forEach(Connection::tellMembers);
    }

    /**
     * Closes the connections of all clients with an error that asks them to use another gateway, and ends their open transactions. A client that
     * connects again is admitted.
     */
    public void sendAway() {
        connections.forEach(Connection::sendAway);
    }

    /**
     * Admits only these users from now on, and closes the connections of users that are not among them any more. The present roles of the other
     * users apply from their next requests on.
     */
    public void users(Users newUsers) {
        users = newUsers;
        connections.forEach(Connection::recognise);
    }

    /** Cuts all connections and admits no client, as if the process had died; {@link #close} is still to be called. */
    void cut() {
        listening.close().awaitUninterruptibly();
        closeConnections();
    }

    /** Admits no client any more, aborts open transactions, and gives the coroutines back; in a bounded time, whatever the node does. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        leave();
    }

    private void leave() {
        core.close();
        try {
            long millis = beginning.getCount() == 0 ? options.timeouts().close().toMillis() : 0;
            if (!serving.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "event=transactions_cut_off transactions={} node={} after={}",
                        serving.getCount(),
                        node.node(),
                        options.timeouts().close());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeConnections();
        group.shutdownGracefully(0, options.timeouts().close().toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(options.timeouts().close().toMillis());
    }

    /** Closes all connections in a bounded time: a worker that has ended closes none. */
    private void closeConnections() {
        List<Connection> closing = List.copyOf(connections);
        closing.forEach(Connection::close);
        long deadline = System.nanoTime() + options.timeouts().close().toNanos();
        for (Connection connection : closing) {
            Channel channel = connection.channel();
            long left = Math.max(0, deadline - System.nanoTime());
            if (!channel.closeFuture().awaitUninterruptibly(left, TimeUnit.NANOSECONDS)) {
                channel.unsafe().closeForcibly();
            }
        }
    }

    // ---- for connections -------------------------------------------------------------------------------------------

    GatewayCore core() {
        return core;
    }

    GatewayOptions options() {
        return options;
    }

    Users users() {
        return users;
    }

    /** The answer to a hello, with the version of the protocol that was agreed on. */
    Message.Welcome welcome(int version) {
        return new Message.Welcome(
                version,
                node.node(),
                incarnation,
                options.cluster(),
                node.protocol(),
                options.limits(),
                addresses(),
                node.workers());
    }

    /** The admitted clients whose connections have numbers above {@code after}, as many as an answer takes. */
    Message.Sessions sessions(long after) {
        List<Message.Session> sessions = new ArrayList<>();
        int room = options.limits().frameLength() - GatewayCore.RESULT_FRAME_BYTES;
        List<Connection> later = connections.stream()
                .filter(connection -> connection.isWelcome() && connection.number() > after)
                .sorted(Comparator.comparingLong(Connection::number))
                .toList();
        for (Connection connection : later) {
            room -= SESSION_BYTES_MAX;
            if (room < 0) {
                return new Message.Sessions(true, sessions);
            }
            sessions.add(connection.describe(System.nanoTime()));
        }
        return new Message.Sessions(false, sessions);
    }

    /** Closes a connection. False if there is none with this number. */
    boolean end(long number, String by) {
        for (Connection connection : connections) {
            if (connection.number() == number) {
                connection.end(by);
                return true;
            }
        }
        return false;
    }

    Message.Members members() {
        return new Message.Members(addresses());
    }

    private List<String> addresses() {
        return members.get().stream().filter(address -> !address.isEmpty()).toList();
    }

    /** Whether the cluster has named zones. */
    boolean hasZones() {
        return node.catalog().home().zones().areNamed();
    }

    /** The zones of the cluster's gateways. */
    Message.Zones zones() {
        Zones zones = node.catalog().home().zones();
        List<String> addresses = members.get();
        return new Message.Zones(IntStream.range(0, addresses.size())
                .filter(node -> !addresses.get(node).isEmpty())
                .mapToObj(node -> new Message.ZonedGateway(addresses.get(node), zones.nameOf(node)))
                .toList());
    }

    /** The present placement of the partitions. */
    Message.Placement placement() {
        return placementMessage(node.placed());
    }

    /** The message that announces a placement to clients. */
    static Message.Placement placementMessage(GatewayNode.Placed placed) {
        Placement where = placed.placement();
        return new Message.Placement(
                placed.epoch(),
                IntStream.range(0, where.partitions()).mapToObj(where::primary).toList());
    }

    void closed(Connection connection) {
        if (connections.remove(connection) && connection.isWelcome()) {
            welcomed.decrementAndGet();
        }
    }

    /** Reaps, and logs a failure: an exception would end the periodic task, and all deadlines with it. */
    private void reapAgain() {
        try {
            reap();
        } catch (RuntimeException | Error e) {
            long more = reapFailures.admit();
            if (more >= 0) {
                LOG.error(
                        "event=task_failed node={} failed_before={}: the gateway looks at its deadlines again soon",
                        node.node(),
                        more,
                        e);
            }
        }
    }

    private void reap() {
        core.reap();
        long now = System.nanoTime();
        long slowReaderNanos = options.timeouts().slowReader().toNanos();
        connections.forEach(connection -> connection.reap(now, slowReaderNanos));
        tellPlacement();
    }

    private void tellPlacement() {
        Message.Placement now = placement();
        if (!now.equals(placement)) {
            placement = now;
            connections.forEach(Connection::tellPlacement);
        }
    }
}
