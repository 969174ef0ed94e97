package dev.rcc.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Arrays;

/**
 * All connections between this node and a peer, which come and go together: all are there, or the peer is unreachable. The
 * node with the higher id dials. With D workers of it, A of the other, and R the greater number:
 * <pre>
 *   0 to R-1          between worker k modulo D of who dials and worker k modulo A of the other: RPCs, both ways
 *   R to R+D-1        from a worker of who dials to an I/O thread of the other: one-sided operations
 *   R+D to R+D+A-1    from a worker of the other to an I/O thread of who dials: likewise
 * </pre>
 *
 * Until all have been welcomed, they belong to I/O threads; then those that a worker uses are handed over to it.
 *
 * <pre>
 *   CONNECTING --(all welcomed)--&gt; ACTIVE
 *        \__________________________/\______(any of them ends, the peer goes down)______&gt; FAILED
 * </pre>
 *
 * Its methods may be called on any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails tells so by its events
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

    /** Whether {@code stream} is where this node's worker sends its calls. */
    synchronized boolean callsOn(TcpStream stream, int workerIndex) {
        return streams[workerIndex] == stream;
    }

    /** Takes a connection that we have dialled, and says whether it is still wanted. */
    synchronized boolean dialled(int connection, TcpStream stream) {
        streams[connection] = stream;
        return state == State.CONNECTING;
    }

    /** Takes a connection that the peer has dialled, if it is not there yet. */
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

    /** A connection's other end has proven to be the peer. */
    void greeted() {
        if (isLast()) {
            activate(true);
        }
    }

    /** A connection was welcomed by the peer. */
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

    /** Gives a connection to its worker. On its I/O thread. */
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

    /** A connection is with its worker, or will be before that worker does anything else. */
    private void assigned() {
        boolean last;
        synchronized (this) {
            last = ++assigned == streams.length;
        }
        if (last) {
            fabric.activated(this);
        }
    }

    /** Ends all connections, and with them the peer's being reachable. */
    void fail(String reason) {
        fail(reason, false);
    }

    /** Likewise, perhaps because the peer did what it must not. */
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
