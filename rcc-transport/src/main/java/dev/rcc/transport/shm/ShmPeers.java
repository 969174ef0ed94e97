package dev.rcc.transport.shm;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.memory.Memory;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.control.Control;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's connections, and how they come and go. Of two nodes the one with the lower number, the opener, connects:
 *
 * <pre>
 *   opener                                          peer
 *     |  OPEN(id, which life of you, what I am)       |
 *     |----------------------------------------------&gt;|  maps the opener's memory, makes the rings, is connected
 *     |                      what I am, where they are|
 *     |&lt;----------------------------------------------|
 *     |  maps both, is connected                      |
 * </pre>
 *
 * <p>A peer that has not started refuses, and says READY when it has. It says so, too, when it learns that the opener is up, with the
 * connection that it has lost last: if that is what the opener believes to have, the opener connects anew. CUT ends a connection
 * from either end, for a reason that connecting anew would not mend.
 *
 * <p>Workers read the table of connections without a lock; everything else is guarded by this object's lock, and happens on the
 * control's threads.
 */
final class ShmPeers implements Control.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ShmPeers.class);
    private static final String TOPIC = "shm";
    private static final byte OPEN = 1;
    private static final byte READY = 2;
    private static final byte CUT = 3;
    private static final byte[] NOTHING = {};

    /** What is known of one peer. */
    private static final class Peer {
        /** Whether an OPEN is on its way. */
        boolean opening;
        /** Whether, meanwhile, the peer has become ready; {@link #lost} is what it had lost. */
        boolean ready;

        long lost;
        /** The last connection that this end has lost. */
        long lostHere;
        /** The life that was cut off here, if one was: what it asked for before may come late. */
        long cutOff;
        /** The file of the rings that were made for it, or null; its name goes with the connection at the latest. */
        Path rings;
        /** Its last life that was mapped, even if it has ended since. */
        ShmLife life;
        /** Its lives that were let in here, and so may have mapped this node's memory, since the last that was fenced. */
        final Set<Long> letIn = new HashSet<>();
    }

    private final ShmFabric fabric;
    private final Control control;
    private final int node;
    private final SplittableRandom ids;
    private final Peer[] peers;
    private final PeerGates gates;
    private final AtomicReferenceArray<ShmConnection> connections;
    /** Connections that have ended but that some worker may still hold. */
    private final Set<ShmConnection> ending = new HashSet<>();

    private final AtomicLong lost = new AtomicLong();
    private ShmHello self;
    private ShmLife selfLife;
    private boolean closed;

    ShmPeers(ShmFabric fabric, Control control) {
        this.fabric = fabric;
        this.control = control;
        this.node = control.node();
        this.ids = new SplittableRandom(control.incarnation());
        this.peers = new Peer[control.nodes()];
        for (int peer = 0; peer < peers.length; peer++) {
            peers[peer] = new Peer();
        }
        this.gates = new PeerGates(node, peers.length);
        this.connections = new AtomicReferenceArray<>(peers.length);
        control.serve(TOPIC, this::answer);
        control.listen(this);
    }

    /** The connection to a peer, or null. Called by workers. */
    ShmConnection connection(int peer) {
        if (peer < 0 || peer >= peers.length) {
            throw new IllegalArgumentException("no node " + peer + ": this cluster has 0 to " + (peers.length - 1));
        }
        return connections.getAcquire(peer);
    }

    /** Connects to this node itself, and from now on to peers. */
    synchronized void start(ShmHello hello, ShmLife life) {
        self = hello;
        selfLife = life;
        Arena arena = Arena.ofShared();
        long id = nextId();
        Path path = fabric.files().createLink(id, rings(hello.workers(), fabric.ringBytes()));
        try {
            Memory rings = Memory.of(ShmFiles.map(path, rings(hello.workers(), fabric.ringBytes()), arena));
            attach(node, ShmConnection.toSelf(rings, fabric.ringBytes(), life.retain(), id, arena, hello.workers()));
        } finally {
            fabric.files().remove(path);
        }
        for (int peer = 0; peer < peers.length; peer++) {
            if (control.isUp(peer)) {
                greet(peer);
            }
        }
    }

    @Override
    public synchronized void up(int peer, long incarnation) {
        if (self != null && !closed) {
            greet(peer);
        }
    }

    @Override
    public synchronized void down(int peer) {
        if (peer != node) {
            detach(connections.get(peer));
        }
    }

    /**
     * Ends the connection to a peer, and makes none until one of its lives is admitted.
     *
     * @return those of its lives that may have mapped this node's memory
     */
    synchronized List<Path> fence(int peer) {
        boolean letAllIn = gates.close(peer);
        if (letAllIn) {
            noteLives(peer);
        }
        detach(connections.get(peer));
        return fabric.files().livesOf(peer).stream()
                .filter(life -> peers[peer].letIn.contains(ShmFiles.incarnationOf(life)))
                .toList();
    }

    /** The lives that {@link #fence} has named have ended. */
    synchronized void fenced(int peer) {
        if (gates.isClosed(peer)) {
            peers[peer].letIn.clear();
        }
    }

    /** Lets a life of a peer in. */
    synchronized void admit(int peer, long incarnation) {
        boolean letAllIn = gates.admit(peer, incarnation);
        if (letAllIn) {
            noteLives(peer);
        }
        peers[peer].letIn.add(incarnation);
        ShmConnection connection = connections.get(peer);
        if (connection != null && !gates.lets(peer, connection.life().incarnation())) {
            detach(connection);
        }
        if (self != null && !closed && control.isUp(peer)) {
            greet(peer);
        }
    }

    /** Until now all were let in: each life has had its file before it said hello. */
    private void noteLives(int peer) {
        for (Path life : fabric.files().livesOf(peer)) {
            peers[peer].letIn.add(ShmFiles.incarnationOf(life));
        }
    }

    /** Opens the connection, or says to who does that we are ready. */
    private void greet(int peer) {
        if (peer > node) {
            open(peer);
        } else if (peer < node) {
            tell(peer, READY, peers[peer].lostHere);
        }
    }

    // The opener.

    @SuppressWarnings("FutureReturnValueIgnored") // opened() tells of everything that goes wrong
    private void open(int to) {
        Peer peer = peers[to];
        if (closed || gates.isClosed(to) || peer.opening || connections.get(to) != null) {
            return;
        }
        peer.opening = true;
        peer.ready = false;
        long id = nextId();
        long wanted = gates.letIn(to);
        byte[] hello = self.toBytes();
        byte[] question = ByteBuffer.allocate(1 + 2 * Long.BYTES + hello.length)
                .put(OPEN)
                .putLong(id)
                .putLong(wanted)
                .put(hello)
                .array();
        control.ask(to, TOPIC, question).whenComplete((answer, failure) -> opened(to, id, wanted, answer, failure));
    }

    private synchronized void opened(int to, long id, long wanted, byte[] answer, Throwable failure) {
        Peer peer = peers[to];
        peer.opening = false;
        if (closed) {
            if (failure == null && answer.length > 0) {
                tell(to, CUT, id); // it believes to be connected
            }
            return;
        }
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof PeerUnreachable)) {
                LOG.warn("event=connect_failed node={} peer={}: {}", node, to, cause.toString());
            }
        } else if (answer.length > 0) {
            try {
                attach(to, accept(to, id, answer));
            } catch (IOException | RuntimeException e) {
                LOG.warn("event=connect_failed node={} peer={}: {}", node, to, e.toString());
                tell(to, CUT, id);
            }
            if (!control.isUp(to)) {
                detach(connections.get(to));
            }
        }
        if (peer.ready) {
            becameReady(to, peer.lost);
        } else if (gates.letIn(to) != wanted && control.isUp(to)) { // another life of it was admitted meanwhile
            open(to);
        }
    }

    /** Maps what the peer has made. */
    private ShmConnection accept(int from, long id, byte[] answer) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(answer));
        ShmHello hello = ShmHello.read(in);
        Path path = Path.of(in.readUTF());
        int ringBytes = in.readInt();
        if (ringBytes != fabric.ringBytes()) {
            throw new IllegalArgumentException("ringBytes must be the same on all nodes, it is " + fabric.ringBytes()
                    + " here and " + ringBytes + " there");
        }
        if (!letsIn(from, hello)) {
            throw new IllegalArgumentException("it is cut off");
        }
        return connect(from, id, hello, path, true);
    }

    private void becameReady(int to, long lost) {
        Peer peer = peers[to];
        peer.ready = false;
        ShmConnection connection = connections.get(to);
        if (peer.opening) {
            peer.ready = true;
            peer.lost = lost;
        } else if (connection == null) {
            open(to);
        } else if (connection.id() == lost) {
            detach(connection);
            open(to);
        }
    }

    // The peer.

    private byte[] answer(int from, byte[] question) throws IllegalArgumentException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(question))) {
            byte kind = in.readByte();
            long id = in.readLong();
            synchronized (this) {
                if (closed || self == null) {
                    return NOTHING;
                }
                switch (kind) {
                    case OPEN -> {
                        return connectionOpened(from, id, in.readLong(), ShmHello.read(in));
                    }
                    case READY -> {
                        if (from > node) {
                            becameReady(from, id);
                        }
                    }
                    case CUT -> cutByPeer(from, id);
                    default -> throw new IllegalArgumentException("no such question: " + kind);
                }
                return NOTHING;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("a question of " + question.length + " bytes is not whole", e);
        }
    }

    private byte[] connectionOpened(int from, long id, long wanted, ShmHello hello) {
        if (from >= node) {
            throw new IllegalArgumentException("node " + node + " connects to node " + from + ", not the other way");
        }
        if (!letsIn(from, hello)) {
            return NOTHING; // if it is admitted one day, we say READY
        }
        // Who has mapped the opener's memory can change it at once: so it is this life that must not map it.
        if (wanted != PeerGates.ANY && wanted != self.incarnation()) {
            return NOTHING;
        }
        detach(connections.get(from)); // it has lost it
        int links = ShmConnection.links(self.workers(), hello.workers());
        Path path = fabric.files().createLink(id, ShmRingLayout.fileBytes(links, fabric.ringBytes()));
        peers[from].rings = path;
        try {
            attach(from, connect(from, id, hello, path, false));
        } catch (RuntimeException e) {
            removeRings(peers[from]);
            throw e;
        }
        if (!control.isUp(from)) {
            detach(connections.get(from));
            throw new PeerUnreachable(from);
        }
        byte[] mine = self.toBytes();
        byte[] where = path.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(mine.length + Short.BYTES + where.length + Integer.BYTES)
                .put(mine)
                .putShort((short) where.length)
                .put(where)
                .putInt(fabric.ringBytes())
                .array();
    }

    private void cutByPeer(int from, long id) {
        ShmConnection connection = connections.get(from);
        if (connection != null && connection.id() == id) {
            LOG.info("event=peer_closed peer={} node={}: the peer has closed its connection", from, node);
            detach(connection);
        }
    }

    // Both.

    private ShmConnection connect(int peer, long id, ShmHello hello, Path path, boolean opener) {
        ShmLife life = life(peer, hello);
        Arena arena = Arena.ofShared();
        try {
            long bytes = rings(hello.workers(), fabric.ringBytes());
            Memory rings = Memory.of(ShmFiles.map(path, bytes, arena));
            if (opener) {
                ShmFiles.unlink(path); // both have it now, so nobody needs its name any more
            }
            return ShmConnection.toPeer(
                    rings, fabric.ringBytes(), opener, life.retain(), id, arena, self.workers(), hello.workers());
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** The peer's life, mapped unless it is the one that was mapped last. */
    private ShmLife life(int of, ShmHello hello) {
        Peer peer = peers[of];
        if (peer.life == null || peer.life.incarnation() != hello.incarnation()) {
            ShmLife life = ShmLife.map(of, hello);
            forget(peer);
            peer.life = life;
        }
        return peer.life;
    }

    private boolean letsIn(int from, ShmHello hello) {
        return gates.lets(from, hello.incarnation()) && hello.incarnation() != peers[from].cutOff;
    }

    private long rings(int peerWorkers, int ringBytes) {
        return ShmRingLayout.fileBytes(ShmConnection.links(self.workers(), peerWorkers), ringBytes);
    }

    private void attach(int peer, ShmConnection connection) {
        connections.setRelease(peer, connection);
        fabric.forEachEndpoint(endpoint -> endpoint.worker().execute(() -> endpoint.adopt(connection)));
    }

    private void detach(ShmConnection connection) {
        if (connection == null || connection.isDown()) {
            return;
        }
        int peer = connection.peer();
        peers[peer].lostHere = connection.id();
        if (peer != node) {
            lost.incrementAndGet();
        }
        removeRings(peers[peer]);
        // First the table, then the tasks: a call is made before its worker's task runs, or finds no connection.
        connection.markDown();
        connections.setRelease(peer, null);
        ending.add(connection);
        ending.removeIf(ShmConnection::isFreed);
        fabric.forEachEndpoint(endpoint -> endpoint.worker().execute(() -> endpoint.abandon(connection)));
    }

    private void removeRings(Peer peer) {
        if (peer.rings != null) {
            fabric.files().remove(peer.rings);
            peer.rings = null;
        }
    }

    /** Ends a connection whose peer does not keep to the rules. Called by workers. */
    synchronized void cutOff(ShmConnection connection) {
        if (!connection.isDown()) {
            int peer = connection.peer();
            peers[peer].cutOff = connection.life().incarnation();
            detach(connection);
            if (peer != node) {
                tell(peer, CUT, connection.id());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a peer that cannot be told learns it when it is up again
    private void tell(int peer, byte kind, long id) {
        byte[] question =
                ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(id).array();
        control.ask(peer, TOPIC, question).whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.debug("node {} could not tell node {}", node, peer, failure);
            }
        });
    }

    /** How many connections to peers have ended. */
    long lost() {
        return lost.get();
    }

    private long nextId() {
        return ids.nextLong();
    }

    // What a dead peer has left.

    /** The last life of a peer that is not connected, retained; or null if none was mapped, or it was forgotten. */
    synchronized ShmLife remains(int of) {
        if (connection(of) != null) {
            throw new IllegalStateException(
                    "node " + of + " is connected: its memory is read by batches, not as remains");
        }
        ShmLife life = peers[of].life;
        return life == null ? null : life.retain();
    }

    /** Lets go of the last life of a peer that is not connected. */
    synchronized void forgetRemains(int of) {
        if (connection(of) == null) {
            forget(peers[of]);
        }
    }

    private static void forget(Peer peer) {
        if (peer.life != null) {
            peer.life.release();
            peer.life = null;
        }
    }

    /** Ends all connections. */
    synchronized void leave() {
        closed = true;
        for (int peer = 0; peer < peers.length; peer++) {
            ShmConnection connection = connections.get(peer);
            if (connection != null) {
                detach(connection);
                if (peer != node) {
                    tell(peer, CUT, connection.id());
                }
            }
        }
    }

    /** Frees all mappings, after the workers have ended. */
    synchronized void free() {
        ending.forEach(ShmConnection::free);
        ending.clear();
        for (Peer peer : peers) {
            forget(peer);
        }
        if (selfLife != null) {
            selfLife.release();
            selfLife = null;
        }
    }
}
