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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's connections, and how they are made. {@link PeerLinks} decides when. Of two nodes the one with the lower number, the opener, connects:
 *
 * <pre>
 *   opener                                          peer
 *     |  OPEN(id, peer's incarnation, opener's hello) |
 *     |----------------------------------------------&gt;|  maps the opener's memory, makes the rings, is connected
 *     |               peer's hello, path of the rings |
 *     |&lt;----------------------------------------------|
 *     |  maps both, is connected                      |
 * </pre>
 *
 * <p>A peer that has not started refuses, and sends READY once it has started. It also sends READY when the opener comes up
 * or is admitted. READY contains the id of the connection that the peer lost last: if the opener still has that connection, it connects
 * anew. CUT ends a connection from either end. If the question or the connection fails, the opener asks again after a while, but never an
 * incarnation that it has cut off.
 *
 * <p>Workers read the table of connections without a lock; everything else is guarded by this object's lock, and happens on the
 * control's threads, and on the JVM's common threads when the opener asks again.
 */
final class ShmPeers implements Control.Listener, PeerLinks.Network<ShmConnection> {
    private static final Logger LOG = LoggerFactory.getLogger(ShmPeers.class);
    private static final String TOPIC = "shm";
    private static final byte OPEN = 1;
    private static final byte READY = 2;
    private static final byte CUT = 3;
    private static final byte[] NOTHING = {};
    private static final int UNOPENED = -1;
    private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** The number of waits that double; all later waits are {@link #RETRY_NANOS_MAX}. */
    private static final int RETRIES_DOUBLED = 6;

    /** The state of one peer. */
    private static final class Peer {
        /** The last connection that the peer reported as lost. */
        long lostThere;
        /** The last connection that this end has lost. */
        long lostHere;
        /** The incarnation that was cut off here last, or 0: its earlier questions may come late. */
        long cutOff;
        /** The file of the rings that this node made for the peer, or null; removed at the latest when the connection ends. */
        Path rings;
        /** The peer's last incarnation that was mapped, even if it has ended since; or null. */
        ShmMapping mapping;
        /**
         * The peer's incarnations that were let in here since the last fence, each with a descriptor of its node file, which is
         * {@link #UNOPENED} until the incarnation may map this node's memory. Others may have files in the directory, too: that of a cluster with the
         * same name, or one that is still starting.
         */
        final Map<Long, Integer> letIn = new HashMap<>();
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

    /** Connects this node to itself, and from now on to peers. */
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
        links.up(peer, incarnation);
    }

    @Override
    public void down(int peer) {
        links.down(peer);
    }

    /**
     * Ends the connection to a peer, and makes none until one of its incarnations is admitted.
     *
     * @return descriptors of the node files of the peer's incarnations that may have mapped this node's memory, for the caller to close
     * @throws IllegalStateException when one of these files can't be opened again
     */
    synchronized List<Integer> fence(int peer) {
        links.fence(peer);
        List<Integer> nodeFiles = new ArrayList<>();
        peers[peer].letIn.forEach((incarnation, descriptor) -> {
            boolean mayHaveMapped = descriptor != UNOPENED;
            Path path = mayHaveMapped ? Posix.path(descriptor) : fabric.files().nodeFile(peer, incarnation);
            int opened = Posix.openToLock(path.toString());
            if (opened >= 0) {
                nodeFiles.add(opened);
            } else if (mayHaveMapped) {
                nodeFiles.forEach(Posix::close);
                throw new IllegalStateException(
                        "cannot open the node file of node " + peer + ": " + Posix.text(-opened));
            }
        });
        return nodeFiles;
    }

    /** The incarnations that {@link #fence} returned have ended. */
    synchronized void fenced(int peer) {
        if (gates.isClosed(peer)) {
            forgetLetIn(peers[peer]);
        }
    }

    private static void forgetLetIn(Peer peer) {
        peer.letIn.values().stream()
                .filter(descriptor -> descriptor != UNOPENED)
                .forEach(Posix::close);
        peer.letIn.clear();
    }

    /** Closes the node file of an incarnation that has ended; a peer that is never cut off may have many. */
    private static boolean closeIfEnded(int descriptor) {
        boolean ended = descriptor != UNOPENED && Posix.lock(descriptor) == 0;
        if (ended) {
            Posix.close(descriptor);
        }
        return ended;
    }

    /**
     * Opens the node file of an incarnation before that may map this node's memory. Something else may remove the file's name while the process
     * lives; the open file still shows whether the process has ended.
     *
     * @return 0, or the number of the error if the file can't be opened: the incarnation must not learn of this node's memory then
     */
    private int openNodeFile(int of, long incarnation) {
        Map<Long, Integer> letIn = peers[of].letIn;
        if (letIn.getOrDefault(incarnation, UNOPENED) == UNOPENED) {
            int descriptor =
                    Posix.openToLock(fabric.files().nodeFile(of, incarnation).toString());
            if (descriptor < 0) {
                return -descriptor;
            }
            letIn.values().removeIf(ShmPeers::closeIfEnded);
            letIn.put(incarnation, descriptor);
        }
        return 0;
    }

    /** Lets an incarnation of a peer in. */
    synchronized void admit(int peer, long incarnation) {
        links.admit(peer, incarnation);
        peers[peer].letIn.putIfAbsent(incarnation, UNOPENED);
    }

    @Override
    public boolean leads(int peer) {
        return peer > node;
    }

    /** {@inheritDoc} Sends READY, upon which the peer opens the connection. */
    @Override
    public void prompt(int peer) {
        tell(peer, READY, peers[peer].lostHere);
    }

    /** {@inheritDoc} Nobody announces that what was missing is there again, such as room for the rings. */
    @Override
    public void retry(int peer, int failures, Runnable again) {
        long nanos = failures < RETRIES_DOUBLED ? RETRY_NANOS_MIN << failures : RETRY_NANOS_MAX;
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(again);
    }

    // The opener.

    /** {@inheritDoc} The question names one incarnation: only that maps this node's memory, and is killed if the peer is cut off. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // opened() handles all failures
    public void ask(int to, int attempt) {
        long wanted = gates.letIn(to) == PeerGates.ANY ? links.incarnationUp(to) : gates.letIn(to);
        // The peer has come up, and the listener is about to be told; or only its next incarnation may connect.
        if (wanted == PeerGates.ANY || wanted == peers[to].cutOff) {
            links.refused(to, attempt);
            return;
        }
        int error = openNodeFile(to, wanted);
        if (error != 0 && wanted == links.incarnationUp(to)) {
            LOG.warn(
                    "event=connect_failed node={} peer={}: cannot open its node file: {}", node, to, Posix.text(error));
            links.failed(to, attempt);
            return;
        }
        if (error != 0) {
            links.refused(to, attempt); // it has ended, and its next incarnation has removed its files
            return;
        }
        long id = nextId();
        byte[] hello = self.toBytes();
        byte[] question = ByteBuffer.allocate(1 + 2 * Long.BYTES + hello.length)
                .put(OPEN)
                .putLong(id)
                .putLong(wanted)
                .put(hello)
                .array();
        control.ask(to, TOPIC, question).whenComplete((answer, failure) -> opened(to, attempt, id, answer, failure));
    }

    private synchronized void opened(int to, int attempt, long id, byte[] answer, Throwable failure) {
        if (!links.isAsking(to, attempt)) { // the peer was cut off meanwhile, or this node has left
            if (failure == null && answer.length > 0) {
                tell(to, CUT, id); // the peer regards itself as connected
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
        if (!links.dropIfDown(to) && peers[to].lostThere == id) {
            lostByPeer(to, id);
        }
    }

    /** Maps the peer's memory and the rings that it has made. */
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

    /** The peer is ready, and no longer has the connection with this id, if it had one. */
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
            throw new IllegalArgumentException("a question of " + question.length + " bytes is too short", e);
        }
    }

    private byte[] connectionOpened(int from, long id, long wanted, ShmHello hello) {
        if (from >= node) {
            throw new IllegalArgumentException("node " + node + " connects to node " + from + ", not the other way");
        }
        if (!letsIn(from, hello)) {
            return NOTHING; // if it is admitted later, this node sends READY
        }
        // A node that maps the opener's memory can change it at once: an unwanted incarnation must not do so.
        if (wanted != self.incarnation()) {
            return NOTHING;
        }
        int error = openNodeFile(from, hello.incarnation());
        if (error != 0) {
            throw new IllegalStateException("cannot open the node file of node " + from + ": " + Posix.text(error));
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
        if (links.dropIfDown(from)) {
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

    // Both sides.

    private ShmConnection connect(int peer, long id, ShmHello hello, Path path, boolean opener) {
        ShmMapping mapping = mapping(peer, hello);
        Arena arena = Arena.ofShared();
        try {
            long bytes = rings(hello.workers(), fabric.ringBytes());
            Memory rings = Memory.of(ShmFiles.map(path, bytes, arena));
            if (opener) {
                ShmFiles.unlink(path); // both ends have mapped it, so its name is no longer needed
            }
            return ShmConnection.toPeer(
                    rings, fabric.ringBytes(), opener, mapping.retain(), id, arena, self.workers(), hello.workers());
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** The mapping of the peer's incarnation; maps it unless it was mapped last. */
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

    /** {@inheritDoc} A call is made before its worker's task runs, which fails it, or finds no connection. */
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

    /** Ends a connection whose peer breaks the rules. Called by workers. */
    synchronized void cutOff(ShmConnection connection) {
        if (!connection.isDown()) {
            int peer = connection.peer();
            peers[peer].cutOff = connection.mapping().incarnation();
            links.drop(peer, "it wrote invalid data into shared memory");
            if (peer != node) {
                tell(peer, CUT, connection.id());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a peer that cannot be reached is notified when it is up again
    private void tell(int peer, byte kind, long id) {
        byte[] question =
                ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(id).array();
        control.ask(peer, TOPIC, question).whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.debug("node {} could not tell node {}", node, peer, failure);
            }
        });
    }

    /** The number of connections to peers that have ended. */
    long lost() {
        return lost.get();
    }

    private long nextId() {
        return ids.nextLong();
    }

    // The remains of a dead peer.

    /** The mapping of the last incarnation of a peer that is not connected, retained; null if none was mapped, or it was forgotten. */
    synchronized ShmMapping remains(int of) {
        if (connection(of) != null) {
            throw new IllegalStateException(
                    "node " + of + " is connected: its memory is read by batches, not as remains");
        }
        ShmMapping mapping = peers[of].mapping;
        return mapping == null ? null : mapping.retain();
    }

    /** Releases the mapping of the last incarnation of a peer that is not connected. */
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
            forgetLetIn(peer);
        }
        if (selfMapping != null) {
            selfMapping.release();
            selfMapping = null;
        }
    }
}
