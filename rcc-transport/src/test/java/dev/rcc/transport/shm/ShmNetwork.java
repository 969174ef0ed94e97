package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.JvmNetwork;
import dev.rcc.transport.control.JvmControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** All nodes of a network of shared memory in this JVM, each with mappings of its own. */
final class ShmNetwork extends JvmNetwork {
    private static final AtomicInteger NETWORKS = new AtomicInteger();

    private final ShmOptions options;

    ShmNetwork(int nodes, int ringBytes) {
        super(nodes);
        this.options = options(ringBytes);
    }

    /** Options with a name of this cluster alone. */
    static ShmOptions options(int ringBytes) {
        String name = "test-" + ProcessHandle.current().pid() + "-" + NETWORKS.incrementAndGet();
        return new ShmOptions(name, ShmOptions.DEFAULT.directory(), ringBytes);
    }

    @Override
    protected Fabric attach(JvmControl control) {
        return new ShmFabric(control, options);
    }

    @Override
    public FabricCluster.Fencing fencing() {
        return FabricCluster.Fencing.STOPPED;
    }

    @Override
    public void close() {
        super.close();
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
}
