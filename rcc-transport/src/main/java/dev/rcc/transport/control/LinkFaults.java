package dev.rcc.transport.control;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Makes the links from this node worse than they are: what is sent to a peer arrives later, or nothing goes through at all. For
 * networks and control channels that are given the same object, so that a link is lost to both. May be changed at any time, on
 * any thread.
 *
 * <p>Bytes that a cut link has swallowed are missing, so a connection that was cut carries nothing ever after, although neither
 * end notices: it is half-open until its node finds it silent. Connections made after the healing are good.
 */
public final class LinkFaults {
    private static final Link GOOD = new Link(0, 0, false, false);

    private final long seed;
    private final AtomicLong handlers = new AtomicLong();
    private final ConcurrentHashMap<Integer, Link> links = new ConcurrentHashMap<>();

    /** What a link is like. */
    record Link(long delayNanos, long jitterNanos, boolean dropsSent, boolean dropsReceived) {}

    /** No faults yet; jitter will be drawn from {@code seed}. */
    public LinkFaults(long seed) {
        this.seed = seed;
    }

    /**
     * Has everything that is sent to {@code peer} arrive later than it would: by {@code fixed} and up to {@code jitter} more. The
     * order on a connection stays. The way back is the peer's to delay.
     */
    public void delay(int peer, Duration fixed, Duration jitter) {
        if (fixed.isNegative() || jitter.isNegative()) {
            throw new IllegalArgumentException("delay and jitter must be 0 or more, got " + fixed + " and " + jitter);
        }
        change(peer, before -> new Link(fixed.toNanos(), jitter.toNanos(), before.dropsSent, before.dropsReceived));
    }

    /** How much later what is sent to {@code peer} arrives, at least. */
    public Duration delay(int peer) {
        return Duration.ofNanos(link(peer).delayNanos);
    }

    /** Up to how much later still, by chance. */
    public Duration jitter(int peer) {
        return Duration.ofNanos(link(peer).jitterNanos);
    }

    /** Loses the link: nothing that is sent to {@code peer} arrives, nor anything that it sends. */
    public void cut(int peer) {
        change(peer, before -> new Link(before.delayNanos, before.jitterNanos, true, true));
    }

    /** Loses one direction of the link: nothing that is sent to {@code peer} arrives, but all that it sends. */
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

    /** What spoils a connection: goes first into its pipeline. {@code peer} is negative as long as it is not known. */
    public ChannelHandler newHandler(int peer) {
        return new LinkFaultHandler(this, peer, seed ^ handlers.incrementAndGet() * 0x9E3779B97F4A7C15L);
    }

    /** Tells the connection, if it is spoilt, who is at its other end. On its thread. */
    public static void peer(Channel channel, int peer) {
        LinkFaultHandler handler = channel.pipeline().get(LinkFaultHandler.class);
        if (handler != null) {
            handler.peer(peer);
        }
    }
}
