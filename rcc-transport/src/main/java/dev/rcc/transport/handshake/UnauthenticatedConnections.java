package dev.rcc.transport.handshake;

import dev.rcc.transport.LogLimit;
import io.netty.channel.Channel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to a port of which it is not yet known whose they are. There are never more than a limit: one more takes the place of
 * another, the oldest of the address that has the most. So an address that floods the port only pushes itself out, and one that is
 * silent cannot keep others out. IPv6 addresses count by their first 64 bits, of which one machine may have all.
 *
 * <p>Used on any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of channels that are closed
public final class UnauthenticatedConnections {
    private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedConnections.class);
    private static final int NETWORK_BYTES = 8;

    private final int node;
    private final String port;
    private final int limit;
    private final LogLimit logs = new LogLimit();
    /** By address, the oldest first. */
    private final Map<Object, LinkedHashSet<Channel>> byAddress = new HashMap<>();

    private int count;

    /**
     * None yet.
     *
     * @param node the node to which they come
     * @param port what the log calls the port, a word
     * @param limit how many there may be
     */
    public UnauthenticatedConnections(int node, String port, int limit) {
        this.node = node;
        this.port = port;
        this.limit = limit;
    }

    /** Counts a connection in, until it {@linkplain #leave leaves} or is closed, and closes another if there are too many. */
    public void enter(Channel channel) {
        Channel dropped = null;
        Object address = address(channel);
        int pending;
        synchronized (this) {
            if (count == limit) {
                dropped = oldestOfTheMost();
                remove(address(dropped), dropped);
            }
            byAddress.computeIfAbsent(address, first -> new LinkedHashSet<>()).add(channel);
            count++;
            pending = count;
        }
        channel.closeFuture().addListener(closed -> leave(channel));
        if (dropped != null) {
            long more = logs.admit();
            if (more >= 0) {
                LOG.warn(
                        "event=unauthenticated_connection_closed node={} port={} unauthenticated={} oldest={} closed_before={}:"
                                + " there may be no more, so the oldest is closed",
                        node,
                        port,
                        pending,
                        dropped.remoteAddress(),
                        more);
            }
            dropped.close();
        }
    }

    /** It is known whose connection it is. */
    public synchronized void leave(Channel channel) {
        remove(address(channel), channel);
    }

    /** How many there are. */
    public synchronized int count() {
        return count;
    }

    private void remove(Object address, Channel channel) {
        LinkedHashSet<Channel> those = byAddress.get(address);
        if (those != null && those.remove(channel)) {
            count--;
            if (those.isEmpty()) {
                byAddress.remove(address);
            }
        }
    }

    private Channel oldestOfTheMost() {
        return byAddress.values().stream()
                .max(Comparator.comparingInt(LinkedHashSet::size))
                .orElseThrow()
                .getFirst();
    }

    private static Object address(Channel channel) {
        SocketAddress remote = channel.remoteAddress();
        InetAddress address = remote instanceof InetSocketAddress socket ? socket.getAddress() : null;
        if (address instanceof Inet6Address) {
            return Arrays.toString(Arrays.copyOf(address.getAddress(), NETWORK_BYTES));
        }
        return address == null ? "" : address;
    }
}
