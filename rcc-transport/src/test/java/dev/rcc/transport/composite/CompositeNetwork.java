package dev.rcc.transport.composite;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.JvmNetwork;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmOptions;
import dev.rcc.transport.shm.ShmProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Nodes in this JVM, in zones: a given network within a zone, TCP between zones. */
final class CompositeNetwork extends JvmNetwork {
    private static final AtomicInteger NETWORKS = new AtomicInteger();

    private final Zones zones;
    private final FabricProvider network;

    /** {@code letters} has one letter for each node: nodes with the same letter are in one zone. */
    CompositeNetwork(FabricProvider inside, String letters) {
        super(letters.length());
        this.zones = zones(letters);
        this.network = new CompositePairing().pair(inside, new TcpProvider(), zones);
    }

    /** Shared memory of this cluster alone. */
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
    protected Fabric attach(JvmControl control) {
        return network.attach(control);
    }

    /** The fencing of nodes 0 and 1. In one process, the networks inside cut off only stopped nodes. */
    @Override
    public FabricCluster.Fencing fencing() {
        boolean isByMemory = zones.nodes() == 1 || zones.zone(0) == zones.zone(1);
        return isByMemory ? FabricCluster.Fencing.STOPPED : FabricCluster.Fencing.ANY;
    }
}
