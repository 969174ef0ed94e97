package dev.rcc.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Arrays;

/**
 * All connections between this node and a peer. They come and go together: all are there, or the peer is unreachable. The
 * node with the higher id dials, the other accepts. With D workers of the dialler, A of the acceptor, and R = max(D, A):
 * <pre>
 *   0 to R-1          between worker k modulo D of the dialler and worker k modulo A of the acceptor: RPCs, both ways
 *   R to R+D-1        from a worker of the dialler to an I/O thread of the acceptor: one-sided operations
 *   R+D to R+D+A-1    from a worker of the acceptor to an I/O thread of the dialler: one-sided operations
 * </pre>
 *
 * Until all have been welcomed, they belong to I/O threads; then each connection that a worker uses is handed over to the worker. The
 * hand-over waits until no I/O thread carries out a frame of an earlier link any more: that link has failed, so its later frames are dropped.
 *
 * <pre>
 *   CONNECTING --(all welcomed)--&gt; ACTIVE
 *        \__________________________/\______(any of them ends, the peer goes down)______&gt; FAILED
 * </pre>
 *
 * Its methods may be called on any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports failures by its events
final class TcpLink {
    private enum State {
        CONNECTING,
        ACTIVE,
        FAILED
    }

    private final TcpFabric fabric;
    private final int peer;
    private final boolean dialler;
    private final byte[] token;
    private final int diallerWorkers;
    private final int acceptorWorkers;
    private final TcpStream[] streams;
    private volatile State state = State.CONNECTING;
    private int ready;
    private int assigned;

    TcpLink(TcpFabric fabric, int peer, boolean dialler, byte[] token, int peerWorkers) {
        this.fabric = fabric;
        this.peer = peer;
        this.dialler = dialler;
        this.token = token.clone();
        this.diallerWorkers = dialler ? fabric.workers() : peerWorkers;
        this.acceptorWorkers = dialler ? peerWorkers : fabric.workers();
        this.streams = new TcpStream[rpcs() + diallerWorkers + acceptorWorkers];
    }

    int peer() {
        return peer;
    }

    int connections() {
        return streams.length;
    }

    byte[] token() {
        return token.clone();
    }

    boolean isActive() {
        return state == State.ACTIVE;
    }

    boolean hasFailed() {
        return state == State.FAILED;
    }

    private int rpcs() {
        return Math.max(diallerWorkers, acceptorWorkers);
    }

    /** Whether one of the connections is {@code stream}. */
    synchronized boolean has(TcpStream stream) {
        return Arrays.asList(streams).contains(stream);
    }

    /** Whether this node's worker sends its calls on {@code stream}. */
    synchronized boolean callsOn(TcpStream stream, int workerIndex) {
        return streams[workerIndex] == stream;
    }

    /** Takes a connection that this node has dialled, and returns whether it is still wanted. */
    synchronized boolean dialled(int connection, TcpStream stream) {
        streams[connection] = stream;
        return state == State.CONNECTING;
    }

    /** Takes a connection that the peer has dialled, unless the link has it already. Returns whether it did. */
    synchronized boolean admit(int connection, TcpStream stream) {
        if (state != State.CONNECTING
                || connection < 0
                || connection >= streams.length
                || streams[connection] != null) {
            return false;
        }
        streams[connection] = stream;
        return true;
    }

    /** The peer has proven its identity on one more connection. */
    void greeted() {
        if (isLast()) {
            activate(true);
        }
    }

    /** The peer has welcomed one more connection. */
    void welcomed() {
        if (isLast()) {
            activate(false);
        }
    }

    private synchronized boolean isLast() {
        if (++ready < streams.length || state != State.CONNECTING) {
            return false;
        }
        state = State.ACTIVE;
        return true;
    }

    private void activate(boolean welcome) {
        fabric.afterFramesUnderWay(() -> assignAll(welcome));
    }

    private void assignAll(boolean welcome) {
        for (int i = 0; i < streams.length; i++) {
            int connection = i;
            TcpStream stream = streams[i];
            stream.channel().eventLoop().execute(() -> {
                if (welcome) {
                    stream.channel().writeAndFlush(welcome()).addListener(sent -> assign(connection, stream));
                } else {
                    assign(connection, stream);
                }
            });
        }
    }

    private static ByteBuf welcome() {
        return Unpooled.directBuffer(TcpFrames.WELCOME_BYTES)
                .writeIntLE(TcpFrames.WELCOME_BYTES)
                .writeIntLE(TcpFrames.WELCOME)
                .writeLongLE(TcpFrames.MAGIC);
    }

    /** Gives a connection to its worker or memory server. Called on the connection's I/O thread. */
    private void assign(int connection, TcpStream stream) {
        fabric.leftHandshake(stream.channel());
        if (!isActive()) {
            stream.channel().close();
            return;
        }
        int fromDialler = connection - rpcs();
        int fromAcceptor = fromDialler - diallerWorkers;
        if (fromDialler < 0) {
            TcpEndpoint endpoint = fabric.endpoint(connection % fabric.workers());
            handOver(endpoint, stream, new TcpRpcConnection(endpoint, this, stream));
        } else if (fromAcceptor < 0 == dialler) {
            TcpEndpoint endpoint = fabric.endpoint(dialler ? fromDialler : fromAcceptor);
            handOver(endpoint, stream, new TcpMemoryClient(endpoint, this, stream));
        } else {
            TcpMemoryServer server = new TcpMemoryServer(fabric, this, stream);
            stream.receiver(server);
            server.begin();
            assigned();
        }
    }

    private void handOver(TcpEndpoint endpoint, TcpStream stream, TcpStream.Receiver receiver) {
        Channel channel = stream.channel();
        channel.config().setAutoRead(false);
        channel.deregister().addListener(left -> {
            endpoint.worker().execute(() -> endpoint.adopt(this, stream, receiver));
            assigned();
        });
    }

    /** A connection has its new owner. A worker takes it over before any task that it is given later. */
    private void assigned() {
        boolean last;
        synchronized (this) {
            last = ++assigned == streams.length;
        }
        if (last) {
            fabric.activated(this);
        }
    }

    /** Ends all connections; the peer is unreachable from now on. */
    void fail(String reason) {
        fail(reason, false);
    }

    /** Ends all connections, and counts the peer's misbehaviour if that is the reason. */
    void fail(String reason, boolean misbehaved) {
        boolean wasActive;
        synchronized (this) {
            if (state == State.FAILED) {
                return;
            }
            wasActive = state == State.ACTIVE;
            state = State.FAILED;
        }
        fabric.failed(this, wasActive, reason, misbehaved);
        for (TcpStream stream : streams) {
            if (stream != null) {
                stream.channel().close();
            }
        }
    }
}
