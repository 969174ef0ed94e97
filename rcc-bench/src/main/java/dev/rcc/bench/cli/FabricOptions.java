package dev.rcc.bench.cli;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.server.NetworkChoice;
import dev.rcc.server.ShmNetwork;
import dev.rcc.transport.shm.ShmOptions;
import java.nio.file.Path;
import java.util.List;

/** The networks between nodes that have a process each, and what can be chosen about them; each key begins with its network's name. */
final class FabricOptions {
    private static final Option SHM_CLUSTER = Option.text(
            "shm.cluster",
            ShmOptions.DEFAULT.cluster(),
            "1 to 64 letters, digits, _ and -",
            "first part of the names of all files");
    private static final Option SHM_DIRECTORY = Option.text(
            "shm.directory",
            ShmOptions.DEFAULT.directory().toString(),
            "a directory on tmpfs or persistent memory, the same for all nodes",
            "where the files are that nodes share");
    private static final Option SHM_RING = Option.integer(
            "shm.ring-bytes",
            ShmOptions.DEFAULT.ringBytes(),
            1 << 12,
            1 << 30,
            "bytes",
            "size of each ring that carries calls, a power of two");

    static final OptionTable TABLE = new OptionTable("--fabric-options ", List.of(SHM_CLUSTER, SHM_DIRECTORY, SHM_RING));

    /** The networks. */
    static final List<String> NAMES = List.of(ShmNetwork.NAME);

    private FabricOptions() {}

    /**
     * Makes a network's choice.
     *
     * @param values has the options of {@link #TABLE}, and may have others
     * @throws IllegalArgumentException for values that do not fit together, with what is allowed
     */
    static NetworkChoice create(String name, OptionValues values) {
        return switch (name) {
            case ShmNetwork.NAME ->
                new ShmNetwork(new ShmOptions(
                        values.text(SHM_CLUSTER), Path.of(values.text(SHM_DIRECTORY)), values.intValue(SHM_RING)));
            default ->
                throw new IllegalArgumentException(
                        "fabric: got '" + name + "', allowed: " + String.join(", ", NAMES));
        };
    }

    /** The network that an option's key belongs to. */
    static String networkOf(String key) {
        return key.substring(0, Math.max(0, key.indexOf('.')));
    }
}
