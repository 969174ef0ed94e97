package dev.rcc.server;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.local.LocalNetwork;

/** Real threads on the {@code local} network. */
final class LocalRuntime extends ThreadRuntime {
    private final LocalNetwork network;

    LocalRuntime(int nodes) {
        this.network = new LocalNetwork(nodes);
    }

    @Override
    public Fabric attach(int node) {
        return network.attach(node);
    }

    @Override
    public void connect() {
        // nodes of one JVM find each other at once
    }

    @Override
    public void leave(int node) {
        // as the fabric is closed, the node is gone
    }

    @Override
    public void close() {
        network.close();
    }
}
