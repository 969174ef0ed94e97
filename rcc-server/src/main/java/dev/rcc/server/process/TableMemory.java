package dev.rcc.server.process;

import com.sun.management.OperatingSystemMXBean;
import dev.rcc.core.store.Catalog;
import dev.rcc.server.config.ClusterConfig;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Compares the memory that tables need with the memory of the machine. Linux ends a process by force if there is none left. */
public final class TableMemory {
    private static final OperatingSystemMXBean MACHINE =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private TableMemory() {}

    /** Bytes of memory and swap that this machine has, or that the container admits. */
    public static long ofMachine() {
        return MACHINE.getTotalMemorySize() + MACHINE.getTotalSwapSpaceSize();
    }

    /**
     * Checks that a machine can hold the tables of nodes that run on it.
     *
     * @param nodes the nodes of one cluster that run on the machine
     * @param machineBytes bytes that the machine has
     * @return a warning, if the tables may come to need more; empty if they fit
     * @throws IllegalArgumentException when the network takes the memory at the start, and the machine does not have it
     */
    public static Optional<String> check(List<ServerConfig> nodes, long machineBytes) {
        ServerConfig any = nodes.getFirst();
        boolean atOnce = any.network().takesMemoryAtOnce();
        List<Integer> ids = nodes.stream().map(ServerConfig::node).toList();
        long bytes = needed(any.cluster(), ids, atOnce);
        if (bytes <= machineBytes) {
            return Optional.empty();
        }
        if (atOnce) {
            throw any.values()
                    .refuse(
                            ServerOptions.TABLES,
                            "tables that fit into " + there(machineBytes) + "; on "
                                    + any.network().name() + " these take " + text(bytes, ids.size())
                                    + " when the nodes start");
        }
        return Optional.of(
                tooLarge(bytes, ids.size(), machineBytes) + "; when memory runs out, the system ends a node");
    }

    /**
     * Checks that a machine can hold all of a cluster's tables, which are about to be filled.
     *
     * @param machineBytes bytes that the machine has
     * @throws IllegalArgumentException when it cannot; names the sizes
     */
    public static void checkFull(ClusterConfig cluster, long machineBytes) {
        List<Integer> all = IntStream.range(0, cluster.nodes()).boxed().toList();
        long bytes = needed(cluster, all, false);
        if (bytes > machineBytes) {
            throw new IllegalArgumentException(
                    tooLarge(bytes, all.size(), machineBytes) + "; allowed: fewer records, nodes or replicas");
        }
    }

    private static long needed(ClusterConfig cluster, List<Integer> nodes, boolean withSegments) {
        Catalog catalog = cluster.newCatalog();
        return nodes.stream()
                .mapToLong(node -> catalog.copyBytes(node, withSegments))
                .sum();
    }

    private static String tooLarge(long bytes, int nodes, long machineBytes) {
        return "the tables need " + text(bytes, nodes) + " when they are full, more than " + there(machineBytes);
    }

    private static String text(long bytes, int nodes) {
        return gibibytes(bytes) + (nodes == 1 ? "" : " on all " + nodes + " nodes together");
    }

    private static String there(long machineBytes) {
        return "this machine's memory and swap, " + gibibytes(machineBytes);
    }

    private static String gibibytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f GiB", bytes / (double) (1 << 30));
    }
}
