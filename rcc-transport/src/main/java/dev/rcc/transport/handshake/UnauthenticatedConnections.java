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
 * The connections to a port whose peers are not authenticated yet. There are never more than a limit: a further connection replaces the oldest one of
 * the address that has the most. So an address that floods the port displaces only its own connections, and a silent address cannot keep other
 * addresses out. IPv6 addresses count by their first 64 bits, since one machine may have all addresses that share them.
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
     * Starts without connections.
     *
     * @param node the node that they connect to
     * @param port the port's name in the log, a word
     * @param limit how many there may be
     */
    public UnauthenticatedConnections(int node, String port, int limit) {
        this.node = node;
        this.port = port;
        this.limit = limit;
    }

    /** Adds a connection, until it {@linkplain #leave leaves} or is closed, and closes another if there are too many. */
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
                                + " limit reached; closed the oldest connection of the address with the most",
                        node,
                        port,
                        pending,
                        dropped.remoteAddress(),
                        more);
            }
            dropped.close();
        }
    }

    /** The connection's peer is authenticated. */
    public synchronized void leave(Channel channel) {
        remove(address(channel), channel);
    }

    /** The number of unauthenticated connections. */
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
