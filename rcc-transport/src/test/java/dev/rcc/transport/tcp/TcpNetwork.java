package dev.rcc.transport.tcp;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.control.JvmControl;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Nodes in this JVM that are connected by TCP, and find each other without. */
class TcpNetwork implements FabricCluster.Network {
    /** How often the contract looks for races: a round is a round trip through the kernel. */
    static final int ROUNDS = Integer.getInteger("rcc.fabric.rounds", 2_000);

    final JvmControl.Cluster controls;
    final TcpFabric[] fabrics;
    private final JvmControl[] controlOf;
    private final TcpOptions options;

    TcpNetwork(int nodes, TcpOptions options) {
        this.controls = new JvmControl.Cluster(nodes);
        this.controlOf = new JvmControl[nodes];
        this.fabrics = new TcpFabric[nodes];
        this.options = options;
    }

    @Override
    public Fabric attach(int node) {
        controlOf[node] = controls.join(node);
        try {
            fabrics[node] = new TcpFabric(controlOf[node], options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fabrics[node];
    }

    @Override
    public void awaitReachable(Fabric[] attached) {
        for (JvmControl control : controlOf) {
            control.start();
        }
        FabricCluster.Network.super.awaitReachable(attached);
    }

    @Override
    public void rejoin(int node) {
        controlOf[node].start();
    }

    @Override
    public void stop(int node) {
        fabrics[node].close();
        controls.kill(node);
    }

    @Override
    public void close() {
        for (int node = 0; node < fabrics.length; node++) {
            if (fabrics[node] != null) {
                stop(node);
            }
        }
    }
}
