package dev.rcc.transport.control;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.control.ControlFrames.BadFrame;
import dev.rcc.transport.handshake.HandshakeFailed;
import dev.rcc.transport.handshake.ProvenPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One TCP connection to a node, behind the {@linkplain dev.rcc.transport.handshake handshake}: nothing arrives here before the node has proven its
 * number. The node becomes a peer when both ends have the same version and configuration. Used on the {@link ControlChannel}'s I/O thread only.
 *
 * <pre>
 *   connected --(handshake)--&gt; proven --(HELLO / WELCOME / PING)--&gt; admitted --(closed, silent, replaced)--&gt; closed
 *        \______________________\_____(refused, malformed, silent)______________________________________/
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports its failure by events
final class ControlConnection extends ByteToMessageDecoder {
    /** No node yet. */
    static final int NO_NODE = -1;

    private final ControlChannel owner;
    /** The node that was dialled, or {@link #NO_NODE} if the other end dialled. */
    private final int dialled;

    private final Map<Long, CompletableFuture<byte[]>> outstanding = new HashMap<>();
    private Channel channel;
    private ProvenPeer proven;
    private int peer = NO_NODE;
    private long lastHeardNanos = System.nanoTime();
    private long lastNumber;
    private int unanswered;
    private boolean welcomed;
    private boolean closed;

    ControlConnection(ControlChannel owner, int dialled) {
        this.owner = owner;
        this.dialled = dialled;
    }

    /** The peer, once it is admitted. */
    int peer() {
        return peer;
    }

    Channel channel() {
        return channel;
    }

    int dialled() {
        return dialled;
    }

    /** The node number that the peer has proven; -1 before that. */
    int claimed() {
        return proven == null ? NO_NODE : proven.node();
    }

    /** The incarnation of the peer, once it has proven that. */
    long incarnation() {
        return proven.incarnation();
    }

    long silentNanos(long now) {
        return now - lastHeardNanos;
    }

    /** Forgets a silence that this process may have caused itself. */
    void heard(long now) {
        lastHeardNanos = now;
    }

    void ping() {
        boolean isTaken = channel.isWritable() || LinkFaults.isFull(channel); // an unsent ping keeps no peer alive
        if (!closed && peer != NO_NODE && isTaken) {
            channel.writeAndFlush(ControlFrames.ping(channel.alloc()), channel.voidPromise());
        }
    }

    /** Asks the peer; the future is completed on another thread. */
    void ask(String topic, byte[] question, CompletableFuture<byte[]> answer) {
        if (outstanding.size() >= ControlChannel.MAX_OUTSTANDING) {
            owner.fail(
                    answer,
                    new ControlFailure("node " + peer + " has " + outstanding.size()
                            + " unanswered questions, the limit; no more are sent until it answers"));
            return;
        }
        long number = ++lastNumber;
        outstanding.put(number, answer);
        channel.writeAndFlush(ControlFrames.question(channel.alloc(), number, topic, question), channel.voidPromise());
    }

    /** Answers a question of the peer. */
    void answer(long number, byte[] answer) {
        unanswered--;
        if (!closed) {
            channel.writeAndFlush(ControlFrames.answer(channel.alloc(), number, answer), channel.voidPromise());
        }
    }

    /** Sends the peer the reason why its question has no answer. */
    void fail(long number, String message) {
        unanswered--;
        if (!closed) {
            channel.writeAndFlush(ControlFrames.failure(channel.alloc(), number, message), channel.voidPromise());
        }
    }

    /** Ends the connection. */
    void close() {
        if (!closed) {
            closed = true;
            channel.close();
            owner.lost(this);
            outstanding.values().forEach(answer -> owner.fail(answer, new PeerUnreachable(peer)));
            outstanding.clear();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!owner.opened(this)) {
            closed = true;
            context.close();
        }
        context.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ProvenPeer other && !closed) {
            proven = other;
            owner.proven(this);
            LinkFaults.peer(channel, other.node());
            if (dialled != NO_NODE) {
                context.writeAndFlush(
                        ControlFrames.hello(context.alloc(), ControlFrames.HELLO, owner.hello()),
                        context.voidPromise());
            }
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!closed) {
            if (peer == NO_NODE) {
                owner.ended(this, "it closed the connection");
            } else {
                owner.left(this, "it closed the connection");
            }
            close();
        }
        context.fireChannelInactive();
    }

    @Override
    @SuppressWarnings("deprecation") // ByteToMessageDecoder inherits it from a class where it is deprecated
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (!closed) {
            if (reason instanceof HandshakeFailed failure) {
                owner.failed(this, failure);
            } else {
                owner.ended(this, reason.toString());
            }
            close();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        lastHeardNanos = System.nanoTime();
        while (!closed && in.readableBytes() >= ControlFrames.LENGTH_BYTES) {
            int length = in.getInt(in.readerIndex());
            int longest = peer == NO_NODE ? ControlFrames.MAX_HELLO_BYTES : ControlFrames.MAX_FRAME_BYTES;
            if (length < 1 || length > longest) {
                reject("a length of " + length + " bytes, allowed are 1 to " + longest);
            } else if (in.readableBytes() < ControlFrames.LENGTH_BYTES + length) {
                return;
            } else {
                in.skipBytes(ControlFrames.LENGTH_BYTES);
                receive(in.readSlice(length));
            }
        }
        if (closed) {
            in.skipBytes(in.readableBytes());
        }
    }

    private void receive(ByteBuf frame) {
        byte type = frame.readByte();
        try {
            if (peer == NO_NODE) {
                receiveFirst(type, frame);
            } else {
                receive(type, frame);
            }
        } catch (BadFrame e) {
            reject("a frame of type " + type + ": " + e.getMessage());
        }
    }

    private void receiveFirst(byte type, ByteBuf body) throws BadFrame {
        if (dialled == NO_NODE && !welcomed && type == ControlFrames.HELLO) {
            String refusal = owner.refusal(proven, ControlFrames.readHello(body), false);
            if (refusal == null) {
                channel.writeAndFlush(
                        ControlFrames.hello(channel.alloc(), ControlFrames.WELCOME, owner.hello()),
                        channel.voidPromise());
                welcomed = true;
            } else {
                owner.refused(this, refusal);
                channel.writeAndFlush(ControlFrames.refused(channel.alloc(), owner.reasonForPeer(refusal)))
                        .addListener(ChannelFutureListener.CLOSE);
                closed = true;
                owner.lost(this);
            }
        } else if (welcomed && type == ControlFrames.PING) {
            // The dialler is admitted once it has received the WELCOME: an attempt that it has given up, or a
            // link that carries nothing back to it, must not pass for a connection.
            ControlFrames.checkEnd(body, true);
            admitUnless(owner.refusalOfIncarnation(proven));
        } else if (dialled != NO_NODE && type == ControlFrames.WELCOME) {
            if (admitUnless(owner.refusal(proven, ControlFrames.readHello(body), true))) {
                ping();
            }
        } else if (dialled != NO_NODE && type == ControlFrames.REFUSED) {
            owner.ended(this, "it refuses this node: " + ControlFrames.readReason(body));
            close();
        } else {
            throw new BadFrame("not what a connection begins with");
        }
    }

    private boolean admitUnless(String refusal) {
        if (refusal != null) {
            owner.refused(this, refusal);
            close();
        } else if (!closed) { // it is closed if the WELCOME could not be sent
            peer = proven.node();
            owner.admitted(this);
        }
        return refusal == null;
    }

    private void receive(byte type, ByteBuf body) throws BadFrame {
        switch (type) {
            case ControlFrames.PING -> ControlFrames.checkEnd(body, true);
            case ControlFrames.QUESTION -> {
                long number = ControlFrames.readNumber(body);
                String topic = ControlFrames.readText(body, ControlFrames.MAX_TOPIC_BYTES);
                byte[] question = ControlFrames.readRest(body);
                if (unanswered == ControlChannel.MAX_OUTSTANDING) {
                    throw new BadFrame("more than " + unanswered + " questions at once");
                }
                unanswered++;
                owner.serve(this, number, topic, question);
            }
            case ControlFrames.ANSWER -> {
                long number = ControlFrames.readNumber(body);
                byte[] answer = ControlFrames.readRest(body);
                owner.complete(claim(number), answer);
            }
            case ControlFrames.FAILURE -> {
                long number = ControlFrames.readNumber(body);
                String message = ControlFrames.readReason(body);
                owner.fail(claim(number), new ControlFailure(message));
            }
            default -> throw new BadFrame("unknown here");
        }
    }

    private CompletableFuture<byte[]> claim(long number) throws BadFrame {
        CompletableFuture<byte[]> answer = outstanding.remove(number);
        if (answer == null) {
            throw new BadFrame("an answer to question " + number + ", which this node has not sent");
        }
        return answer;
    }

    private void reject(String what) {
        owner.malformed(this, what);
        close();
    }

    @Override
    public String toString() {
        if (peer != NO_NODE || dialled != NO_NODE) {
            return "node " + Math.max(peer, dialled);
        }
        return "a process at " + channel.remoteAddress();
    }
}
