package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.FrameDecoder;
import dev.rcc.client.wire.MalformedFrame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection. Frames arrive on its event loop; workers may send at any time. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends the connection, and so what is open on it
final class Connection extends SimpleChannelInboundHandler<Frame> {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Gateway gateway;
    private final long number;
    private final long beginNanos = System.nanoTime();
    private final FrameDecoder decoder;
    private final Channel channel;
    /** Transactions that the client has not ended, by its numbers; the event loop's. */
    private final Map<Integer, Placed> open = new HashMap<>();
    /** Those that have not ended. */
    private final Map<Session, Placed> running = new ConcurrentHashMap<>();

    /** What the client calls itself. */
    private String client = "";

    private volatile boolean welcomed;
    /** What the client may do, once it was let in. */
    private Permissions permissions;

    private boolean closing;
    private volatile long unwritableSinceNanos;
    private volatile boolean unwritable;

    /** A session and its worker's seats. */
    private record Placed(Session session, Gateway.Station station) {
        void offer(Frame request) {
            station.worker().execute(() -> session.offer(request));
        }

        void end(Ending ending) {
            station.worker().execute(() -> session.end(ending));
        }
    }

    Connection(Gateway gateway, long number, FrameDecoder decoder, Channel channel) {
        super(Frame.class);
        this.gateway = gateway;
        this.number = number;
        this.decoder = decoder;
        this.channel = channel;
    }

    // ---- for sessions, on any thread -------------------------------------------------------------------------------

    Catalog catalog() {
        return gateway.node().catalog();
    }

    Outcomes outcomes() {
        return gateway.outcomes();
    }

    OutcomeRecords outcomeRecords() {
        return gateway.outcomeRecords();
    }

    Message.Tables tables() {
        return gateway.tables();
    }

    CallResults results() {
        return gateway.results();
    }

    /** Whether the client keeps up with reading its answers. */
    boolean isWritable() {
        return channel.isWritable();
    }

    /** Sends a frame; if the connection is gone, so is the frame. */
    void send(Frame frame, boolean flush) {
        if (!channel.isActive()) {
            return; // there may be very many answers to nobody
        }
        ByteBuf bytes = channel.alloc().buffer();
        MessageCodec.encode(frame, bytes);
        if (flush) {
            channel.writeAndFlush(bytes, channel.voidPromise());
        } else {
            channel.write(bytes, channel.voidPromise());
        }
    }

    /** A session has ended. */
    void concluded(Session session) {
        running.remove(session);
    }

    /** Its number, which no other connection of the gateway has had. */
    long number() {
        return number;
    }

    /** Whether the client has been let in. */
    boolean isWelcome() {
        return welcomed;
    }

    /** What an administrator sees of it, once the client has been let in. */
    Message.Session describe(long nowNanos) {
        return new Message.Session(
                number,
                permissions.user().name(),
                client,
                channel.remoteAddress().toString().replaceFirst("^/", ""),
                running.size(),
                TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNanos - beginNanos)));
    }

    /** Closes it, because this administrator wants that. */
    void end(String by) {
        channel.eventLoop().execute(() -> {
            if (!closing) {
                LOG.info("closing the connection of {}: user {} has ended it", channel.remoteAddress(), by);
                dismiss(ErrorCode.UNAVAILABLE, "an administrator has ended the connection: connect again, or ask why");
            }
        });
    }

    /** Closes it, because the node is cut off from most others; the client was told where they are. */
    void sendAway() {
        channel.eventLoop().execute(() -> {
            if (welcomed && !closing) {
                dismiss(
                        ErrorCode.UNAVAILABLE,
                        "the gateway's node is cut off from most others, which may go on without it: use another one");
            }
        });
    }

    private void dismiss(ErrorCode code, String text) {
        endAll(new Ending(code, text));
        farewell(0, code, text);
    }

    /** Tells the client where the gateways are, if it has been let in: then it was told before. */
    void tellMembers() {
        channel.eventLoop().execute(() -> {
            if (welcomed && !closing) {
                send(new Frame(0, gateway.members()), true);
            }
        });
    }

    /** Those who may come in have changed: looks whether this user still may, and what. */
    void recognise() {
        channel.eventLoop().execute(() -> {
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
            LOG.info("closing the connection of {}: {}", channel.remoteAddress(), text);
            dismiss(ErrorCode.UNAUTHENTICATED, text);
        });
    }

    /** Closes the connection if it has not read for too long. */
    void reap(long nowNanos, long slowReaderNanos) {
        if (unwritable && nowNanos - unwritableSinceNanos > slowReaderNanos) {
            closeBecause("it does not read its answers");
        }
    }

    private void closeBecause(String why) {
        LOG.info("closing the connection of {}: {}", channel.remoteAddress(), why);
        channel.close();
    }

    // ---- on the event loop -----------------------------------------------------------------------------------------

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (!welcomed && channel.isActive()) {
                                closeBecause("it has not said hello");
                            }
                        },
                        gateway.options().helloTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gateway.closed(this);
        endAll(new Ending(ErrorCode.UNAVAILABLE, "the client's connection is gone"));
    }

    private void endAll(Ending why) {
        running.values().forEach(placed -> placed.end(why));
        open.clear();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        unwritableSinceNanos = System.nanoTime();
        unwritable = !channel.isWritable();
        channel.config().setAutoRead(!unwritable); // who does not read answers may not ask
        if (!unwritable) {
            running.values().forEach(placed -> placed.station().worker().execute(placed.session()::writable));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (closing) {
            return;
        }
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (cause instanceof MalformedFrame) {
            LOG.info("closing the connection of {}: {}", channel.remoteAddress(), cause.getMessage());
            farewell(0, ErrorCode.MALFORMED_FRAME, cause.getMessage() + ": speak version " + Wire.VERSION);
        } else if (reason instanceof IOException) {
            LOG.debug("the connection of {} is gone: {}", channel.remoteAddress(), reason.toString());
            channel.close();
        } else {
            LOG.error("closing the connection of {}", channel.remoteAddress(), cause);
            channel.close();
        }
    }

    /** Says why, then closes. */
    private void farewell(int request, ErrorCode code, String text) {
        closing = true;
        channel.config().setAutoRead(false);
        ByteBuf bytes = channel.alloc().buffer();
        MessageCodec.encode(new Frame(request, new Ending(code, text).toReply()), bytes);
        channel.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        if (closing) {
            return; // what came along with the frame that was not understood
        }
        if (!welcomed) {
            greet(frame);
            return;
        }
        switch (frame.message()) {
            case Message.DescribeTables describe -> send(new Frame(frame.request(), gateway.tables()), true);
            case Message.AskOutcome ask -> ask(frame, ask);
            case Message.DescribeUsage describe -> describeUsage(frame, describe);
            case Message.DescribeSessions describe -> describeSessions(frame, describe);
            case Message.EndSession end -> endSession(frame, end);
            case Message.Begin begin -> begin(frame, begin);
            case Message.Commit commit -> commit(frame, commit);
            case Message.Call call -> call(frame, call);
            case Message.Abort abort -> end(frame, abort);
            case Message.InTransaction operation -> {
                Placed placed = open.get(operation.txn());
                if (placed == null) {
                    refuseUnknown(frame, operation.txn());
                } else {
                    placed.offer(frame);
                }
            }
            case Message.Hello hello -> throw new MalformedFrame("a second hello");
            case Message.Reply reply -> throw new MalformedFrame("a client that sends replies");
        }
    }

    private void greet(Frame frame) {
        if (!(frame.message() instanceof Message.Hello hello)) {
            throw new MalformedFrame("a connection that does not begin with a hello");
        }
        if (hello.minVersion() > Wire.VERSION || hello.maxVersion() < Wire.VERSION) {
            farewell(
                    frame.request(),
                    ErrorCode.UNSUPPORTED_VERSION,
                    "this gateway speaks version " + Wire.VERSION + ", the client " + hello.minVersion() + " to "
                            + hello.maxVersion() + ": upgrade the older one");
        } else {
            admit(frame, hello);
        }
    }

    private void admit(Frame frame, Message.Hello hello) {
        Users users = gateway.users();
        if (!users.isOpen() && !hello.token().isEmpty() && !mayShowToken()) {
            farewell(
                    frame.request(),
                    ErrorCode.UNAUTHENTICATED,
                    "the token came over a connection that is not encrypted, where others may have read it: use another"
                            + " token and TLS, or have the servers allow it (client.plain-tokens)");
            return;
        }
        Optional<User> user = users.find(hello.token(), commonName());
        if (user.isEmpty()) {
            farewell(
                    frame.request(),
                    ErrorCode.UNAUTHENTICATED,
                    hello.token().isEmpty()
                            ? "the gateway lets in only whom it knows by a token or certificate: configure the client"
                                    + " with one"
                            : "the gateway does not know this token: configure the client with one that it knows");
            return;
        }
        if (!gateway.welcomes(channel)) {
            farewell(
                    frame.request(),
                    ErrorCode.OVERLOADED,
                    "the gateway has as many connections as it takes: use another one, or wait");
            return;
        }
        permissions = new Permissions(user.get(), catalog());
        client = hello.client();
        welcomed = true;
        decoder.limit(gateway.options().limits().frameLength());
        send(new Frame(frame.request(), gateway.welcome()), true);
    }

    private boolean mayShowToken() {
        return gateway.options().tls() != null
                || gateway.options().plainTokens()
                || (channel.remoteAddress() instanceof InetSocketAddress remote
                        && remote.getAddress().isLoopbackAddress());
    }

    /** The common name in the certificate that the client has shown and that is trusted, if it has. */
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
                            .findFirst();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty(); // it has shown none
        } catch (InvalidNameException e) {
            LOG.info("the certificate of {} has no name that can be read: {}", channel.remoteAddress(), e.getMessage());
            return Optional.empty();
        }
    }

    private void begin(Frame frame, Message.Begin begin) {
        if (open.containsKey(begin.txn())) {
            throw new MalformedFrame("transaction " + begin.txn() + " is open already");
        }
        if (isFull()) {
            refuseMore(frame);
            return;
        }
        Gateway.Station station = gateway.nextStation();
        Session session = new Session(
                this,
                station.worker(),
                station.seats(),
                begin,
                gateway.options().limits(),
                permissions);
        Placed placed = new Placed(session, station);
        open.put(begin.txn(), placed);
        running.put(session, placed);
    }

    private void ask(Frame frame, Message.AskOutcome ask) {
        if (outcomeRecords() == null) {
            send(new Frame(frame.request(), gateway.outcome(ask)), true);
            return;
        }
        long patience = TimeUnit.MILLISECONDS.toNanos(gateway.options().limits().idleMillis());
        OutcomeQuestion question = new OutcomeQuestion(this, frame, System.nanoTime() + patience);
        Gateway.Station station = gateway.nextStation();
        station.worker().execute(() -> station.seats().admit(question));
    }

    // ---- for administrators ----------------------------------------------------------------------------------------

    private void describeUsage(Frame frame, Message.DescribeUsage describe) {
        OutcomeRecords hidden = outcomeRecords();
        if (describe.table() >= catalog().userTables()
                || (hidden != null && hidden.table().id() == describe.table())) {
            refuse(
                    frame,
                    ErrorCode.NO_SUCH_TABLE,
                    "there is no table number " + describe.table() + ": ask for the catalogue");
            return;
        }
        Table table = catalog().table(describe.table());
        if (isAllowed(frame, permissions.refusal(Role.ADMIN, table))) {
            gateway.count(table, usage -> send(new Frame(frame.request(), usage), true));
        }
    }

    private void describeSessions(Frame frame, Message.DescribeSessions describe) {
        if (isAllowed(frame, permissions.refusal(Role.ADMIN))) {
            send(new Frame(frame.request(), gateway.sessions(describe.after())), true);
        }
    }

    private void endSession(Frame frame, Message.EndSession end) {
        if (isAllowed(frame, permissions.refusal(Role.ADMIN))) {
            boolean existed = gateway.end(end.number(), permissions.user().name());
            send(new Frame(frame.request(), new Message.Deleted(existed)), true);
        }
    }

    private boolean isAllowed(Frame frame, Ending refusal) {
        if (refusal != null) {
            refuse(frame, refusal.code(), refusal.text());
        }
        return refusal == null;
    }

    // ---- transactions ----------------------------------------------------------------------------------------------

    private boolean isFull() {
        return Math.max(open.size(), running.size())
                >= gateway.options().limits().transactions();
    }

    private void refuseMore(Frame frame) {
        send(
                new Frame(
                        frame.request(),
                        Ending.refusal(
                                ErrorCode.LIMIT_EXCEEDED,
                                "a connection may have "
                                        + gateway.options().limits().transactions()
                                        + " open transactions: end some, or use another connection")),
                true);
    }

    private void call(Frame frame, Message.Call call) {
        StoredProcedure<?, ?> procedure = gateway.procedures().find(call.procedure());
        if (procedure == null) {
            refuse(
                    frame,
                    ErrorCode.NO_SUCH_PROCEDURE,
                    "there is no procedure '" + call.procedure() + "' at this server: store it at all of them");
            return;
        }
        int argumentBytes = procedure.type().argument().bytes();
        if (call.argument().length() != argumentBytes) {
            refuse(
                    frame,
                    ErrorCode.BAD_REQUEST,
                    "procedure " + call.procedure() + " takes an argument of " + argumentBytes + " bytes, got "
                            + call.argument().length() + ": give the client the server's ProcedureType");
            return;
        }
        if (isFull()) {
            refuseMore(frame);
            return;
        }
        Message.OutcomeIs before = call.id().equals(CommitId.NONE) || outcomeRecords() != null
                ? null
                : outcomes().begin(call.id(), System.nanoTime());
        if (before != null) {
            answerAgain(frame, call, before);
            return;
        }
        Gateway.Station station = gateway.nextStation();
        Session session = new Session(
                this,
                station.worker(),
                station.seats(),
                call,
                procedure,
                gateway.options().limits(),
                permissions);
        Placed placed = new Placed(session, station);
        running.put(session, placed);
        placed.offer(frame);
    }

    private void refuse(Frame frame, ErrorCode code, String text) {
        send(new Frame(frame.request(), new Ending(code, text).toReply()), true);
    }

    /** A call that has come before is not carried out again. */
    private void answerAgain(Frame frame, Message.Call call, Message.OutcomeIs before) {
        if (before.status() != Message.Status.COMMITTED) {
            refuse(frame, ErrorCode.CONFLICT, refusalOf(before));
            return;
        }
        Message.Returned result = results().get(call.id());
        if (result != null) {
            send(new Frame(frame.request(), result), true);
        } else {
            send(new Frame(frame.request(), Session.RESULT_FORGOTTEN.toReply()), true);
        }
    }

    private static String refusalOf(Message.OutcomeIs before) {
        return before.status() == Message.Status.IN_PROGRESS
                ? "a commit with this id is in progress: ask for its outcome, and use an id only once"
                : "the commit's outcome was asked for before it came, so it is refused: begin again";
    }

    private void commit(Frame frame, Message.Commit commit) {
        Placed placed = open.get(commit.txn());
        Message.OutcomeIs before = commit.id().equals(CommitId.NONE) || placed == null || outcomeRecords() != null
                ? null
                : outcomes().begin(commit.id(), System.nanoTime());
        if (before == null) {
            end(frame, commit);
            return;
        }
        open.remove(commit.txn());
        placed.end(new Ending(ErrorCode.CONFLICT, "the commit's outcome was known before it came"));
        if (before.status() == Message.Status.COMMITTED) {
            send(new Frame(frame.request(), new Message.Committed(before.commitTs())), true);
        } else {
            refuse(frame, ErrorCode.CONFLICT, refusalOf(before));
        }
    }

    /** The transaction's last request: its number is free again. */
    private void end(Frame frame, Message.InTransaction last) {
        Placed placed = open.remove(last.txn());
        if (placed == null) {
            refuseUnknown(frame, last.txn());
        } else {
            placed.offer(frame);
        }
    }

    private void refuseUnknown(Frame frame, int txn) {
        send(
                new Frame(
                        frame.request(),
                        new Ending(
                                        ErrorCode.NO_SUCH_TRANSACTION,
                                        "there is no open transaction " + Integer.toUnsignedString(txn)
                                                + " on this connection: begin it first")
                                .toReply()),
                true);
    }
}
