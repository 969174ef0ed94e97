package dev.rcc.server;

import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import dev.rcc.transport.handshake.ClusterSecrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The controls of nodes that are all in this JVM: sockets of the loopback interface, at free ports. */
final class LoopbackControls {
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    /** Nodes of one JVM do not die, and must not seem dead on a busy machine. */
    private static final Duration FAILURE_TIMEOUT = Duration.ofMinutes(1);

    private LoopbackControls() {}

    static List<Control> of(int nodes) {
        List<Control> controls = new ArrayList<>();
        List<ControlChannel> channels = new ArrayList<>();
        ClusterSecrets secrets = ClusterSecrets.drawn();
        try {
            for (int node = 0; node < nodes; node++) {
                ControlChannel channel = ControlChannel.bind(
                        ControlOptions.of("embedded", node, nodes)
                                .withTimes(HEARTBEAT, FAILURE_TIMEOUT)
                                .withSecrets(secrets),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                channels.add(channel);
                controls.add(channel);
            }
            List<InetSocketAddress> addresses = channels.stream()
                    .map(channel -> new InetSocketAddress(InetAddress.getLoopbackAddress(), channel.port()))
                    .toList();
            channels.forEach(channel -> channel.peersAt(addresses));
            return controls;
        } catch (IOException e) {
            channels.forEach(ControlChannel::close);
            throw new UncheckedIOException(e);
        }
    }
}
