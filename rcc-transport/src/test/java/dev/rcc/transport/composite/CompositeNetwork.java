package dev.rcc.transport.composite;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmOptions;
import dev.rcc.transport.shm.ShmProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Nodes in this JVM, in zones: some network within a zone, TCP between. */
final class CompositeNetwork implements FabricCluster.Network {
    private static final AtomicInteger NETWORKS = new AtomicInteger();
    private static final long HANG_NANOS = 60_000_000_000L;

    private final JvmControl.Cluster cluster;
    private final JvmControl[] controls;
    private final Fabric[] fabrics;
    private final Zones zones;
    private final FabricProvider network;

    /** {@code letters} has one for each node: nodes with the same are in one zone. */
    CompositeNetwork(FabricProvider inside, String letters) {
        this.cluster = new JvmControl.Cluster(letters.length());
        this.controls = new JvmControl[letters.length()];
        this.fabrics = new Fabric[letters.length()];
        this.zones = zones(letters);
        this.network = new CompositePairing().pair(inside, new TcpProvider(), zones);
    }

    /** Shared memory that no other cluster has. */
    static FabricProvider shm() {
        String name = "pair-" + ProcessHandle.current().pid() + "-" + NETWORKS.incrementAndGet();
        return new ShmProvider(new ShmOptions(name, ShmOptions.DEFAULT.directory(), ShmOptions.DEFAULT.ringBytes()));
    }

    private static Zones zones(String letters) {
        List<String> names = IntStream.range(0, letters.length())
                .mapToObj(node -> letters.substring(node, node + 1))
                .toList();
        return Zones.of(names);
    }

    @Override
    public Fabric attach(int node) {
        controls[node] = cluster.join(node);
        fabrics[node] = network.attach(controls[node]);
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

    /** Of nodes 0 and 1. The networks inside cut off only what has stopped, in one process. */
    @Override
    public FabricCluster.Fencing fencing() {
        boolean isByMemory = zones.nodes() == 1 || zones.zone(0) == zones.zone(1);
        return isByMemory ? FabricCluster.Fencing.STOPPED : FabricCluster.Fencing.ANY;
    }

    @Override
    public void stop(int node) {
        fabrics[node].close();
        controls[node].close();
        long deadline = System.nanoTime() + HANG_NANOS;
        for (Fabric fabric : fabrics) {
            while (fabric.isReachable(node)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("node " + fabric.node() + " still reaches node " + node);
                }
                LockSupport.parkNanos(100_000);
            }
        }
    }

    @Override
    public void close() {
        for (int node = 0; node < fabrics.length; node++) {
            if (fabrics[node] != null) {
                fabrics[node].close();
                controls[node].close();
            }
        }
    }
}
