package dev.rcc.transport.tcp;

import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.sockets.SocketTransport;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of the {@code tcp} network.
 *
 * @param host the name or address of this node where it takes data connections, and which it gives its peers to connect to
 * @param port the port for data connections; 0 for any free port
 * @param transport the way to do input and output
 * @param ioThreads the number of threads that carry out the peers' one-sided operations, 1 to {@value #MAX_IO_THREADS}
 * @param stallTimeout a peer counts as cut off if it takes no sent byte for so long, or if its host acknowledges none (1 s at least; not with NIO);
 *     10 ms to 1 h
 * @param tls the node's certificate and the authorities that it trusts; empty if the peers are trusted without TLS
 * @param faults the faults that the links simulate, for tests and to try out distances
 * @param isSlower whether the nodes are also on a faster network, for which their workers spin
 */
public record TcpOptions(
        String host,
        int port,
        SocketTransport transport,
        int ioThreads,
        Duration stallTimeout,
        Optional<TlsOptions> tls,
        Optional<LinkFaults> faults,
        boolean isSlower) {
    private static final int MAX_PORT = 65_535;
    /** Most I/O threads. */
    public static final int MAX_IO_THREADS = 64;

    private static final long MIN_SILENCE_MILLIS = 1_000;
    private static final Duration MIN_STALL = Duration.ofMillis(10);
    private static final Duration MAX_STALL = Duration.ofHours(1);

    /** On the loopback interface, at any port, with one I/O thread, without TLS. */
    public static final TcpOptions DEFAULT = new TcpOptions(
            "127.0.0.1", 0, SocketTransport.AUTO, 1, Duration.ofSeconds(10), Optional.empty(), Optional.empty(), false);

    /** Checks all values. */
    public TcpOptions {
        if (host.isBlank() || host.length() > TcpHello.MAX_HOST) {
            throw new IllegalArgumentException(
                    "host must have 1 to " + TcpHello.MAX_HOST + " characters, got '" + host + "'");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port must be 0 to " + MAX_PORT + ", got " + port);
        }
        if (ioThreads < 1 || ioThreads > MAX_IO_THREADS) {
            throw new IllegalArgumentException("ioThreads must be 1 to " + MAX_IO_THREADS + ", got " + ioThreads);
        }
        if (stallTimeout.compareTo(MIN_STALL) < 0 || stallTimeout.compareTo(MAX_STALL) > 0) {
            throw new IllegalArgumentException(
                    "stallTimeout must be " + MIN_STALL + " to " + MAX_STALL + ", got " + stallTimeout);
        }
    }

    /**
     * A peer counts as cut off when its host acknowledges no sent byte for so long. This is the stall timeout, but no less than a healthy host may
     * take: it may send an acknowledgement late, by up to 200 ms, and a lost one again.
     */
    int silenceMillis() {
        return (int) Math.max(stallTimeout.toMillis(), MIN_SILENCE_MILLIS);
    }

    /** The same options at another address. */
    public TcpOptions withAddress(String otherHost, int otherPort) {
        return new TcpOptions(otherHost, otherPort, transport, ioThreads, stallTimeout, tls, faults, isSlower);
    }

    /** The same options with another transport. */
    public TcpOptions withTransport(SocketTransport other) {
        return new TcpOptions(host, port, other, ioThreads, stallTimeout, tls, faults, isSlower);
    }

    /** The same options with another stall timeout. */
    public TcpOptions withStallTimeout(Duration other) {
        return new TcpOptions(host, port, transport, ioThreads, other, tls, faults, isSlower);
    }

    /** The same options with TLS. */
    public TcpOptions withTls(TlsOptions other) {
        return new TcpOptions(host, port, transport, ioThreads, stallTimeout, Optional.of(other), faults, isSlower);
    }

    /** The same options on links with faults. */
    public TcpOptions withFaults(LinkFaults other) {
        return new TcpOptions(host, port, transport, ioThreads, stallTimeout, tls, Optional.of(other), isSlower);
    }

    /** The same options for nodes that are also on a faster network. */
    public TcpOptions asSlower() {
        return new TcpOptions(host, port, transport, ioThreads, stallTimeout, tls, faults, true);
    }
}
