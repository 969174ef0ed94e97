package dev.rcc.transport.verbs;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.control.JvmControl;
import java.util.ArrayList;
import java.util.List;

/** A network of nodes in this JVM that reach each other through the first device. */
public final class VerbsNetwork implements FabricCluster.Network {
    private final JvmControl.Cluster controls;
    private final VerbsOptions options;
    private final JvmControl[] control;
    private final Fabric[] fabrics;
    private final List<Fabric> all = new ArrayList<>();

    public VerbsNetwork(int nodes, VerbsOptions options) {
        this.controls = new JvmControl.Cluster(nodes);
        this.options = options;
        this.control = new JvmControl[nodes];
        this.fabrics = new Fabric[nodes];
    }

    @Override
    public Fabric attach(int node) {
        control[node] = controls.join(node);
        fabrics[node] = new VerbsFabric(control[node], options);
        all.add(fabrics[node]);
        return fabrics[node];
    }

    /** Starts a node's control, once its fabric has started. */
    public void startControl(int node) {
        control[node].start();
    }

    @Override
    public void awaitReachable(Fabric[] ofNodes) {
        for (JvmControl one : control) {
            one.start();
        }
        FabricCluster.Network.super.awaitReachable(ofNodes);
    }

    @Override
    public void rejoin(int node) {
        startControl(node);
    }

    @Override
    public void stop(int node) {
        control[node].close();
        fabrics[node].close();
    }

    @Override
    public void close() {
        for (JvmControl one : control) {
            if (one != null) {
                one.close();
            }
        }
        all.forEach(Fabric::close);
    }
}
