package dev.rcc.bench.cli;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.server.NetworkChoice;
import dev.rcc.server.ShmNetwork;
import dev.rcc.server.TcpNetwork;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.shm.ShmOptions;
import dev.rcc.transport.tcp.TcpOptions;
import dev.rcc.transport.tcp.TcpTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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

    private static final Option TCP_HOST = Option.text(
            "tcp.host",
            TcpOptions.DEFAULT.host(),
            "a name or address of this node",
            "where this node takes data connections, and what its peers are told");
    private static final Option TCP_PORT = Option.integer(
            "tcp.port", TcpOptions.DEFAULT.port(), 0, 65_535, "port", "the port for data connections; 0 is any");
    private static final Option TCP_TRANSPORT = Option.choice(
            "tcp.transport",
            label(TcpOptions.DEFAULT.transport()),
            Stream.of(TcpTransport.values()).map(FabricOptions::label).toList(),
            "how input and output are done");
    private static final Option TCP_THREADS = Option.integer(
            "tcp.io-threads",
            TcpOptions.DEFAULT.ioThreads(),
            1,
            TcpOptions.MAX_IO_THREADS,
            "threads",
            "threads that carry out the peers' one-sided operations");
    private static final Option TCP_STALL = Option.integer(
            "tcp.stall-ms",
            TcpOptions.DEFAULT.stallTimeout().toMillis(),
            10,
            3_600_000,
            "milliseconds",
            "after how long without taking any byte that was sent a peer counts as cut off");

    static final OptionTable TABLE = new OptionTable(
            "--fabric-options ",
            List.of(TCP_HOST, TCP_PORT, TCP_TRANSPORT, TCP_THREADS, TCP_STALL, SHM_CLUSTER, SHM_DIRECTORY, SHM_RING));

    /** The network that is used unless another one is picked. */
    static final String DEFAULT = TcpNetwork.NAME;

    /** The networks. */
    static final List<String> NAMES = List.of(TcpNetwork.NAME, ShmNetwork.NAME);

    private FabricOptions() {}

    /**
     * Makes a network's choice.
     *
     * @param values has the options of {@link #TABLE}, and may have others
     * @param tls what nodes prove to each other, if they do; only on networks that can
     * @throws IllegalArgumentException for values that do not fit together, with what is allowed
     */
    static NetworkChoice create(String name, OptionValues values, Optional<TlsOptions> tls) {
        return switch (name) {
            case TcpNetwork.NAME ->
                new TcpNetwork(new TcpOptions(
                        values.text(TCP_HOST),
                        values.intValue(TCP_PORT),
                        transport(values.text(TCP_TRANSPORT)),
                        values.intValue(TCP_THREADS),
                        Duration.ofMillis(values.integer(TCP_STALL)),
                        tls));
            case ShmNetwork.NAME ->
                new ShmNetwork(new ShmOptions(
                        values.text(SHM_CLUSTER), Path.of(values.text(SHM_DIRECTORY)), values.intValue(SHM_RING)));
            default ->
                throw new IllegalArgumentException("fabric: got '" + name + "', allowed: " + String.join(", ", NAMES));
        };
    }

    private static TcpTransport transport(String label) {
        return Stream.of(TcpTransport.values())
                .filter(transport -> label(transport).equals(label))
                .findFirst()
                .orElseThrow();
    }

    private static String label(TcpTransport transport) {
        return transport.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
