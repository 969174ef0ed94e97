package dev.rcc.client;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.MalformedFrame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to a gateway, shared by any number of transactions. For any thread. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends the connection, which all callers see
final class Link {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** How long a gateway may take to answer a probe, and for how long it may send nothing to a caller that waits before it is probed. */
    static final long PROBE_MILLIS = 2_000;

    private final Channel channel;
    private final FrameQueue frames;
    private final Map<Integer, CompletableFuture<Message.Reply>> pending = new ConcurrentHashMap<>();
    private final AtomicInteger requests;
    private final AtomicInteger transactions = new AtomicInteger();
    /** The transactions and calls whose ends the gateway has not answered. */
    private final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger locks = new AtomicInteger();
    /** Listeners by the number of a lock that is held or waited for. */
    private final Map<Integer, Runnable> whenLost = new ConcurrentHashMap<>();

    private volatile Message.Welcome welcome;
    private volatile Message.Tables tables;
    private volatile RccException end;
    private CompletableFuture<Message.Reply> lastUnlock = CompletableFuture.completedFuture(new Message.Done());

    /** A link over a channel whose pipeline it does not use. */
    Link(Channel channel) {
        this(channel, 0);
    }

    /**
     * A link over a channel whose pipeline it does not use.
     *
     * @param requests the number of the last request, after which the next is numbered
     */
    Link(Channel channel, int requests) {
        this.channel = channel;
        this.frames = new FrameQueue(channel);
        this.requests = new AtomicInteger(requests);
    }

    /** Receives what the gateway reports about itself and the cluster. Called on the connection's thread. */
    interface Listener {
        /**
         * The gateway has answered the hello.
         *
         * @throws RccException if the gateway is of another cluster
         */
        void welcomed(Message.Welcome welcome);

        /** Receives the addresses of the cluster's gateways, at first and after each change. */
        void members(List<String> members);

        /** Receives the gateways' zones, at first and after each change. Not called by gateways before version 7, or where no zones are named. */
        void zones(Message.Zones zones);

        /** Receives the cluster's tables, once. */
        void described(Message.Tables tables);

        /** The gateway has answered neither a request nor a probe in time; the connection is being closed. */
        void silent();

        /** Receives where the cluster's partitions are from {@code teller}'s gateway, at first and after each change. Not from version 1. */
        void placed(Link teller, Message.Placement placement);
    }

    /**
     * Connects, says hello and fetches the catalogue. If the future is completed by its receiver before, as an attempt that is given up, the
     * connection is closed.
     */
    static CompletableFuture<Link> connect(
            EventLoopGroup group,
            Class<? extends SocketChannel> type,
            Endpoint endpoint,
            ClientOptions options,
            Listener listener) {
        CompletableFuture<Link> ready = new CompletableFuture<>();
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(type)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(
                        Integer.MAX_VALUE, Math.max(1, options.connectTimeout().toMillis())))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (options.tls() != null) {
                            channel.pipeline()
                                    .addLast(options.tls()
                                            .newHandler(channel.alloc(), endpoint.host(), endpoint.port()));
                        }
                        FrameDecoder decoder = new FrameDecoder();
                        decoder.limit(Wire.WELCOME_LENGTH_MAX);
                        Link link = new Link(channel);
                        channel.pipeline()
                                .addLast(
                                        new IdleStateHandler(PROBE_MILLIS, 0, 0, TimeUnit.MILLISECONDS),
                                        decoder,
                                        link.new Handler(decoder, options, ready, listener));
                    }
                });
        // Not on the event loop: all connections would wait for the name service.
        CompletableFuture.supplyAsync(
                        () -> new InetSocketAddress(endpoint.host(), endpoint.port()), Thread::startVirtualThread)
                .thenAccept(address -> connect(bootstrap, address, endpoint, ready))
                .exceptionally(failure -> {
                    ready.completeExceptionally(failure);
                    return null;
                });
        return ready;
    }

    private static void connect(
            Bootstrap bootstrap, InetSocketAddress address, Endpoint endpoint, CompletableFuture<Link> ready) {
        if (address.isUnresolved()) {
            ready.completeExceptionally(
                    RccException.of(ErrorCode.UNAVAILABLE, "no address was found for the host of " + endpoint, null));
            return;
        }
        ChannelFuture connecting = bootstrap.connect(address);
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                ready.completeExceptionally(unavailable("cannot connect to " + endpoint, connected.cause()));
            }
        });
        ready.whenComplete((link, failure) -> {
            if (failure != null) {
                connecting.channel().close();
            }
        });
    }

    private static RccException unavailable(String what, Throwable cause) {
        return RccException.of(
                ErrorCode.UNAVAILABLE, what + ": is the gateway there, and may this machine reach it?", cause);
    }

    /** Whether the client may send its token, if it has one, on a connection to this address. */
    static boolean maySendToken(ClientOptions options, SocketAddress remote) {
        return options.token().isEmpty()
                || options.tls() != null
                || options.plainToken()
                || (remote instanceof InetSocketAddress address
                        && address.getAddress().isLoopbackAddress());
    }

    boolean isOpen() {
        return end == null && channel.isActive();
    }

    /** Whether a caller waits for an answer. */
    boolean isUsed() {
        return !pending.isEmpty();
    }

    Message.Welcome welcome() {
        return welcome;
    }

    /**
     * Checks that the gateway's version is not too old.
     *
     * @param what the feature and its verb, as in "locks take", for the message
     * @param least the least version that the feature takes
     */
    void checkVersion(String what, int least) {
        checkVersion(welcome.version(), what, least);
    }

    /** Checks that a version is not too old, as {@link #checkVersion(String, int)}. */
    static void checkVersion(int version, String what, int least) {
        if (version < least) {
            throw RccException.of(
                    ErrorCode.UNSUPPORTED_VERSION,
                    "the gateway speaks version " + version + ", and " + what + " " + least + ": upgrade the servers",
                    null);
        }
    }

    /** All tables, as they were when the connection was made. */
    List<Message.TableInfo> tables() {
        return tables.tables();
    }

    /** The table with this name, or null. */
    Message.TableInfo table(String name) {
        return find(tables, name);
    }

    static Message.TableInfo find(Message.Tables tables, String name) {
        for (Message.TableInfo table : tables.tables()) {
            if (table.name().equals(name)) {
                return table;
            }
        }
        return null;
    }

    /**
     * Takes room for a transaction or a call, until its end is answered.
     *
     * @throws UnavailableException when the connection has as many as the gateway allows
     */
    void open() {
        int most = welcome.limits().transactions();
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            throw RccException.of(
                    ErrorCode.OVERLOADED,
                    "the connection has " + most + " open transactions, as many as the gateway allows"
                            + " (client.transactions): try again later, or use more connections",
                    null);
        }
    }

    /** Sends the commit or abort of a transaction that is {@link #open}, or a call that is, as {@link #call}. */
    CompletableFuture<Message.Reply> endBy(Message.Request message) {
        return call(message, true).whenComplete((reply, failure) -> giveBack());
    }

    /** Gives back the room of a transaction that is {@link #open}, and of which nothing was sent. */
    void giveBack() {
        open.decrementAndGet();
    }

    /** A number for a transaction that no other transaction of this connection has had for a long time. */
    int nextTransaction() {
        return transactions.incrementAndGet();
    }

    /** A number for a lock that no other lock of this connection has had for a long time. */
    int nextLock() {
        return locks.incrementAndGet();
    }

    /** Registers a listener that is called on the connection's thread, at once, when the gateway reports a lock as lost. */
    void whenLockLost(int lock, Runnable listener) {
        whenLost.put(lock, listener);
    }

    /** Removes the listener of a lock that is no longer held. */
    void forgetLock(int lock) {
        whenLost.remove(lock);
    }

    /** Runs a task after a delay, on the connection's thread, even if the connection has ended by then, unless the task is cancelled. */
    Future<?> schedule(Runnable task, long nanos) {
        return channel.eventLoop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Checks that the gateway takes the frame of a request. It would close the connection, with the requests of other callers, if the frame was
     * longer than it takes.
     *
     * @throws BadRequestException when the frame is too long
     */
    void checkLength(Message.Request message) {
        int length = MessageCodec.length(message);
        int most = welcome == null ? Wire.HELLO_LENGTH_MAX : welcome.limits().frameLength();
        if (length > most) {
            throw RccException.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    name(message) + " takes a message of " + length + " bytes, allowed: " + most
                            + " (client.frame-bytes): send less at once, or let the gateways take longer messages",
                    null);
        }
    }

    private String name(Message.Request message) {
        return switch (message) {
            case Message.PatchRecord patch -> "the patch of a record of table " + tableName(patch);
            case Message.Operation write -> "the record for table " + tableName(write);
            case Message.Call call -> "the call of procedure " + call.procedure();
            case Message.Autocommit single -> name(single.operation());
            default -> "the request";
        };
    }

    private String tableName(Message.Operation operation) {
        for (Message.TableInfo table : tables.tables()) {
            if (table.id() == operation.table()) {
                return table.name();
            }
        }
        return Integer.toString(operation.table());
    }

    /**
     * Sends a request. The future completes with the answer or with a {@link RccException}.
     *
     * @throws BadRequestException when the request is too long; it is not sent
     */
    CompletableFuture<Message.Reply> call(Message.Request message, boolean flush) {
        checkLength(message);
        CompletableFuture<Message.Reply> answer = new CompletableFuture<>();
        int request = nextRequest();
        pending.put(request, answer);
        send(new Frame(request, message), flush);
        if (end != null) { // perhaps after the pending requests were completed
            pending.remove(request);
            answer.completeExceptionally(end);
        }
        return answer;
    }

    /**
     * Sends a request that has no answer, or whose answer no caller waits for.
     *
     * @throws BadRequestException when the request is too long; it is not sent
     */
    void tell(Message.Request message, boolean flush) {
        checkLength(message);
        send(new Frame(nextRequest(), message), flush);
    }

    /** The number of the next request. It is never 0, to which answers concern the whole connection. */
    private int nextRequest() {
        int next = requests.incrementAndGet();
        return next == 0 ? requests.incrementAndGet() : next;
    }

    /** Releases a lock, or gives up the wait for it, without waiting for the gateway. */
    synchronized void unlock(int lock) {
        forgetLock(lock);
        lastUnlock = call(new Message.Unlock(lock), true);
    }

    private void send(Frame frame, boolean flush) {
        if (end == null) {
            frames.add(frame, flush);
        }
    }

    /** The answer to the last unlock: requests that the gateway has not read when a connection ends can be lost. */
    synchronized CompletableFuture<?> lastUnlock() {
        return lastUnlock;
    }

    void close() {
        channel.close();
    }

    private void end(RccException why) {
        if (end == null) {
            end = why;
        }
        Iterator<CompletableFuture<Message.Reply>> answers = pending.values().iterator();
        while (answers.hasNext()) {
            CompletableFuture<Message.Reply> answer = answers.next();
            answers.remove();
            answer.completeExceptionally(end);
        }
        channel.close();
    }

    /** The last handler of the connection's pipeline. */
    private final class Handler extends SimpleChannelInboundHandler<Frame> {
        private final FrameDecoder decoder;
        private final ClientOptions options;
        private final CompletableFuture<Link> ready;
        private final Listener listener;
        /** The frames that arrived together. */
        private final List<Frame> arrived = new ArrayList<>();
        /** Whether nothing has come since a probe was sent. */
        private boolean probed;

        Handler(FrameDecoder decoder, ClientOptions options, CompletableFuture<Link> ready, Listener listener) {
            super(Frame.class);
            this.decoder = decoder;
            this.options = options;
            this.ready = ready;
            this.listener = listener;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (!maySendToken(options, channel.remoteAddress())) {
                ready.completeExceptionally(RccException.of(
                        ErrorCode.UNAUTHENTICATED,
                        "the token is not sent to " + channel.remoteAddress()
                                + ", because the connection is not encrypted: use TLS, or withPlainToken if no host on"
                                + " the way can read it",
                        null));
                channel.close();
                return;
            }
            call(new Message.Hello(Wire.MIN_VERSION, Wire.VERSION, options.token(), options.name()), true)
                    .thenCompose(reply -> {
                        if (!(reply instanceof Message.Welcome w)) {
                            throw new MalformedFrame("a hello is answered with a welcome, got " + reply);
                        }
                        listener.welcomed(w);
                        welcome = w;
                        listener.members(w.members());
                        decoder.limit(w.limits().frameLength());
                        return call(new Message.DescribeTables(), true);
                    })
                    .whenComplete((reply, failure) -> {
                        if (reply instanceof Message.Tables t) {
                            tables = t;
                            listener.described(t);
                            ready.complete(Link.this);
                        } else {
                            ready.completeExceptionally(failure == null ? new MalformedFrame("no tables") : failure);
                            channel.close();
                        }
                    });
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame frame) {
            probed = false;
            arrived.add(frame);
            if (tables == null) {
                deliver(); // the frames after the welcome are decoded with another limit
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            deliver();
        }

        /**
         * Nothing has come for a while. The host may be gone, or a firewall may have dropped the connection: the system would send for minutes before
         * it reports so. If a caller waits, probes the gateway, which answers a probe at once whatever its transactions wait for. If nothing has come
         * since the last probe either, ends the connection.
         */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (!(event instanceof IdleStateEvent) || tables == null || pending.isEmpty()) {
                context.fireUserEventTriggered(event);
            } else if (probed) {
                end(unavailable("the gateway at " + channel.remoteAddress() + " does not answer", null));
                listener.silent();
            } else {
                probed = true;
                call(new Message.DescribeTables(), true);
            }
        }

        /** Delivers the answers that arrived together to their waiting callers. */
        private void deliver() {
            List<Frame> frames = List.copyOf(arrived);
            arrived.clear();
            frames.forEach(this::deliver);
        }

        private void deliver(Frame frame) {
            if (!(frame.message() instanceof Message.Reply reply)) {
                throw new MalformedFrame("the gateway sent a request; only replies are allowed");
            }
            if (frame.request() == 0 && reply instanceof Message.Failed failed) {
                end(RccException.ofConnection(failed));
                return;
            }
            if (frame.request() == 0 && reply instanceof Message.Members m) {
                listener.members(m.members());
                return;
            }
            if (frame.request() == 0 && reply instanceof Message.Placement p) {
                listener.placed(Link.this, p);
                return;
            }
            if (frame.request() == 0 && reply instanceof Message.Zones z) {
                listener.zones(z);
                return;
            }
            if (frame.request() == 0 && reply instanceof Message.LockLost lost) {
                Runnable listener = whenLost.remove(lost.lock());
                if (listener != null) {
                    listener.run();
                }
                return;
            }
            CompletableFuture<Message.Reply> answer = pending.remove(frame.request());
            if (answer == null) {
                return; // no caller waits for it
            }
            if (reply instanceof Message.Failed failed) {
                answer.completeExceptionally(RccException.of(failed));
            } else {
                answer.complete(reply);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            deliver();
            end(unavailable("the connection to " + channel.remoteAddress() + " was lost", null));
            ready.completeExceptionally(end);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("the connection to {} is gone", channel.remoteAddress(), cause);
            deliver();
            end(unavailable("the connection to " + channel.remoteAddress() + " failed", cause));
            ready.completeExceptionally(end);
        }
    }
}
