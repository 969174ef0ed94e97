package dev.rcc.transport.tcp;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.LogLimit;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.PeerLinks;
import dev.rcc.transport.Regions;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.HostLookup;
import dev.rcc.transport.handshake.Handshake;
import dev.rcc.transport.handshake.PeerPort;
import dev.rcc.transport.handshake.UnauthenticatedConnections;
import dev.rcc.transport.sockets.SocketTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A node's attachment to a network of TCP connections. {@link TcpLink} describes how the connections to a peer belong together,
 * {@link TcpFrames} the frames that travel on them.
 *
 * <p>Nodes find each other through a {@link Control}, under the topic {@code tcp}. The node with the higher id asks for the address
 * to connect to, and gets a random token that each of its connections must show once. So only a process that the control channel has
 * let in reaches a node's memory. A peer is unreachable when its control connection is down, or any of its data connections
 * ends; the link is made anew while the control connection is up.
 *
 * <p>If a peer does not read, the requests to it wait: at most as many as the coroutines here may have outstanding. When the peer
 * has taken nothing for {@link TcpOptions#stallTimeout}, it is unreachable.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs its tasks' exceptions
public final class TcpFabric implements Fabric {
    /** The topic on the control channel. */
    static final String TOPIC = "tcp";

    private static final Logger LOG = LoggerFactory.getLogger(TcpFabric.class);

    private static final long REDIAL_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long REDIAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** The number of waits for a redial that double; all later waits are {@link #REDIAL_NANOS_MAX}. */
    private static final int REDIALS_DOUBLED = 6;

    private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int UNAUTHENTICATED_MAX = 1024;

    private final Control control;
    private final TcpOptions options;
    private final SocketTransport transport;
    private final PeerGates gates;
    private final SslContext serverTls;
    private final SslContext clientTls;
    private final Arena arena = Arena.ofShared();
    private final SecureRandom random = new SecureRandom();
    private final MultiThreadIoEventLoopGroup group;
    private final Channel server;
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final TcpTraffic traffic = new TcpTraffic();
    private final LogLimit logs = new LogLimit();
    private final UnauthenticatedConnections unauthenticated;

    private volatile Memory[] regions = {};
    private volatile TcpEndpoint[] endpoints = {};
    private volatile boolean started;
    private volatile boolean closed;

    private final PeerLinks<TcpLink> links;
    /** Connections that are not part of an active link yet. Guarded by this. */
    private final Set<Channel> handshaking = new HashSet<>();

    /**
     * Attaches a node to the network.
     *
     * @throws IOException when the node cannot listen at the address for data connections
     * @throws IllegalArgumentException when the transport is not available here, or a TLS file is invalid
     */
    public TcpFabric(Control control, TcpOptions options) throws IOException {
        this.control = control;
        this.options = options;
        this.transport = options.transport().resolve();
        this.unauthenticated = new UnauthenticatedConnections(control.node(), "data", UNAUTHENTICATED_MAX);
        this.gates = new PeerGates(control.node(), control.nodes());
        this.serverTls = options.tls().map(tls -> tls.forServer()).orElse(null);
        this.clientTls = options.tls().map(tls -> tls.forClient()).orElse(null);
        this.links = new PeerLinks<>(this, control.node(), control.nodes(), control::isUp, gates, new Dialling());
        this.group = new MultiThreadIoEventLoopGroup(
                options.ioThreads(),
                new DefaultThreadFactory("rcc-node" + control.node() + "-io", true),
                transport.handlers());
        this.server = listen();
        control.serve(TOPIC, this::answer);
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                links.up(peer, incarnation);
            }

            @Override
            public void down(int peer) {
                links.down(peer);
            }
        });
    }

    private Channel listen() throws IOException {
        InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
        var bound = new ServerBootstrap()
                .group(group)
                .channelFactory(transport::newServerSocket)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (closed) {
                            channel.close();
                        } else {
                            unauthenticated.enter(channel);
                            TcpHandshake taken = new TcpHandshake(TcpFabric.this, null);
                            shakeHands(
                                    channel,
                                    -1,
                                    serverTls,
                                    control.handshakes().accept(PeerPort.TCP_DATA, taken::token),
                                    taken);
                        }
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw new IOException(
                    "cannot listen for data connections at " + address + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    TcpOptions options() {
        return options;
    }

    SocketTransport transport() {
        return transport;
    }

    int nodes() {
        return control.nodes();
    }

    /** Number of this node's workers. */
    int workers() {
        return endpoints.length;
    }

    /** The endpoint of this node's worker at {@code position}. */
    TcpEndpoint endpoint(int position) {
        return endpoints[position];
    }

    /** The registered memory by region id; may be shorter than an id, and may have gaps. */
    Memory[] regions() {
        return regions;
    }

    boolean isClosed() {
        return closed;
    }

    /** The port where data connections are taken. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The number of connections that were ended because the peer broke the protocol, for example by a malformed frame. */
    public long rejectedConnections() {
        return malformed.get();
    }

    @Override
    public String name() {
        return TOPIC;
    }

    @Override
    public int node() {
        return control.node();
    }

    @Override
    public long incarnation() {
        return control.incarnation();
    }

    @Override
    public Map<FabricCounter, Long> counters() {
        Map<FabricCounter, Long> sum =
                WorkerCounters.sum(Arrays.stream(endpoints).map(TcpEndpoint::counters));
        sum.put(FabricCounter.BYTES_SENT, traffic.sent());
        sum.put(FabricCounter.BYTES_RECEIVED, traffic.received());
        sum.put(FabricCounter.REJECTED_CONNECTIONS, rejectedConnections());
        sum.put(FabricCounter.LOST_CONNECTIONS, lost.get());
        return sum;
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public synchronized Region register(int regionId, long bytes) {
        checkNotStarted();
        checkNew(regionId);
        Region region = new Region(node(), regionId, Memory.allocate(arena, bytes));
        regions = Regions.with(regions, region);
        return region;
    }

    @Override
    public synchronized void adopt(Region region) {
        checkNotStarted();
        if (region.node() != node()) {
            throw new IllegalArgumentException("node " + node() + " cannot let peers reach " + region);
        }
        checkNew(region.id());
        regions = Regions.with(regions, region);
    }

    private void checkNew(int regionId) {
        Regions.checkNew(node(), regionId, regions);
    }

    @Override
    public synchronized Endpoint open(Worker worker, Region buffers) {
        checkNotStarted();
        Regions.checkNode(node(), worker, buffers);
        Regions.checkRegistered(regions, buffers);
        if (worker.index() != endpoints.length || endpoints.length == TcpHello.MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "endpoints must be opened in the order of their workers, " + TcpHello.MAX_WORKERS
                            + " at most: expected worker " + endpoints.length + ", got " + worker.index());
        }
        TcpEndpoint endpoint = new TcpEndpoint(this, worker, buffers.memory());
        endpoint.attach();
        TcpEndpoint[] after = Arrays.copyOf(endpoints, endpoints.length + 1);
        after[endpoints.length] = endpoint;
        endpoints = after;
        return endpoint;
    }

    private void checkNotStarted() {
        if (started || closed) {
            throw new IllegalStateException("the network has been " + (closed ? "closed" : "started") + " already");
        }
    }

    @Override
    public void start() {
        synchronized (this) {
            checkNotStarted();
            started = true;
        }
        links.start();
    }

    @Override
    public boolean isReachable(int peer) {
        return peer == node() ? started && !closed : links.using(peer) != null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A thread that takes a frame first checks whether its link has failed. So once every I/O thread has finished its current task,
     * none takes a frame that came over the link.
     */
    @Override
    public void fence(int peer) {
        links.fence(peer);
        for (EventExecutor thread : group) {
            try {
                thread.submit(() -> {}).awaitUninterruptibly();
            } catch (RejectedExecutionException e) {
                thread.terminationFuture().awaitUninterruptibly(); // the network was closed
            }
        }
    }

    @Override
    public void admit(int peer, long incarnation) {
        links.admit(peer, incarnation);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            List.copyOf(handshaking).forEach(Channel::close);
        }
        server.close().awaitUninterruptibly();
        links.close();
        for (TcpEndpoint endpoint : endpoints) {
            endpoint.close();
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        group.terminationFuture().awaitUninterruptibly();
        arena.close();
    }

    // Making links.

    /** Makes and ends links. */
    private final class Dialling implements PeerLinks.Network<TcpLink> {
        @Override
        public boolean leads(int peer) {
            return peer < node();
        }

        /** {@inheritDoc} The answer contains the address and the token to dial with. */
        @Override
        public void ask(int peer, int attempt) {
            control.ask(peer, TOPIC, TcpHello.question(incarnation(), workers()))
                    .whenComplete((answer, failure) -> answered(peer, attempt, answer, failure));
        }

        /** {@inheritDoc} Does nothing: the dialling node asks until it gets an answer. */
        @Override
        public void prompt(int peer) {}

        @Override
        public void use(int peer, TcpLink link) {
            LOG.info("event=peer_connected node={} peer={}", node(), peer);
        }

        @Override
        public void drop(int peer, TcpLink link, String why) {
            link.fail(why);
        }

        @Override
        public void retry(int peer, int failures, Runnable again) {
            EventLoop loop = group.next();
            if (!loop.isShuttingDown()) {
                long nanos = failures < REDIALS_DOUBLED ? REDIAL_NANOS_MIN << failures : REDIAL_NANOS_MAX;
                loop.schedule(again, nanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** A peer that this node must dial has answered. If it is not ready, this node asks again later. */
    private void answered(int peer, int attempt, byte[] answer, Throwable failure) {
        try {
            Optional<TcpHello> hello = failure == null ? TcpHello.readAnswer(answer) : Optional.empty();
            if (hello.isPresent()) {
                begin(peer, attempt, hello.get());
                return;
            }
            if (failure != null) {
                // If the peer left while it was asked, the control channel has reported that already.
                LOG.atLevel(closed || !control.isUp(peer) ? Level.DEBUG : Level.WARN)
                        .log(
                                "event=connect_failed node={} peer={}: the peer did not answer with an address: {}",
                                node(),
                                peer,
                                failure.toString());
            }
        } catch (RuntimeException e) {
            LOG.warn("event=connect_failed node={} peer={}: {}", node(), peer, e.toString());
        }
        links.failed(peer, attempt);
    }

    private void begin(int peer, int attempt, TcpHello hello) {
        TcpLink link = new TcpLink(this, peer, true, hello.token(), hello.workers());
        if (!links.begun(peer, attempt, hello.incarnation(), link)) {
            return;
        }
        giveUpLater(link);
        InetSocketAddress address = InetSocketAddress.createUnresolved(hello.host(), hello.port());
        for (int i = 0; i < link.connections(); i++) {
            connect(link, i, address);
        }
    }

    private void giveUpLater(TcpLink link) {
        group.schedule(
                () -> {
                    if (!link.isActive()) {
                        link.fail("it was not connected in time");
                    }
                },
                HANDSHAKE_NANOS,
                TimeUnit.NANOSECONDS);
    }

    private void connect(TcpLink link, int connection, InetSocketAddress address) {
        new Bootstrap()
                .group(group)
                .channelFactory(transport::newSocket)
                .resolver(HostLookup.INSTANCE)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) TimeUnit.NANOSECONDS.toMillis(HANDSHAKE_NANOS))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        shakeHands(
                                channel,
                                link.peer(),
                                clientTls,
                                control.handshakes().dial(PeerPort.TCP_DATA, link.peer(), connection, link.token()),
                                new TcpHandshake(TcpFabric.this, link));
                    }
                })
                .connect(address)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        link.fail(String.valueOf(connected.cause().getMessage()));
                    }
                });
    }

    private void shakeHands(Channel channel, int peer, SslContext tls, Handshake handshake, TcpHandshake next) {
        synchronized (this) {
            handshaking.add(channel);
        }
        // A channel that never was active fires no other event.
        channel.closeFuture().addListener(ended -> leftHandshake(channel));
        transport.limitSilence(channel, options.silenceMillis());
        options.faults().ifPresent(faults -> {
            channel.pipeline().addLast(faults.newHandler(peer));
            TcpStream.tellOfEachByte(channel);
        });
        if (tls != null) {
            SslHandler handler = tls.newHandler(channel.alloc());
            handler.setHandshakeTimeout(0, TimeUnit.MILLISECONDS); // RCC's own handshake timeout covers it
            channel.pipeline().addLast(handler);
        } else {
            channel.config().setRecvByteBufAllocator(next.room());
        }
        channel.pipeline().addLast(handshake, next);
    }

    /** The link that a peer which dials this node is making, or null. */
    TcpLink linkDialledBy(int peer) {
        return peer > node() && peer < nodes() ? links.current(peer) : null;
    }

    /** The stream of a connection whose peer has proven its identity. */
    TcpStream stream(TcpStream.Receiver receiver, Channel channel) {
        unauthenticated.leave(channel);
        return new TcpStream(receiver, traffic);
    }

    /** A connection has become part of a link, or has ended. */
    synchronized void leftHandshake(Channel channel) {
        handshaking.remove(channel);
    }

    /** Logs a connection that ended before it was part of a link, and counts it if its peer misbehaved. */
    void unauthenticatedPeerLeft(Channel channel, String reason, boolean misbehaved) {
        if (misbehaved) {
            malformed.incrementAndGet();
        }
        long more = closed ? -1 : logs.admit();
        if (more >= 0) {
            LOG.warn(
                    "event=data_connection_lost node={} from={}: {} ({} more before)",
                    node(),
                    channel.remoteAddress(),
                    reason,
                    more);
        }
    }

    /** Answers a peer that will dial this node. */
    private byte[] answer(int peer, byte[] question) {
        TcpHello.Question hello = TcpHello.readQuestion(question);
        if (peer <= node()) {
            throw new IllegalArgumentException(
                    "node " + peer + " must not dial node " + node() + ": the node with the higher id dials");
        }
        byte[] token = new byte[TcpFrames.TOKEN_BYTES];
        random.nextBytes(token);
        TcpLink link = new TcpLink(this, peer, false, token, hello.workers());
        if (!started || closed || !links.accepted(peer, hello.incarnation(), link)) {
            return TcpHello.notReady();
        }
        giveUpLater(link);
        return new TcpHello(incarnation(), workers(), options.host(), port(), token).answer();
    }

    /** Keeps a connection whose worker has ended on an I/O thread until the connection is closed. */
    @SuppressWarnings("deprecation") // it is the only way to move a channel to another event loop
    void shelter(TcpStream stream) {
        group.next().register(stream.channel());
    }

    /**
     * Runs an action once each I/O thread has ended its current task: none carries out a frame then of a link that has failed before this call.
     * The action runs on one of these threads.
     */
    void afterFramesUnderWay(Runnable action) {
        AtomicInteger left = new AtomicInteger(options.ioThreads());
        for (EventExecutor thread : group) {
            thread.execute(() -> {
                if (left.decrementAndGet() == 0) {
                    action.run();
                }
            });
        }
    }

    /** A link has all its connections. */
    void activated(TcpLink link) {
        if (!link.hasFailed()) {
            links.made(link.peer(), link);
        }
    }

    /** A link has failed: its outstanding requests fail, and it is made anew if the peer is still up. */
    void failed(TcpLink link, boolean wasActive, String reason, boolean misbehaved) {
        int peer = link.peer();
        links.ended(peer, link);
        if (misbehaved) {
            malformed.incrementAndGet();
        }
        LOG.atLevel(misbehaved ? Level.WARN : Level.INFO)
                .log("event=peer_disconnected node={} peer={}: {}", node(), peer, reason);
        if (wasActive) {
            lost.incrementAndGet();
            for (TcpEndpoint endpoint : endpoints) {
                endpoint.worker().execute(() -> endpoint.drop(link));
            }
        }
    }

    /** Limits the log messages that a peer can cause at will. */
    LogLimit logs() {
        return logs;
    }
}
