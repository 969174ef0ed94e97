package dev.rcc.transport;

import dev.rcc.transport.LinkState.Event;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

/**
 * The links of a node to its peers: when one is made, which one counts, and when it ends. Of two nodes one leads, that is, it asks the
 * other for a link; {@link LinkState} shows the events that may follow. A link is made while the peer is up, its gate lets it in, and this
 * node has started and has not left. The network defines how a link is made and what it consists of.
 *
 * <p>An answer counts only for the attempt that it belongs to. An attempt is void once the peer goes down, is cut off, or asks for a link
 * itself. A link counts only while it is the last one that was begun or accepted.
 *
 * <p>All methods except {@link #using} take the network's lock, and call the network's methods under it. Any thread may call them.
 *
 * @param <L> the network's type of a link
 */
public final class PeerLinks<L> {
    /**
     * A network's actions on its links. Called under its lock, after the state has changed, so they may call back.
     *
     * @param <L> the network's type of a link
     */
    public interface Network<L> {
        /** Whether this node asks {@code peer} for a link, rather than being asked. */
        boolean leads(int peer);

        /**
         * Asks a peer for a link. The answer comes by {@link PeerLinks#begun}, {@link PeerLinks#refused} or {@link PeerLinks#failed}.
         *
         * @param attempt the number of this question
         */
        void ask(int peer, int attempt);

        /** Prompts a peer that leads to ask for a link, if the network does that: there is a reason to make one, and none is being made. */
        void prompt(int peer);

        /** A link is in use from now on. */
        void use(int peer, L link);

        /**
         * Ends a link that must not go on; it is no longer in use.
         *
         * @param why the reason, for an operator
         */
        void drop(int peer, L link, String why);

        /**
         * An attempt has failed, or a link has ended, and the peer is still there.
         *
         * @param failures the number of earlier failures since a link to the peer came into use or the peer was admitted
         * @param again makes the next attempt, or prompts the peer to make it; may be called on any thread
         */
        void retry(int peer, int failures, Runnable again);
    }

    private static final String CONTROL_DOWN = "its control connection is down";

    private static final class Peer<L> {
        LinkState state = LinkState.IDLE;
        /** The number of the last question; counts up. */
        int attempt;
        /** The link that is being made or is in use; null if there is none. */
        L link;
        /** The incarnation of the peer at the other end of the link. */
        long incarnation;
        /** The incarnation that came up last; {@link PeerGates#ANY} before the first. */
        long up = PeerGates.ANY;

        int failures;
    }

    private final Object lock;
    private final int node;
    private final IntPredicate isUp;
    private final PeerGates gates;
    private final Network<L> network;
    private final Peer<L>[] peers;
    private final AtomicReferenceArray<L> using;
    private boolean started;
    private boolean closed;

    /**
     * The links of {@code node}; there are none yet.
     *
     * @param lock the network's lock
     * @param isUp whether a peer is connected by the control channel
     * @param gates which incarnations of the peers are let in
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public PeerLinks(Object lock, int node, int nodes, IntPredicate isUp, PeerGates gates, Network<L> network) {
        this.lock = lock;
        this.node = node;
        this.isUp = isUp;
        this.gates = gates;
        this.network = network;
        this.peers = new Peer[nodes];
        for (int peer = 0; peer < nodes; peer++) {
            peers[peer] = new Peer<>();
        }
        this.using = new AtomicReferenceArray<>(nodes);
    }

    /** The link to a peer that is in use, or null. Takes no lock. */
    public L using(int peer) {
        return using.getAcquire(peer);
    }

    /** The link to a peer that is being made or is in use, or null. */
    public L current(int peer) {
        synchronized (lock) {
            return peers[peer].link;
        }
    }

    // Events of this node and of its peers.

    /** This node has started: makes links to all peers that are up. */
    public void start() {
        synchronized (lock) {
            started = true;
            for (int peer = 0; peer < peers.length; peer++) {
                want(peer);
            }
        }
    }

    /** This node leaves: ends all links, and makes no more. */
    public void close() {
        synchronized (lock) {
            closed = true;
            for (int peer = 0; peer < peers.length; peer++) {
                drop(peer, "this node leaves");
            }
        }
    }

    /** The control channel has connected an incarnation of a peer. */
    public void up(int peer, long incarnation) {
        synchronized (lock) {
            peers[peer].up = incarnation;
            want(peer);
        }
    }

    /**
     * The control channel has lost the incarnation of a peer that came up last. The peer's next incarnation may have made a link before this event
     * arrives: that link stays.
     */
    public void down(int peer) {
        synchronized (lock) {
            Peer<L> state = peers[peer];
            if (peer != node && (state.link == null || state.incarnation <= state.up)) {
                drop(peer, CONTROL_DOWN);
            }
        }
    }

    /** The incarnation of a peer that came up last; {@link PeerGates#ANY} before the first. */
    public long incarnationUp(int peer) {
        synchronized (lock) {
            return peers[peer].up;
        }
    }

    /** Cuts a peer off: no incarnation of it is let in. */
    public void fence(int peer) {
        synchronized (lock) {
            gates.close(peer);
            drop(peer, "it is cut off");
        }
    }

    /** Lets one incarnation of a peer in, and no other. */
    public void admit(int peer, long incarnation) {
        synchronized (lock) {
            gates.admit(peer, incarnation);
            Peer<L> state = peers[peer];
            state.failures = 0;
            if (state.link != null && state.incarnation != incarnation) {
                drop(peer, "another incarnation of it was admitted");
            }
            want(peer);
        }
    }

    /** There is a reason to make a link to a peer: for example, the peer has come up, or has announced that it is ready. */
    public void want(int peer) {
        synchronized (lock) {
            if (!mayHaveLink(peer)) {
                return;
            }
            Peer<L> state = peers[peer];
            boolean isIdle = state.state == LinkState.IDLE;
            if (!network.leads(peer)) {
                if (isIdle) {
                    network.prompt(peer);
                }
                return;
            }
            fire(state, Event.WANTED);
            if (isIdle) {
                ask(peer);
            }
        }
    }

    private boolean mayHaveLink(int peer) {
        return peer != node && started && !closed && isUp.test(peer) && !gates.isClosed(peer);
    }

    // Events that the network reports of its attempts and links.

    /** Whether an attempt is the last one, and has not been answered. */
    public boolean isAsking(int peer, int attempt) {
        synchronized (lock) {
            return peers[peer].state.isAsking() && peers[peer].attempt == attempt;
        }
    }

    /** A peer can't make a link now; it announces when it can. */
    public void refused(int peer, int attempt) {
        answered(peer, attempt, Event.REFUSED);
    }

    /** A peer could not be asked, or its answer is unusable. */
    public void failed(int peer, int attempt) {
        answered(peer, attempt, Event.FAILED);
    }

    private void answered(int peer, int attempt, Event event) {
        synchronized (lock) {
            if (!isAsking(peer, attempt)) {
                return;
            }
            Peer<L> state = peers[peer];
            fire(state, event);
            if (state.state == LinkState.IDLE) {
                if (event == Event.FAILED) {
                    retry(peer);
                }
            } else if (mayHaveLink(peer)) {
                ask(peer);
            } else {
                fire(state, Event.DROPPED);
            }
        }
    }

    /**
     * A peer has agreed, and the link is being made.
     *
     * @param incarnation the peer's incarnation
     * @return false if the attempt is void or this incarnation is not let in: then the link does not count, and the attempt has failed
     */
    public boolean begun(int peer, int attempt, long incarnation, L link) {
        synchronized (lock) {
            if (!isAsking(peer, attempt)) {
                return false;
            }
            if (!gates.lets(peer, incarnation)) {
                failed(peer, attempt);
                return false;
            }
            Peer<L> state = peers[peer];
            fire(state, Event.BEGUN);
            state.link = link;
            state.incarnation = incarnation;
            return true;
        }
    }

    /**
     * A peer has asked for a link, which is being made. The peer has lost the earlier link, if there was one. A node's link to itself also
     * begins with this call.
     *
     * @param incarnation the peer's incarnation
     * @return false if this node has left or this incarnation is not let in: then the link does not count
     */
    public boolean accepted(int peer, long incarnation, L link) {
        synchronized (lock) {
            if (closed || !gates.lets(peer, incarnation)) {
                return false;
            }
            Peer<L> state = peers[peer];
            L before = forget(peer);
            fire(state, Event.ACCEPTED);
            state.link = link;
            state.incarnation = incarnation;
            if (before != null) {
                network.drop(peer, before, "it connects anew");
            }
            return true;
        }
    }

    /**
     * A link is complete: it is in use from now on.
     *
     * @return false if the link no longer counts
     */
    public boolean made(int peer, L link) {
        synchronized (lock) {
            Peer<L> state = peers[peer];
            if (!isLast(state, link) || state.state != LinkState.MAKING) {
                return false;
            }
            fire(state, Event.MADE);
            state.failures = 0;
            using.setRelease(peer, link);
            network.use(peer, link);
            return true;
        }
    }

    /** A link has ended by itself. */
    public void ended(int peer, L link) {
        synchronized (lock) {
            Peer<L> state = peers[peer];
            if (isLast(state, link)) {
                forget(peer);
                fire(state, Event.ENDED);
                retry(peer);
            }
        }
    }

    /** Ends the link to a peer, or the attempt to make one; another one is made once it is {@linkplain #want wanted}. */
    public void drop(int peer, String why) {
        synchronized (lock) {
            L link = forget(peer);
            fire(peers[peer], Event.DROPPED);
            if (link != null) {
                network.drop(peer, link, why);
            }
        }
    }

    /**
     * Ends the link to a peer if the control channel has lost the peer while the link was made.
     *
     * @return whether it has
     */
    public boolean dropIfDown(int peer) {
        boolean isDown = !isUp.test(peer);
        if (isDown) {
            drop(peer, CONTROL_DOWN);
        }
        return isDown;
    }

    /** Whether a link is the one that counts; compared by identity, as two equal links are still two. */
    @SuppressWarnings("ReferenceEquality")
    private static <L> boolean isLast(Peer<L> peer, L link) {
        return peer.link == link;
    }

    private L forget(int peer) {
        Peer<L> state = peers[peer];
        L link = state.link;
        state.link = null;
        using.setRelease(peer, null);
        return link;
    }

    private static void fire(Peer<?> peer, Event event) {
        peer.state = peer.state.after(event);
    }

    private void ask(int peer) {
        network.ask(peer, ++peers[peer].attempt);
    }

    private void retry(int peer) {
        if (mayHaveLink(peer)) {
            network.retry(peer, peers[peer].failures++, () -> want(peer));
        }
    }
}
