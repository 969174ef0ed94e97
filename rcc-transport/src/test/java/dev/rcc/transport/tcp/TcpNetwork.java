package dev.rcc.transport.tcp;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.JvmNetwork;
import dev.rcc.transport.control.JvmControl;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Nodes in this JVM that are connected by TCP, and find each other by a control without sockets. */
class TcpNetwork extends JvmNetwork {
    /** The number of rounds in which the contract looks for races: a round is a round trip through the kernel. */
    static final int ROUNDS = Integer.getInteger("rcc.fabric.rounds", 2_000);

    private final TcpOptions options;

    TcpNetwork(int nodes, TcpOptions options) {
        super(nodes);
        this.options = options;
    }

    @Override
    protected Fabric attach(JvmControl control) {
        try {
            return new TcpFabric(control, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@inheritDoc} Does not wait until the other nodes have noticed. */
    @Override
    public void stop(int node) {
        leave(node);
    }

    @Override
    protected void leave(int node) {
        fabric(node).close();
        cluster().kill(node);
    }
}
