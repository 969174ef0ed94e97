package dev.rcc.server.testing;

import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The nodes of a cluster in this process, by the ports of their control channels: each has the same port in all its incarnations. */
public final class LoopbackPeers {
    private final int[] ports;

    /** Finds ports that are free. */
    public LoopbackPeers(int nodes) {
        ports = new int[nodes];
        List<ControlChannel> bound = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            bound.add(bind(node));
            ports[node] = bound.getLast().port();
        }
        bound.forEach(ControlChannel::close);
    }

    /** The control channel of a node's next incarnation, which knows its peers. */
    public ControlChannel channel(int node) {
        ControlChannel channel = bind(node);
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
