package dev.rcc.server.recovery;

import dev.rcc.transport.control.Control;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Nodes that have lost each other, while other nodes reach both. Each node repeatedly sends all peers the set of nodes that it has missed
 * for a while: the leader's own connections do not show such losses. A link counts as lost when one of its ends reports it.
 *
 * <p>A node misses a peer to which its control channel is not connected. It also misses a peer that it had reached on the network that
 * carries transactions, and does not reach any more: that network may have other cables and switches.
 *
 * <p>Thread-safe.
 */
final class LostLinks implements Control.Listener {
    /** The interval at which a node sends the set of nodes that it misses. */
    static final long TELL_MILLIS = 200;

    private static final String TOPIC = "missing";
    private static final byte[] NOTHING = {};
    private static final long THERE = 0;
    /** How long a node is down before its peer reports it: a lost link is often there again at once. */
    private static final long MISSED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long a report holds. */
    private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long no further link must be lost before nodes are left out: a node that loses several links at once is judged by all of them. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Control control;
    private final IntPredicate reaches;
    private final long cutNanos;
    private final LongSupplier nanoTime;
    /** By peer: since when the control channel misses it, or {@link #THERE}. */
    private final long[] missedSinceNanos;
    /** By peer: since when it is connected, and not reached on the network that carries transactions, or {@link #THERE}. */
    private final long[] cutSinceNanos;
    /** By peer: the incarnation that was reached on that network, or is connected last. */
    private final long[] incarnations;
    /** The peers that were reached on that network in that incarnation. */
    private final BitSet reached = new BitSet();
    /** By the node that has reported: the nodes that it misses. */
    private final BitSet[] missing;

    private final long[] toldNanos;
    private long lastLossNanos;
    private boolean said;

    /**
     * Receives the peers' reports as soon as they are let in.
     *
     * @param reaches whether this node reaches a peer on the network that carries transactions
     * @param cut how long a node does not reach a peer on that network before it reports the peer; networks make broken connections anew,
     *     some of them only after the old ones have ended
     */
    LostLinks(Control control, IntPredicate reaches, Duration cut) {
        this(control, reaches, cut, System::nanoTime);
    }

    /** As the other one, with a clock: times in nanoseconds. */
    LostLinks(Control control, IntPredicate reaches, Duration cut, LongSupplier nanoTime) {
        int nodes = control.nodes();
        this.control = control;
        this.reaches = reaches;
        this.cutNanos = cut.toNanos();
        this.nanoTime = nanoTime;
        this.cutSinceNanos = new long[nodes];
        this.incarnations = new long[nodes];
        this.missedSinceNanos = new long[nodes];
        this.missing = Stream.generate(BitSet::new).limit(nodes).toArray(BitSet[]::new);
        this.toldNanos = new long[nodes];
        this.lastLossNanos = nanoTime.getAsLong();
        Arrays.fill(missedSinceNanos, nanoTime.getAsLong());
        missedSinceNanos[control.node()] = THERE;
        control.serve(TOPIC, (peer, question) -> {
            heard(peer, BitSet.valueOf(ByteBuffer.wrap(question)));
            return NOTHING;
        });
        control.listen(this);
    }

    @Override
    public synchronized void up(int peer, long incarnation) {
        missedSinceNanos[peer] = THERE;
        if (incarnations[peer] != incarnation) {
            incarnations[peer] = incarnation;
            reached.clear(peer); // a network may need a while to connect for the first time
        }
        missing[peer] = new BitSet(); // reports by it, and about it, may concern another incarnation
        for (BitSet each : missing) {
            each.clear(peer);
        }
    }

    @Override
    public synchronized void down(int peer) {
        missedSinceNanos[peer] = nanoTime.getAsLong();
    }

    /** Sends all peers the set of nodes that this node misses, and once more when it misses none again. */
    void tell() {
        BitSet now = missed();
        heard(control.node(), now);
        if (!now.isEmpty() || said) {
            said = !now.isEmpty();
            List<CompletableFuture<byte[]>> _ = control.askOthers(TOPIC, now.toByteArray());
        }
    }

    private synchronized BitSet missed() {
        long now = nanoTime.getAsLong();
        BitSet missed = new BitSet();
        for (int peer = 0; peer < missedSinceNanos.length; peer++) {
            look(peer, now);
            if (hasPassed(missedSinceNanos[peer], MISSED_NANOS, now) || hasPassed(cutSinceNanos[peer], cutNanos, now)) {
                missed.set(peer);
            }
        }
        return missed;
    }

    private void look(int peer, long now) {
        if (!control.isUp(peer)) {
            cutSinceNanos[peer] = THERE; // the control channel misses it
        } else if (reaches.test(peer)) {
            reached.set(peer);
            cutSinceNanos[peer] = THERE;
        } else if (reached.get(peer) && cutSinceNanos[peer] == THERE) {
            cutSinceNanos[peer] = now;
        }
    }

    private static boolean hasPassed(long since, long nanos, long now) {
        return since != THERE && now - since > nanos;
    }

    private synchronized void heard(int node, BitSet misses) {
        BitSet more = (BitSet) misses.clone();
        more.andNot(missing[node]);
        missing[node] = misses;
        toldNanos[node] = nanoTime.getAsLong();
        if (!more.isEmpty()) {
            lastLossNanos = toldNanos[node];
        }
    }

    /**
     * The nodes to leave out so that all other nodes of the set reach each other. To leave out few, repeatedly leaves out the node with the
     * most lost links; of several such nodes, the last one, and this node only if there is no other one.
     *
     * @param nodes the nodes to which this node is connected, itself among them
     * @return the nodes to leave out; none while links are still being lost
     */
    synchronized BitSet without(BitSet nodes) {
        BitSet out = new BitSet();
        if (nanoTime.getAsLong() - lastLossNanos < SETTLED_NANOS) {
            return out;
        }
        BitSet left = (BitSet) nodes.clone();
        for (int worst = worst(left); worst >= 0; worst = worst(left)) {
            out.set(worst);
            left.clear(worst);
        }
        return out;
    }

    /** The node that has lost the most links to the other ones, the last of several; -1 if no link is lost. */
    private int worst(BitSet nodes) {
        int worst = -1;
        long most = 0;
        for (int node : nodes.stream().toArray()) {
            long count = nodes.stream().filter(peer -> isLost(node, peer)).count();
            if (count > most || (count == most && count > 0 && node != control.node())) {
                worst = node;
                most = count;
            }
        }
        return worst;
    }

    private boolean isLost(int node, int peer) {
        return node != peer && (misses(node, peer) || misses(peer, node));
    }

    private boolean misses(int node, int peer) {
        return missing[node].get(peer) && nanoTime.getAsLong() - toldNanos[node] < HOLDS_NANOS;
    }
}
