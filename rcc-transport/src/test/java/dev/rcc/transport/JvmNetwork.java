package dev.rcc.transport;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.JvmControl;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Nodes in this JVM that find each other by control channels in this JVM. The channels start after the fabrics, as in the wiring of a node. */
public abstract class JvmNetwork implements FabricCluster.Network {
    private static final long HANG_NANOS = 60_000_000_000L;

    private final JvmControl.Cluster cluster;
    private final JvmControl[] controls;
    private final Fabric[] fabrics;

    /** A network of {@code nodes} nodes, none of which is attached. */
    protected JvmNetwork(int nodes) {
        this.cluster = new JvmControl.Cluster(nodes);
        this.controls = new JvmControl[nodes];
        this.fabrics = new Fabric[nodes];
    }

    /** Attaches the control channel's node. */
    protected abstract Fabric attach(JvmControl control);

    /** The control channels of all nodes. */
    public final JvmControl.Cluster cluster() {
        return cluster;
    }

    /** The last attachment of a node; null if it was never attached. */
    public final Fabric fabric(int node) {
        return fabrics[node];
    }

    @Override
    public final Fabric attach(int node) {
        controls[node] = cluster.join(node);
        fabrics[node] = attach(controls[node]);
        return fabrics[node];
    }

    @Override
    public void awaitReachable(Fabric[] all) {
        for (JvmControl control : controls) {
            control.start();
        }
        FabricCluster.Network.super.awaitReachable(all);
    }

    @Override
    public void rejoin(int node) {
        controls[node].start();
    }

    @Override
    public void stop(int node) {
        leave(node);
        for (Fabric fabric : fabrics) {
            await(() -> !fabric.isReachable(node));
        }
    }

    @Override
    public void close() {
        for (int node = 0; node < fabrics.length; node++) {
            if (fabrics[node] != null) {
                leave(node);
            }
        }
    }

    /** Closes a node's fabric and control channel. */
    protected void leave(int node) {
        fabrics[node].close();
        controls[node].close();
    }

    /** Waits until {@code condition} holds, or fails after a minute. */
    @SuppressWarnings("ThreadPriorityCheck") // only the speed depends on it
    public static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + HANG_NANOS;
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (looks < 1000) {
                Thread.yield();
                continue;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain");
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
