package dev.rcc.transport.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Nodes in this JVM with real sockets, and on every link a proxy through which one node dials the other. */
public final class ChannelCluster implements ControlContract.Cluster {
    private final ControlChannel[] controls;
    private final int[] ports;
    /** Indexed by the node that is dialled, then by the node that dials. */
    private final TcpProxy[][] links;

    private final UnaryOperator<ControlOptions> options;

    public ChannelCluster(int nodes) throws IOException {
        this(nodes, UnaryOperator.identity());
    }

    /** A cluster whose default options {@code options} changes. */
    public ChannelCluster(int nodes, UnaryOperator<ControlOptions> options) throws IOException {
        this.options = options;
        controls = new ControlChannel[nodes];
        ports = new int[nodes];
        links = new TcpProxy[nodes][nodes];
        for (int node = 0; node < nodes; node++) {
            controls[node] = bind(node, 0);
            ports[node] = controls[node].port();
            for (int dialler = node + 1; dialler < nodes; dialler++) {
                links[node][dialler] = new TcpProxy(ports[node]);
            }
        }
    }

    private ControlChannel bind(int node, int port) throws IOException {
        ControlOptions defaults = ControlOptions.of("test", node, controls.length)
                .withTimes(Duration.ofMillis(50), Duration.ofMillis(600));
        return ControlChannel.bind(
                options.apply(defaults), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    @Override
    public ControlChannel join(int node) throws IOException {
        if (controls[node] == null) {
            controls[node] = bind(node, ports[node]);
        }
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int peer = 0; peer < controls.length; peer++) {
            addresses.add(
                    peer < node
                            ? links[peer][node].address()
                            : new InetSocketAddress(InetAddress.getLoopbackAddress(), ports[peer]));
        }
        controls[node].peersAt(addresses);
        return controls[node];
    }

    @Override
    public void kill(int node) {
        controls[node].close();
        controls[node] = null;
    }

    @Override
    public void cut(int one, int other) {
        link(one, other).freeze();
    }

    @Override
    public void heal(int one, int other) {
        link(one, other).thaw();
    }

    /** The link between two nodes. */
    public TcpProxy link(int one, int other) {
        return links[Math.min(one, other)][Math.max(one, other)];
    }

    /** The port where a node can be reached without a proxy. */
    public int port(int node) {
        return ports[node];
    }

    @Override
    public void close() {
        for (ControlChannel control : controls) {
            if (control != null) {
                control.close();
            }
        }
        for (TcpProxy[] toNode : links) {
            for (TcpProxy link : toNode) {
                if (link != null) {
                    link.close();
                }
            }
        }
    }
}
