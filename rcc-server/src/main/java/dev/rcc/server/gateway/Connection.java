package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.MalformedFrame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection, where the wire protocol ends: on an I/O thread until the client is admitted, then on the worker that runs its
 * transactions.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the task that closes a connection without a hello
final class Connection extends SimpleChannelInboundHandler<Frame> implements AnswerSink, ClientSocket.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Gateway gateway;
    private final long number;
    private final long beginNanos = System.nanoTime();
    private final FrameDecoder decoder;
    private final Channel channel;
    private final ClientSocket socket;
    /** The client's permissions, once it was admitted. */
    private Permissions permissions;
    /** The slots in which its transactions run, once it was admitted. */
    private TransactionSlots slots;
    /** Its transactions and locks, once it was admitted. */
    private ClientSession session;

    /** The version of the protocol that was agreed on, once it was admitted. */
    private int version;

    /** The name that the client gives itself. */
    private String client = "";

    private volatile boolean welcomed;

    private boolean closing;
    private volatile long unreadSinceNanos;
    /** Whether so many answers are unread that no more can be written, or the last message. */
    private volatile boolean unread;

    Connection(Gateway gateway, long number, FrameDecoder decoder, Channel channel) {
        super(Frame.class);
        this.gateway = gateway;
        this.number = number;
        this.decoder = decoder;
        this.channel = channel;
        this.socket = new ClientSocket(channel, decoder, this);
    }

    // ---- on the connection's own thread, and in the coroutines of its transactions --------------------------------

    @Override
    public boolean isWritable() {
        return socket.isWritable();
    }

    @Override
    public void answer(int request, Message.Reply reply) {
        socket.send(new Frame(request, reply));
    }

    // ---- on any thread ---------------------------------------------------------------------------------------------

    /** Its number, which no other connection of the gateway has had. */
    long number() {
        return number;
    }

    /** Whether the client has been admitted. */
    boolean isWelcome() {
        return welcomed;
    }

    /** The description of it for administrators, once the client has been admitted. */
    Message.Session describe(long nowNanos) {
        return new Message.Session(
                number,
                permissions.user().name(),
                client,
                channel.remoteAddress().toString().replaceFirst("^/", ""),
                session.running(),
                TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNanos - beginNanos)));
    }

    /** Closes it at the request of this administrator. */
    void end(String by) {
        socket.execute(() -> {
            if (!closing) {
                LOG.info(
                        "event=client_disconnected client={}: user {} has closed the connection",
                        channel.remoteAddress(),
                        by);
                dismiss(ErrorCode.UNAVAILABLE, "an administrator has ended the connection: connect again, or ask why");
            }
        });
    }

    /** Closes it, because the node is cut off from most other nodes; the client has been sent their addresses. */
    void sendAway() {
        socket.execute(() -> {
            if (welcomed && !closing) {
                session.loseLocks(this::leaveCutOff); // first notifies the client of its locks
            }
        });
    }

    private void leaveCutOff() {
        socket.execute(() -> {
            if (!closing) {
                dismiss(
                        ErrorCode.UNAVAILABLE,
                        "the gateway's node is cut off from most others, which may go on without it: use another one");
            }
        });
    }

    private void dismiss(ErrorCode code, String text) {
        if (welcomed) {
            session.end(new Failure(code, text));
        }
        closeWith(0, code, text);
    }

    /** Sends an admitted client the gateways' addresses again; it was sent them when it was admitted. */
    void tellMembers() {
        socket.execute(() -> {
            if (welcomed && !closing) {
                answer(0, gateway.members());
                if (wantsZones()) {
                    answer(0, gateway.zones());
                }
            }
        });
    }

    /** Sends the placement again to an admitted client that wants it; it was sent it when it was admitted. */
    void tellPlacement() {
        socket.execute(() -> {
            if (welcomed && !closing && wantsPlacement()) {
                answer(0, gateway.placement());
            }
        });
    }

    private boolean wantsZones() {
        return version >= Wire.ZONES_VERSION && gateway.hasZones();
    }

    private boolean wantsPlacement() {
        return version >= Wire.PLACEMENT_VERSION;
    }

    /** The users have changed: takes over this user's present permissions, or closes the connection if the user is not among them any more. */
    void recognise() {
        socket.execute(() -> {
            if (!welcomed || closing) {
                return;
            }
            User before = permissions.user();
            Optional<User> now = gateway.users().again(before);
            if (now.isPresent()) {
                permissions.become(now.get());
                return;
            }
            String text = "user " + before.name()
                    + " may not come in any more: configure the client with a token or certificate that the servers"
                    + " know";
            LOG.info("event=client_disconnected client={}: {}", channel.remoteAddress(), text);
            dismiss(ErrorCode.UNAUTHENTICATED, text);
        });
    }

    /** Closes the connection if its client has not read answers for too long. */
    void reap(long nowNanos, long slowReaderNanos) {
        if (unread && nowNanos - unreadSinceNanos > slowReaderNanos) {
            unread = false; // once is enough
            closeBecause("it does not read its answers");
        }
    }

    private void closeBecause(String why) {
        logEnd(why);
        socket.close();
    }

    /** Logs that the client has made the gateway end the connection. Clients can do so at will: they must not fill the disk. */
    private void logEnd(String why) {
        long more = gateway.endsLog().admit();
        if (more >= 0) {
            LOG.info("event=client_disconnected client={} ended_before={}: {}", channel.remoteAddress(), more, why);
        }
    }

    /** Closes it behind all answers that were sent. */
    void close() {
        socket.close();
    }

    Channel channel() {
        return channel;
    }

    // ---- on the connection's own thread ---------------------------------------------------------------------------

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (!welcomed && channel.isActive()) {
                                closeBecause("it has not sent a hello in time");
                            }
                        },
                        gateway.options().timeouts().hello().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        socket.closed();
        lost();
    }

    @Override
    public void lost() {
        gateway.closed(this);
        if (welcomed) {
            session.gone();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (closing) {
            return;
        }
        boolean isUnread = !channel.isWritable();
        unread(isUnread);
        channel.config().setAutoRead(!isUnread); // a client that does not read answers may not send requests
        if (!isUnread) {
            writable();
        }
    }

    private void unread(boolean isUnread) {
        unreadSinceNanos = System.nanoTime();
        unread = isUnread;
    }

    @Override
    public void writable() {
        if (welcomed) {
            session.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(cause);
    }

    @Override
    public void failed(RuntimeException why) {
        failed((Throwable) why);
    }

    private void failed(Throwable cause) {
        if (closing) {
            return;
        }
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (cause instanceof MalformedFrame) {
            logEnd(cause.getMessage());
            closeWith(0, ErrorCode.MALFORMED_FRAME, cause.getMessage() + ": use protocol version " + Wire.VERSION);
        } else if (reason instanceof IOException) {
            LOG.debug("the connection of {} is gone: {}", channel.remoteAddress(), reason.toString());
            socket.closeNow();
        } else {
            LOG.error("event=client_disconnected client={}", channel.remoteAddress(), cause);
            socket.closeNow();
        }
    }

    private Message.Tables tables() {
        Message.Tables tables = gateway.core().tables();
        return version >= Wire.TABLE_ATTRIBUTES_VERSION ? tables : tables.withoutAttributes();
    }

    /** Closes it with an error, once the client has read that, or has not read it for too long. */
    private void closeWith(int request, ErrorCode code, String text) {
        closing = true;
        unread(true);
        socket.closeWith(new Frame(request, new Failure(code, text).toReply()));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        socket.arrive(frame);
    }

    @Override
    public void take(Frame frame) {
        if (closing) {
            return; // it came along with a frame that was not understood
        }
        if (!welcomed) {
            hello(frame);
            return;
        }
        switch (frame.message()) {
            case Message.DescribeTables describe -> answer(frame.request(), tables());
            case Message.DescribeUsage describe -> describeUsage(frame, describe);
            case Message.DescribeSessions describe -> describeSessions(frame, describe);
            case Message.EndSession end -> endSession(frame, end);
            case Message.AskOutcome ask -> session.ask(frame.request(), ask.id(), ask.incarnation(), ask.ageMillis());
            case Message.Autocommit single ->
                session.autocommit(
                        frame.request(),
                        new TransactionTerms(single.readOnly(), single.timeoutMillis(), single.minCommitTs()),
                        single.id(),
                        Operation.of(single.operation()));
            case Message.Call call ->
                session.call(
                        frame.request(),
                        new TransactionTerms(call.readOnly(), call.timeoutMillis(), call.minCommitTs()),
                        call.id(),
                        call.procedure(),
                        call.argument());
            case Message.Begin begin -> begin(frame.request(), begin);
            case Message.Commit commit ->
                session.request(frame.request(), commit.txn(), new Request.Commit(commit.id()));
            case Message.Abort abort -> session.request(frame.request(), abort.txn(), new Request.Abort());
            case Message.Operation operation ->
                session.request(frame.request(), operation.txn(), Operation.of(operation));
            case Message.Fence fence ->
                session.request(
                        frame.request(),
                        fence.txn(),
                        Fences.operation(gateway.core().fences(), fence, permissions));
            case Message.Lock lock -> session.lock(frame.request(), lock);
            case Message.Upgrade upgrade -> session.upgrade(frame.request(), upgrade);
            case Message.Unlock unlock -> session.unlock(frame.request(), unlock);
            case Message.DescribeLocks describe -> session.describeLocks(frame.request(), describe);
            case Message.Hello hello -> throw new MalformedFrame("a second hello");
            case Message.Reply reply -> throw new MalformedFrame("a client that sends replies");
        }
    }

    private void hello(Frame frame) {
        if (!(frame.message() instanceof Message.Hello hello)) {
            throw new MalformedFrame("a connection that does not begin with a hello");
        }
        if (hello.minVersion() > Wire.VERSION || hello.maxVersion() < Wire.MIN_VERSION) {
            closeWith(
                    frame.request(),
                    ErrorCode.UNSUPPORTED_VERSION,
                    "this gateway speaks versions " + Wire.MIN_VERSION + " to " + Wire.VERSION + ", the client "
                            + hello.minVersion() + " to " + hello.maxVersion() + ": upgrade the older one");
        } else {
            admit(frame, hello);
        }
    }

    private void admit(Frame frame, Message.Hello hello) {
        Users users = gateway.users();
        if (!users.isOpen() && !hello.token().isEmpty() && !mayShowToken()) {
            closeWith(
                    frame.request(),
                    ErrorCode.UNAUTHENTICATED,
                    "the token came over a connection that is not encrypted, where others may have read it: use another"
                            + " token and TLS, or have the servers allow it (client.plain-tokens)");
            return;
        }
        Optional<User> user = users.find(hello.token(), commonName());
        if (user.isEmpty()) {
            closeWith(
                    frame.request(),
                    ErrorCode.UNAUTHENTICATED,
                    hello.token().isEmpty()
                            ? "the gateway admits only clients with a known token or certificate: configure the client"
                                    + " with one"
                            : "the gateway does not know this token: configure the client with one that it knows");
            return;
        }
        if (!gateway.welcomes(channel)) {
            closeWith(
                    frame.request(),
                    ErrorCode.OVERLOADED,
                    "the gateway has as many connections as it takes: use another one, or wait");
            return;
        }
        permissions = new Permissions(user.get(), gateway.core().node().catalog());
        slots = gateway.core().nextSlots();
        client = hello.client();
        session = gateway.core().connect(slots, permissions, this, client);
        version = Math.min(hello.maxVersion(), Wire.VERSION);
        welcomed = true;
        int frameLength = gateway.options().limits().frameLength();
        decoder.limit(frameLength);
        answer(frame.request(), gateway.welcome(version));
        socket.limit(frameLength); // the client reads it in the welcome
        if (wantsPlacement()) {
            answer(0, gateway.placement());
        }
        if (wantsZones()) {
            answer(0, gateway.zones());
        }
        socket.moveTo(slots.worker());
    }

    private boolean mayShowToken() {
        return gateway.options().access().tls() != null
                || gateway.options().access().plainTokens()
                || (channel.remoteAddress() instanceof InetSocketAddress remote
                        && remote.getAddress().isLoopbackAddress());
    }

    /** The common name in the trusted certificate that the client has shown, if it has shown one; the most specific one if it has several. */
    private Optional<String> commonName() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return Optional.empty();
        }
        try {
            String subject = tls.engine().getSession().getPeerPrincipal().getName();
            return new LdapName(subject)
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> part.getValue().toString())
                            .reduce((general, specific) -> specific); // they are in the order of X.500, from the root
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty(); // it has shown none
        } catch (InvalidNameException e) {
            LOG.info(
                    "event=client_certificate_unreadable client={}: its name cannot be read: {}",
                    channel.remoteAddress(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private void begin(int request, Message.Begin begin) {
        if (session.isOpen(begin.txn())) {
            throw new MalformedFrame("transaction " + begin.txn() + " is open already");
        }
        session.begin(
                request,
                begin.txn(),
                new TransactionTerms(begin.readOnly(), begin.timeoutMillis(), begin.minCommitTs()));
    }

    // ---- for administrators ----------------------------------------------------------------------------------------

    private void describeUsage(Frame frame, Message.DescribeUsage describe) {
        Catalog catalog = gateway.core().node().catalog();
        if (describe.table() >= catalog.userTables()
                || gateway.core().outcomes().isHidden(describe.table())
                || Fences.isHidden(catalog, describe.table())) {
            session.refuse(
                    frame.request(),
                    ErrorCode.NO_SUCH_TABLE,
                    "there is no table number " + describe.table() + ": ask for the catalogue");
            return;
        }
        Table table = catalog.table(describe.table());
        if (isAllowed(frame, permissions.refusal(Role.ADMIN, table))) {
            gateway.core().count(slots.worker(), table, usage -> answer(frame.request(), understood(usage)));
        }
    }

    private Message.Usage understood(Message.Usage usage) {
        return version >= Wire.OVERFLOW_VERSION ? usage : new Message.Usage(usage.records(), usage.capacity());
    }

    private void describeSessions(Frame frame, Message.DescribeSessions describe) {
        if (isAllowed(frame, permissions.refusal(Role.ADMIN))) {
            answer(frame.request(), gateway.sessions(describe.after()));
        }
    }

    private void endSession(Frame frame, Message.EndSession end) {
        if (isAllowed(frame, permissions.refusal(Role.ADMIN))) {
            boolean existed = gateway.end(end.number(), permissions.user().name());
            answer(frame.request(), new Message.Deleted(existed));
        }
    }

    private boolean isAllowed(Frame frame, Failure refusal) {
        if (refusal != null) {
            session.refuse(frame.request(), refusal.code(), refusal.text());
        }
        return refusal == null;
    }
}
