package dev.rcc.transport.control;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Faults of the links from this node: bytes that are sent to a peer arrive later, or nothing goes through at all. Networks and control channels are
 * given the same object, so that a link is lost to both. May be changed at any time, on any thread.
 *
 * <p>Bytes that a cut link has swallowed are missing, so a connection that was cut carries nothing any more, although neither end notices: it is
 * half-open until its node finds it silent. Connections made after the link has healed are good.
 */
public final class LinkFaults {
    private static final Link GOOD = new Link(0, 0, false, false);

    private final long seed;
    private final AtomicLong handlers = new AtomicLong();
    private final ConcurrentHashMap<Integer, Link> links = new ConcurrentHashMap<>();

    /** The state of a link. */
    record Link(long delayNanos, long jitterNanos, boolean dropsSent, boolean dropsReceived) {}

    /** No faults yet; jitter will be drawn from {@code seed}. */
    public LinkFaults(long seed) {
        this.seed = seed;
    }

    /**
     * Delays everything that is sent to {@code peer}, by {@code fixed} and up to {@code jitter} more. The order on a connection stays. The peer
     * delays the opposite direction.
     */
    public void delay(int peer, Duration fixed, Duration jitter) {
        if (fixed.isNegative() || jitter.isNegative()) {
            throw new IllegalArgumentException("delay and jitter must be 0 or more, got " + fixed + " and " + jitter);
        }
        change(peer, before -> new Link(fixed.toNanos(), jitter.toNanos(), before.dropsSent, before.dropsReceived));
    }

    /** The least delay of everything that is sent to {@code peer}. */
    public Duration delay(int peer) {
        return Duration.ofNanos(link(peer).delayNanos);
    }

    /** The largest random delay on top of that. */
    public Duration jitter(int peer) {
        return Duration.ofNanos(link(peer).jitterNanos);
    }

    /** Loses the link: nothing that is sent to {@code peer} arrives, nor anything that the peer sends. */
    public void cut(int peer) {
        change(peer, before -> new Link(before.delayNanos, before.jitterNanos, true, true));
    }

    /** Loses one direction of the link: nothing that is sent to {@code peer} arrives, but all that the peer sends does. */
    public void cutOutgoing(int peer) {
        change(peer, before -> new Link(before.delayNanos, before.jitterNanos, true, false));
    }

    /** Brings the link back; delays stay. */
    public void heal(int peer) {
        change(peer, before -> new Link(before.delayNanos, before.jitterNanos, false, false));
    }

    private void change(int peer, UnaryOperator<Link> to) {
        links.compute(peer, (key, before) -> to.apply(before == null ? GOOD : before));
    }

    Link link(int peer) {
        return links.getOrDefault(peer, GOOD);
    }

    /** A handler that adds the faults to a connection; it goes first into the pipeline. {@code peer} is negative as long as it is not known. */
    public ChannelHandler newHandler(int peer) {
        return new LinkFaultHandler(this, peer, seed ^ handlers.incrementAndGet() * 0x9E3779B97F4A7C15L);
    }

    /** Whether a connection is not writable because many bytes are delayed on it, whatever its peer does. Called on the connection's thread. */
    public static boolean isFull(Channel channel) {
        return LinkFaultHandler.isFull(channel);
    }

    /** Sets the node at the connection's other end, if the connection has a fault handler. Called on the connection's thread. */
    public static void peer(Channel channel, int peer) {
        LinkFaultHandler handler = channel.pipeline().get(LinkFaultHandler.class);
        if (handler != null) {
            handler.peer(peer);
        }
    }
}
