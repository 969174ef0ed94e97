package dev.rcc.server.testing;

import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.IntStream;

/** The nodes of a cluster in this process, by the ports of their control channels: each has the same port in all its incarnations. */
public final class LoopbackPeers {
    private final int[] ports;
    /** By node: the channel of the first incarnation, until it is used. */
    private final ControlChannel[] first;

    /** Binds the nodes to free ports. */
    public LoopbackPeers(int nodes) {
        ports = new int[nodes];
        first = new ControlChannel[nodes];
        for (int node = 0; node < nodes; node++) {
            first[node] = bind(node);
            ports[node] = first[node].port();
        }
    }

    /** The control channel of a node's next incarnation, which knows its peers. */
    public synchronized ControlChannel channel(int node) {
        ControlChannel channel = first[node] == null ? bind(node) : first[node];
        first[node] = null;
        channel.peersAt(IntStream.of(ports).mapToObj(LoopbackPeers::address).toList());
        return channel;
    }

    private ControlChannel bind(int node) {
        try {
            return ControlChannel.bind(
                    ControlOptions.of("test", node, ports.length)
                            .withTimes(Duration.ofMillis(100), Duration.ofSeconds(30)),
                    address(ports[node]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
