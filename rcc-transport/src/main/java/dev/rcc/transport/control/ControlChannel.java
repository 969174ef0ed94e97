package dev.rcc.transport.control;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.LogLimit;
import dev.rcc.transport.control.ControlFrames.Hello;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.handshake.HandshakeFailed;
import dev.rcc.transport.handshake.Handshakes;
import dev.rcc.transport.handshake.PeerPort;
import dev.rcc.transport.handshake.ProvenPeer;
import dev.rcc.transport.handshake.UnauthenticatedConnections;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The {@link Control} between processes: one TCP connection for each pair of nodes. The node with the higher id dials the
 * other, and goes on dialling until it is admitted.
 *
 * <p>The order of calls is: {@link #bind}, send every node the addresses of all, {@link #peersAt}, {@link #serve} and {@link #listen},
 * {@link #start}, {@link #close}. Until a peer is connected, {@link #missing} has the reason.
 *
 * <p>A peer whose connection ends is down at once. A peer that sends nothing for the failure timeout, although it should send heartbeats, is down
 * then. Each end detects that by itself. A connection of a new incarnation of a peer, or of a peer that has found the old connection dead, replaces
 * the old connection: down, then up.
 *
 * <p>Nothing that comes from the network is trusted: every connection begins with a {@linkplain dev.rcc.transport.handshake handshake}. A process
 * that has not proven there that it is a node of this cluster receives no information and takes no node's place. Versions and configurations are
 * compared after the handshake. A malformed frame ends its connection, and is logged and counted.
 *
 * <p>One thread does all input and output, one calls listeners, one runs handlers. Answers complete on virtual threads.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs the exceptions of its tasks
public final class ControlChannel implements Control {
    /** Longest question or answer, in bytes. */
    public static final int MAX_MESSAGE_BYTES = 1 << 20;
    /** Most questions that one node may have outstanding at one other. */
    public static final int MAX_OUTSTANDING = 256;

    private static final Logger LOG = LoggerFactory.getLogger(ControlChannel.class);

    /** The most connections of unauthenticated peers that may be open. */
    private static final int UNAUTHENTICATED_MAX = 256;

    private static final Duration HANDSHAKE_MAX = Duration.ofSeconds(10);

    private static final long REDIAL_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long REDIAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final ControlOptions options;
    private final Handshakes handshakes;
    private final UnauthenticatedConnections unauthenticated;
    private final LogLimit unauthenticatedLog = new LogLimit();
    private final Map<String, LaterHandler> handlers = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop io;
    private final ExecutorService events;
    private final ExecutorService questions;
    private final SslContext serverTls;
    private final SslContext clientTls;
    private final Channel server;

    private final AtomicReferenceArray<ControlConnection> connections;
    private final Map<Integer, String> missing = new ConcurrentHashMap<>();
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private List<InetSocketAddress> addresses = List.of();
    private volatile boolean started;
    private volatile boolean closed;

    // Used by the I/O thread only.
    private final Set<ControlConnection> all = new HashSet<>();
    private final Map<Integer, Long> redialNanos = new HashMap<>();
    private long lastTickNanos;

    private ControlChannel(ControlOptions options, InetSocketAddress address) throws IOException {
        this.options = options;
        this.handshakes = new Handshakes(
                options.cluster(),
                options.node(),
                options.incarnation(),
                options.secrets(),
                options.failureTimeout().compareTo(HANDSHAKE_MAX) < 0 ? options.failureTimeout() : HANDSHAKE_MAX);
        this.unauthenticated = new UnauthenticatedConnections(options.node(), "peers", UNAUTHENTICATED_MAX);
        this.serverTls = options.tls().map(TlsOptions::forServer).orElse(null);
        this.clientTls = options.tls().map(TlsOptions::forClient).orElse(null);
        this.connections = new AtomicReferenceArray<>(options.nodes());
        String name = "rcc-node" + options.node() + "-control";
        this.group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
        this.io = group.next();
        this.events = Executors.newSingleThreadExecutor(daemon(name + "-events"));
        this.questions = Executors.newSingleThreadExecutor(daemon(name + "-questions"));
        this.server = listen(address);
    }

    private static ThreadFactory daemon(String name) {
        return Thread.ofPlatform().daemon().name(name).factory();
    }

    private Channel listen(InetSocketAddress address) throws IOException {
        var bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        initialize(channel, serverTls, ControlConnection.NO_NODE);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            events.shutdown();
            questions.shutdown();
            throw new IOException(
                    "cannot listen for the control connections of peers at " + address + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    /**
     * Binds the address that peers connect to. No peer is accepted before {@link #start}.
     *
     * @param address with port 0, any free port is taken
     * @throws IOException when the address cannot be bound
     */
    public static ControlChannel bind(ControlOptions options, InetSocketAddress address) throws IOException {
        return new ControlChannel(options, address);
    }

    /** The port that peers connect to. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /**
     * Sets the addresses at which all nodes listen; before {@link #start}.
     *
     * @param addressOfNode an address for each node, this one included; host names are looked up anew for every attempt
     */
    public void peersAt(List<InetSocketAddress> addressOfNode) {
        if (addressOfNode.size() != options.nodes()) {
            throw new IllegalArgumentException("there must be an address for each of the " + options.nodes()
                    + " nodes, got " + addressOfNode.size() + ": " + addressOfNode);
        }
        addresses = List.copyOf(addressOfNode);
    }

    /** The peers that are not connected, each with the reason as far as it is known. */
    public SortedMap<Integer, String> missing() {
        return new TreeMap<>(missing);
    }

    /** How many frames were malformed and have ended their connection. */
    public long malformedFrames() {
        return malformed.get();
    }

    /** How many connections were refused because their node is not of this cluster, or not configured like this one. */
    public long refusedConnections() {
        return refused.get();
    }

    @Override
    public int node() {
        return options.node();
    }

    @Override
    public int nodes() {
        return options.nodes();
    }

    @Override
    public long incarnation() {
        return options.incarnation();
    }

    @Override
    public Handshakes handshakes() {
        return handshakes;
    }

    @Override
    public void serveLater(String topic, LaterHandler handler) {
        checkNotStarted();
        if (topic.getBytes(StandardCharsets.UTF_8).length > ControlFrames.MAX_TOPIC_BYTES) {
            throw new IllegalArgumentException(
                    "a topic must have " + ControlFrames.MAX_TOPIC_BYTES + " bytes at most, got " + topic);
        }
        if (handlers.putIfAbsent(topic, Objects.requireNonNull(handler)) != null) {
            throw new IllegalArgumentException("topic " + topic + " is served already");
        }
    }

    @Override
    public void listen(Listener listener) {
        checkNotStarted();
        listeners.add(Objects.requireNonNull(listener));
    }

    private void checkNotStarted() {
        if (started) {
            throw new IllegalStateException("the control channel has been started already");
        }
    }

    @Override
    public void start() {
        checkNotStarted();
        if (addresses.isEmpty() && options.nodes() > 1) {
            throw new IllegalStateException("peersAt must be called before start");
        }
        for (int peer = 0; peer < options.nodes(); peer++) {
            if (peer != options.node()) {
                missing.put(
                        peer,
                        peer < options.node()
                                ? "not yet dialled"
                                : "it has not dialled this node yet: the node with the higher id dials");
            }
        }
        started = true;
        io.execute(() -> {
            tellUp(options.node(), options.incarnation());
            for (int peer = 0; peer < options.node(); peer++) {
                dial(peer);
            }
            lastTickNanos = System.nanoTime();
            long every = options.heartbeat().toNanos();
            io.scheduleAtFixedRate(this::tick, every, every, TimeUnit.NANOSECONDS);
        });
    }

    @Override
    public boolean isUp(int peer) {
        return peer == options.node() ? started && !closed : connections.get(peer) != null;
    }

    @Override
    public CompletableFuture<byte[]> ask(int peer, String topic, byte[] question) {
        Objects.checkIndex(peer, options.nodes());
        if (question.length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "a question must have " + MAX_MESSAGE_BYTES + " bytes at most, got " + question.length);
        }
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        byte[] copy = question.clone();
        try {
            if (peer == options.node()) {
                askMyself(topic, copy, answer);
            } else {
                io.execute(() -> {
                    ControlConnection connection = connections.get(peer);
                    if (connection == null) {
                        fail(answer, new PeerUnreachable(peer));
                    } else {
                        connection.ask(topic, copy, answer);
                    }
                });
            }
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new PeerUnreachable(peer)); // this node has left
        }
        return answer;
    }

    private void askMyself(String topic, byte[] question, CompletableFuture<byte[]> answer) {
        if (!isUp(options.node())) {
            answer.completeExceptionally(new PeerUnreachable(options.node()));
            return;
        }
        questions.execute(() -> answerTo(
                options.node(), topic, question, bytes -> complete(answer, bytes), failure -> fail(answer, failure)));
    }

    @Override
    public void close() {
        Runnable leave = () -> {
            if (!closed) {
                closed = true;
                server.close();
                List.copyOf(all).forEach(ControlConnection::close);
                if (started) {
                    tellDown(options.node());
                }
            }
        };
        try {
            if (io.inEventLoop()) {
                leave.run();
            } else {
                io.submit(leave).awaitUninterruptibly();
            }
        } catch (RejectedExecutionException e) {
            return; // closed before
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        if (!io.inEventLoop()) {
            group.terminationFuture().awaitUninterruptibly();
        }
        events.shutdown();
        questions.shutdown();
    }

    // The rest runs on the I/O thread, unless it says otherwise.

    private void initialize(Channel channel, SslContext tls, int dialled) {
        options.faults().ifPresent(faults -> channel.pipeline().addLast(faults.newHandler(dialled)));
        if (tls != null) {
            var handler = tls.newHandler(channel.alloc());
            handler.setHandshakeTimeout(0, TimeUnit.MILLISECONDS); // part of the handshake's deadline
            channel.pipeline().addLast(handler);
        }
        boolean dials = dialled != ControlConnection.NO_NODE;
        channel.pipeline()
                .addLast(dials ? handshakes.dial(PeerPort.CONTROL, dialled) : handshakes.accept(PeerPort.CONTROL))
                .addLast(new ControlConnection(this, dialled));
    }

    private void dial(int peer) {
        if (closed) {
            return;
        }
        InetSocketAddress known = addresses.get(peer);
        new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .resolver(HostLookup.INSTANCE)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.failureTimeout().toMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        initialize(channel, clientTls, peer);
                    }
                })
                .connect(InetSocketAddress.createUnresolved(known.getHostString(), known.getPort()))
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        note(Level.INFO, peer, String.valueOf(connected.cause().getMessage()));
                        redial(peer);
                    }
                });
    }

    private void redial(int peer) {
        long delay = redialNanos.getOrDefault(peer, REDIAL_NANOS_MIN);
        redialNanos.put(peer, Math.min(2 * delay, REDIAL_NANOS_MAX));
        if (!io.isShuttingDown()) {
            io.schedule(() -> dial(peer), delay, TimeUnit.NANOSECONDS);
        }
    }

    /** Sends heartbeats, and ends connections that have been silent for too long. */
    private void tick() {
        long now = System.nanoTime();
        boolean overslept = now - lastTickNanos > 2 * options.heartbeat().toNanos();
        lastTickNanos = now;
        for (ControlConnection connection : List.copyOf(all)) {
            if (overslept) {
                connection.heard(now); // its frames may not have been read yet
            } else if (connection.silentNanos(now) > options.failureTimeout().toNanos()) {
                ended(connection, "no data received for " + options.failureTimeout());
                connection.close();
            }
            connection.ping();
        }
    }

    /** Registers a connection; false if it must be closed. */
    boolean opened(ControlConnection connection) {
        if (closed || !started) {
            return false;
        }
        all.add(connection);
        if (connection.dialled() == ControlConnection.NO_NODE) {
            unauthenticated.enter(connection.channel());
        }
        return true;
    }

    /** The node at the connection's other end is proven. */
    void proven(ControlConnection connection) {
        connection.heard(System.nanoTime());
        unauthenticated.leave(connection.channel());
    }

    Hello hello() {
        return new Hello(ControlFrames.VERSION, options.nodes(), options.configuration());
    }

    /** Why a proven node cannot be a peer, or null. */
    String refusal(ProvenPeer node, Hello hello, boolean dialled) {
        if (hello.version() != ControlFrames.VERSION) {
            return differs("version of the control channel", hello.version(), ControlFrames.VERSION);
        }
        if (hello.nodes() != options.nodes()) {
            return differs("number of nodes", hello.nodes(), options.nodes());
        }
        if (!dialled && (node.node() <= options.node() || node.node() >= options.nodes())) {
            return "node " + node.node() + " must not dial node " + options.node()
                    + ": the node with the higher id dials, and ids are 0 to " + (options.nodes() - 1);
        }
        if (!hello.configuration().equals(options.configuration())) {
            return differs("configuration", hello.configuration(), options.configuration());
        }
        return refusalOfIncarnation(node);
    }

    /** Why a proven node cannot replace its present connection, or null. */
    String refusalOfIncarnation(ProvenPeer node) {
        ControlConnection present = connections.get(node.node());
        if (present != null && node.incarnation() < present.incarnation()) {
            return "node " + node.node() + " is connected in a later incarnation";
        }
        return null;
    }

    private String differs(String what, Object theirs, Object ours) {
        return what + " differs: '" + theirs + "' there, '" + ours + "' at node " + options.node();
    }

    /** Counts and logs that a proven node cannot be a peer. */
    void refused(ControlConnection connection, String reason) {
        refused.incrementAndGet();
        int node = connection.claimed();
        if (node >= 0 && node < options.nodes() && node != options.node() && connections.get(node) == null) {
            note(Level.WARN, node, "refused: " + reason);
        } else {
            warnOfUnauthenticated(connection, "is refused: " + reason);
        }
    }

    /** The reason of a refusal as sent to the other end: in full only if that has shown a secret or a certificate. */
    String reasonForPeer(String reason) {
        boolean isKnown = !options.secrets().equals(ClusterSecrets.NONE) || serverTls != null;
        return isKnown ? reason : "the log of node " + options.node() + " says why";
    }

    /** Counts and logs that a process has not proven which node it is. */
    void failed(ControlConnection connection, HandshakeFailed failure) {
        switch (failure.kind()) {
            case REFUSED -> refused.incrementAndGet();
            case MALFORMED -> malformed.incrementAndGet();
            case LATE -> {}
        }
        ended(connection, failure.getMessage());
    }

    /** Counts and logs a malformed frame. */
    void malformed(ControlConnection connection, String what) {
        malformed.incrementAndGet();
        ended(connection, "it sent a malformed frame: " + what);
    }

    /** Notes the reason of a connection's unexpected end. */
    void ended(ControlConnection connection, String reason) {
        ended(connection, Level.WARN, reason);
    }

    /** Notes a connection's usual end, of which the listeners are notified. */
    void left(ControlConnection connection, String reason) {
        ended(connection, Level.INFO, reason);
    }

    private void ended(ControlConnection connection, Level level, String reason) {
        int peer = Math.max(connection.peer(), connection.dialled());
        if (peer != ControlConnection.NO_NODE) {
            note(level, peer, reason);
        } else {
            warnOfUnauthenticated(connection, reason);
        }
    }

    /** Makes a connection the current one to its peer. */
    void admitted(ControlConnection connection) {
        int peer = connection.peer();
        ControlConnection before = connections.get(peer);
        if (before != null) {
            left(before, "replaced by a new connection");
            before.close();
        }
        connections.set(peer, connection);
        missing.remove(peer);
        redialNanos.remove(peer);
        LOG.info("event=peer_up node={} peer={}", options.node(), peer);
        tellUp(peer, connection.incarnation());
    }

    /** A connection has ended. */
    void lost(ControlConnection connection) {
        all.remove(connection);
        int peer = connection.peer();
        if (peer != ControlConnection.NO_NODE && connections.compareAndSet(peer, connection, null)) {
            tellDown(peer);
        }
        if (connection.dialled() != ControlConnection.NO_NODE && !closed) {
            redial(connection.dialled());
        }
    }

    /** Has a handler answer a question. */
    void serve(ControlConnection connection, long number, String topic, byte[] question) {
        int peer = connection.peer();
        questions.execute(() -> answerTo(
                peer,
                topic,
                question,
                answer -> onIo(() -> connection.answer(number, answer)),
                failure -> onIo(() -> connection.fail(number, failure.getMessage()))));
    }

    private void onIo(Runnable task) {
        try {
            io.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("this node has left before it had answered", e);
        }
    }

    /** Called on the handlers' thread; a later answer may come on any thread. */
    private void answerTo(
            int peer, String topic, byte[] question, Consumer<byte[]> answered, Consumer<ControlFailure> failed) {
        LaterHandler handler = handlers.get(topic);
        if (handler == null) {
            failed.accept(new ControlFailure("node " + options.node() + " does not serve " + topic));
            return;
        }
        CompletableFuture<byte[]> later;
        try {
            later = handler.answer(peer, question);
        } catch (RuntimeException | Error e) {
            later = CompletableFuture.failedFuture(e);
        }
        later.whenComplete((answer, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                failed.accept(failure(topic, peer, cause));
            } else if (answer.length > MAX_MESSAGE_BYTES) {
                failed.accept(new ControlFailure("node " + options.node() + " has an answer of " + answer.length
                        + " bytes, at most " + MAX_MESSAGE_BYTES + " can be sent"));
            } else {
                answered.accept(answer.clone());
            }
        });
    }

    private ControlFailure failure(String topic, int peer, Throwable cause) {
        if (cause instanceof ControlFailure refusal) {
            return refusal;
        }
        LOG.error("event=control_request_failed topic={} peer={} node={}", topic, peer, options.node(), cause);
        return new ControlFailure("node " + options.node() + " failed to answer: " + cause);
    }

    /** Completes on a thread of its own: the caller's dependent code must not block the channel's threads. */
    void complete(CompletableFuture<byte[]> future, byte[] answer) {
        Thread.startVirtualThread(() -> future.complete(answer));
    }

    /** Fails on a thread of its own, as {@link #complete}. */
    void fail(CompletableFuture<byte[]> future, RuntimeException cause) {
        Thread.startVirtualThread(() -> future.completeExceptionally(cause));
    }

    private void tellUp(int peer, long incarnation) {
        tell(listener -> listener.up(peer, incarnation));
    }

    private void tellDown(int peer) {
        tell(listener -> listener.down(peer));
    }

    private void tell(Consumer<Listener> event) {
        events.execute(() -> {
            for (Listener listener : listeners) {
                try {
                    event.accept(listener);
                } catch (RuntimeException | Error e) {
                    LOG.error("event=control_listener_failed node={}", options.node(), e);
                }
            }
        });
    }

    /** Keeps the reason why a peer is missing, and logs it if it differs from the one before. */
    private void note(Level level, int peer, String reason) {
        String before = missing.put(peer, reason);
        if (!reason.equals(before) && !closed) {
            LOG.atLevel(level).log("event=peer_missing node={} peer={}: {}", options.node(), peer, reason);
        }
    }

    /** Logs an event of an unauthenticated process, at most once a second: such a process must not fill the disk. */
    private void warnOfUnauthenticated(ControlConnection connection, String what) {
        long more = unauthenticatedLog.admit();
        if (more >= 0) {
            LOG.warn(
                    "event=connection_refused node={} connection={}: {} ({} more before)",
                    options.node(),
                    connection,
                    what,
                    more);
        }
    }
}
