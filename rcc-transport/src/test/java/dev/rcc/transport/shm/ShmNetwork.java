package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.control.JvmControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** All nodes of a network of shared memory in this JVM, each with mappings of its own. */
final class ShmNetwork implements FabricCluster.Network {
    private static final AtomicInteger NETWORKS = new AtomicInteger();

    final JvmControl.Cluster cluster;
    final ShmFabric[] fabrics;
    private final JvmControl[] controls;
    private final ShmOptions options;

    ShmNetwork(int nodes, int ringBytes) {
        this(nodes, options(ringBytes));
    }

    ShmNetwork(int nodes, ShmOptions options) {
        this.cluster = new JvmControl.Cluster(nodes);
        this.fabrics = new ShmFabric[nodes];
        this.controls = new JvmControl[nodes];
        this.options = options;
    }

    /** Options with a name that no other cluster has. */
    static ShmOptions options(int ringBytes) {
        String name = "test-" + ProcessHandle.current().pid() + "-" + NETWORKS.incrementAndGet();
        return new ShmOptions(name, ShmOptions.DEFAULT.directory(), ringBytes);
    }

    @Override
    public Fabric attach(int node) {
        controls[node] = cluster.join(node);
        fabrics[node] = new ShmFabric(controls[node], options);
        return fabrics[node];
    }

    /** To be called once the fabrics have started, as a node's wiring does. */
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
    public FabricCluster.Fencing fencing() {
        return FabricCluster.Fencing.STOPPED;
    }

    @Override
    public void stop(int node) {
        fabrics[node].close();
        controls[node].close();
        for (ShmFabric fabric : fabrics) {
            await(() -> !fabric.isReachable(node));
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
        assertThat(files(options)).isEmpty();
    }

    /** The files of a cluster. */
    static List<Path> files(ShmOptions options) {
        try (Stream<Path> all = Files.list(options.directory())) {
            return all.filter(path -> path.getFileName().toString().startsWith("rcc." + options.cluster() + "."))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for what will come soon, or fails. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it
    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 60_000_000_000L;
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
