package dev.rcc.transport.shm;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.memory.Memory;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.PeerLinks;
import dev.rcc.transport.control.Control;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's connections, and how they are made. {@link PeerLinks} says when. Of two nodes the one with the lower number, the opener, connects:
 *
 * <pre>
 *   opener                                          peer
 *     |  OPEN(id, which incarnation of you, what I am)       |
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
final class ShmPeers implements Control.Listener, PeerLinks.Network<ShmConnection> {
    private static final Logger LOG = LoggerFactory.getLogger(ShmPeers.class);
    private static final String TOPIC = "shm";
    private static final byte OPEN = 1;
    private static final byte READY = 2;
    private static final byte CUT = 3;
    private static final byte[] NOTHING = {};

    /** What is known of one peer. */
    private static final class Peer {
        /** The last connection that the peer has said to have lost. */
        long lostThere;
        /** The last connection that this end has lost. */
        long lostHere;
        /** The incarnation that was cut off here, if one was: what it asked for before may come late. */
        long cutOff;
        /** The file of the rings that were made for it, or null; its name goes with the connection at the latest. */
        Path rings;
        /** Its last incarnation that was mapped, even if it has ended since. */
        ShmMapping mapping;
        /** Its lives that were let in here, and so may have mapped this node's memory, since the last that was fenced. */
        final Set<Long> letIn = new HashSet<>();
    }

    private final ShmFabric fabric;
    private final Control control;
    private final int node;
    private final SplittableRandom ids;
    private final Peer[] peers;
    private final PeerGates gates;
    private final PeerLinks<ShmConnection> links;
    /** Connections that have ended but that some worker may still hold. */
    private final Set<ShmConnection> ending = new HashSet<>();

    private final AtomicLong lost = new AtomicLong();
    private ShmHello self;
    private ShmMapping selfMapping;
    private boolean left;

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
        this.links = new PeerLinks<>(this, node, peers.length, control::isUp, gates, this);
        control.serve(TOPIC, this::answer);
        control.listen(this);
    }

    /** The connection to a peer, or null. Called by workers. */
    ShmConnection connection(int peer) {
        if (peer < 0 || peer >= peers.length) {
            throw new IllegalArgumentException("no node " + peer + ": this cluster has 0 to " + (peers.length - 1));
        }
        return links.using(peer);
    }

    /** Connects to this node itself, and from now on to peers. */
    synchronized void start(ShmHello hello, ShmMapping mapping) {
        self = hello;
        selfMapping = mapping;
        Arena arena = Arena.ofShared();
        long id = nextId();
        Path path = fabric.files().createLink(id, rings(hello.workers(), fabric.ringBytes()));
        try {
            Memory rings = Memory.of(ShmFiles.map(path, rings(hello.workers(), fabric.ringBytes()), arena));
            ShmConnection itself =
                    ShmConnection.toSelf(rings, fabric.ringBytes(), mapping.retain(), id, arena, hello.workers());
            links.accepted(node, hello.incarnation(), itself);
            links.made(node, itself);
        } finally {
            fabric.files().remove(path);
        }
        links.start();
    }

    @Override
    public void up(int peer, long incarnation) {
        links.want(peer);
    }

    @Override
    public void down(int peer) {
        links.down(peer);
    }

    /**
     * Ends the connection to a peer, and makes none until one of its incarnations is admitted.
     *
     * @return those of its incarnations that may have mapped this node's memory
     */
    synchronized List<Path> fence(int peer) {
        if (links.fence(peer)) {
            noteIncarnations(peer);
        }
        return fabric.files().incarnationsOf(peer).stream()
                .filter(nodeFile -> peers[peer].letIn.contains(ShmFiles.incarnationOf(nodeFile)))
                .toList();
    }

    /** The lives that {@link #fence} has named have ended. */
    synchronized void fenced(int peer) {
        if (gates.isClosed(peer)) {
            peers[peer].letIn.clear();
        }
    }

    /** Lets an incarnation of a peer in. */
    synchronized void admit(int peer, long incarnation) {
        if (links.admit(peer, incarnation)) {
            noteIncarnations(peer);
        }
        peers[peer].letIn.add(incarnation);
    }

    /** Until now all were let in: each incarnation has had its file before it said hello. */
    private void noteIncarnations(int peer) {
        for (Path nodeFile : fabric.files().incarnationsOf(peer)) {
            peers[peer].letIn.add(ShmFiles.incarnationOf(nodeFile));
        }
    }

    @Override
    public boolean leads(int peer) {
        return peer > node;
    }

    /** {@inheritDoc} It opens the connection when it knows that we are ready. */
    @Override
    public void prompt(int peer) {
        tell(peer, READY, peers[peer].lostHere);
    }

    /** {@inheritDoc} The peer says when it is worth while. */
    @Override
    public void retry(int peer, int failures, Runnable again) {}

    // The opener.

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // opened() tells of everything that goes wrong
    public void ask(int to, int attempt) {
        long id = nextId();
        byte[] hello = self.toBytes();
        byte[] question = ByteBuffer.allocate(1 + 2 * Long.BYTES + hello.length)
                .put(OPEN)
                .putLong(id)
                .putLong(gates.letIn(to))
                .put(hello)
                .array();
        control.ask(to, TOPIC, question).whenComplete((answer, failure) -> opened(to, attempt, id, answer, failure));
    }

    private synchronized void opened(int to, int attempt, long id, byte[] answer, Throwable failure) {
        if (!links.isAsking(to, attempt)) { // it was cut off meanwhile, or this node has left
            if (failure == null && answer.length > 0) {
                tell(to, CUT, id); // it believes to be connected
            }
        } else if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof PeerUnreachable)) {
                LOG.warn("event=connect_failed node={} peer={}: {}", node, to, cause.toString());
            }
            links.failed(to, attempt);
        } else if (answer.length == 0) {
            links.refused(to, attempt);
        } else {
            connectionAccepted(to, attempt, id, answer);
        }
    }

    private void connectionAccepted(int to, int attempt, long id, byte[] answer) {
        try {
            ShmConnection connection = accept(to, id, answer);
            links.begun(to, attempt, connection.mapping().incarnation(), connection);
            links.made(to, connection);
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=connect_failed node={} peer={}: {}", node, to, e.toString());
            tell(to, CUT, id);
            links.failed(to, attempt);
            return;
        }
        if (!control.isUp(to)) {
            links.down(to);
        } else if (peers[to].lostThere == id) {
            lostByPeer(to, id);
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

    /** The peer is ready, and has no connection, or not any more the one with this id. */
    private void lostByPeer(int to, long id) {
        peers[to].lostThere = id;
        dropIf(to, id, "the peer has lost it");
        links.want(to);
    }

    // The peer.

    private byte[] answer(int from, byte[] question) throws IllegalArgumentException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(question))) {
            byte kind = in.readByte();
            long id = in.readLong();
            synchronized (this) {
                if (self == null || left) {
                    return NOTHING;
                }
                switch (kind) {
                    case OPEN -> {
                        return connectionOpened(from, id, in.readLong(), ShmHello.read(in));
                    }
                    case READY -> {
                        if (from > node) {
                            lostByPeer(from, id);
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
        // Who has mapped the opener's memory can change it at once: so it is this incarnation that must not map it.
        if (wanted != PeerGates.ANY && wanted != self.incarnation()) {
            return NOTHING;
        }
        links.drop(from, "it connects anew");
        int count = ShmConnection.links(self.workers(), hello.workers());
        Path path = fabric.files().createLink(id, ShmRingLayout.fileBytes(count, fabric.ringBytes()));
        peers[from].rings = path;
        try {
            ShmConnection connection = connect(from, id, hello, path, false);
            links.accepted(from, hello.incarnation(), connection);
            links.made(from, connection);
        } catch (RuntimeException e) {
            removeRings(peers[from]);
            throw e;
        }
        if (!control.isUp(from)) {
            links.down(from);
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
        if (dropIf(from, id, "the peer has ended it")) {
            LOG.info("event=peer_closed peer={} node={}: the peer has closed its connection", from, node);
        }
    }

    // Both.

    private ShmConnection connect(int peer, long id, ShmHello hello, Path path, boolean opener) {
        ShmMapping mapping = mapping(peer, hello);
        Arena arena = Arena.ofShared();
        try {
            long bytes = rings(hello.workers(), fabric.ringBytes());
            Memory rings = Memory.of(ShmFiles.map(path, bytes, arena));
            if (opener) {
                ShmFiles.unlink(path); // both have it now, so its name is not needed any more
            }
            return ShmConnection.toPeer(
                    rings, fabric.ringBytes(), opener, mapping.retain(), id, arena, self.workers(), hello.workers());
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** The peer's incarnation, mapped unless it is the one that was mapped last. */
    private ShmMapping mapping(int of, ShmHello hello) {
        Peer peer = peers[of];
        if (peer.mapping == null || peer.mapping.incarnation() != hello.incarnation()) {
            ShmMapping mapping = ShmMapping.map(of, hello);
            forget(peer);
            peer.mapping = mapping;
        }
        return peer.mapping;
    }

    private boolean letsIn(int from, ShmHello hello) {
        return gates.lets(from, hello.incarnation()) && hello.incarnation() != peers[from].cutOff;
    }

    private long rings(int peerWorkers, int ringBytes) {
        return ShmRingLayout.fileBytes(ShmConnection.links(self.workers(), peerWorkers), ringBytes);
    }

    @Override
    public void use(int peer, ShmConnection connection) {
        fabric.forEachEndpoint(endpoint -> endpoint.worker().execute(() -> endpoint.adopt(connection)));
    }

    /** {@inheritDoc} A call is made before its worker's task runs, or finds no connection. */
    @Override
    public void drop(int peer, ShmConnection connection, String why) {
        peers[peer].lostHere = connection.id();
        if (peer != node) {
            lost.incrementAndGet();
        }
        removeRings(peers[peer]);
        connection.markDown();
        ending.add(connection);
        ending.removeIf(ShmConnection::isFreed);
        fabric.forEachEndpoint(endpoint -> endpoint.worker().execute(() -> endpoint.abandon(connection)));
    }

    /** Drops the connection to a peer if it has this id. */
    private boolean dropIf(int peer, long id, String why) {
        ShmConnection connection = links.using(peer);
        boolean is = connection != null && connection.id() == id;
        if (is) {
            links.drop(peer, why);
        }
        return is;
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
            peers[peer].cutOff = connection.mapping().incarnation();
            links.drop(peer, "it does not keep to the rules");
            if (peer != node) {
                tell(peer, CUT, connection.id());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a peer that cannot be reached learns it when it is up again
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

    /** The last incarnation of a peer that is not connected, retained; or null if none was mapped, or it was forgotten. */
    synchronized ShmMapping remains(int of) {
        if (connection(of) != null) {
            throw new IllegalStateException(
                    "node " + of + " is connected: its memory is read by batches, not as remains");
        }
        ShmMapping mapping = peers[of].mapping;
        return mapping == null ? null : mapping.retain();
    }

    /** Lets go of the last incarnation of a peer that is not connected. */
    synchronized void forgetRemains(int of) {
        if (connection(of) == null) {
            forget(peers[of]);
        }
    }

    private static void forget(Peer peer) {
        if (peer.mapping != null) {
            peer.mapping.release();
            peer.mapping = null;
        }
    }

    /** Ends all connections. */
    synchronized void leave() {
        left = true;
        ShmConnection[] open = new ShmConnection[peers.length];
        Arrays.setAll(open, links::using);
        links.close();
        for (int peer = 0; peer < peers.length; peer++) {
            if (peer != node && open[peer] != null) {
                tell(peer, CUT, open[peer].id());
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
        if (selfMapping != null) {
            selfMapping.release();
            selfMapping = null;
        }
    }
}
