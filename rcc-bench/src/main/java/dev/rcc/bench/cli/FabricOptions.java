package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.server.NetworkChoice;
import dev.rcc.server.ShmNetwork;
import dev.rcc.server.TcpNetwork;
import dev.rcc.server.VerbsNetwork;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.shm.ShmOptions;
import dev.rcc.transport.tcp.TcpOptions;
import dev.rcc.transport.tcp.TcpTransport;
import dev.rcc.transport.verbs.VerbsOptions;
import dev.rcc.transport.verbs.darpc.DarpcOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    static final Option TCP_HOST = Option.text(
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

    private static final Option VERBS_DEVICE = Option.text(
            "verbs.device",
            VerbsOptions.DEFAULT.device(),
            "a device's name, such as mlx5_0",
            "RDMA device; the first if none is named");
    private static final Option VERBS_PORT =
            Option.integer("verbs.port", VerbsOptions.DEFAULT.port(), 1, 255, "port", "the device's port");
    private static final Option VERBS_GID = Option.integer(
            "verbs.gid-index",
            VerbsOptions.DEFAULT.gidIndex(),
            -1,
            255,
            "index",
            "the port's global identifier to use; -1 for the best");
    static final Option VERBS_QPS = Option.integer(
            "verbs.qps-per-peer",
            VerbsOptions.DEFAULT.qpsPerPeer(),
            1,
            64,
            "queue pairs",
            "queue pairs from each worker to each peer, used in turns");
    private static final Option VERBS_DEPTH = Option.integer(
            "verbs.send-queue-depth",
            VerbsOptions.DEFAULT.sendQueueDepth(),
            2,
            1 << 15,
            "work requests",
            "work requests that one queue pair holds");
    private static final Option VERBS_ACK = Option.integer(
            "verbs.ack-timeout",
            VerbsOptions.DEFAULT.ackTimeout(),
            1,
            31,
            "exponent",
            "a packet is sent again after 4.096 us * 2^this without acknowledgement");
    private static final Option VERBS_RETRIES = Option.integer(
            "verbs.retries",
            VerbsOptions.DEFAULT.retries(),
            0,
            7,
            "times",
            "how often it is, before the peer counts as unreachable");
    private static final Option VERBS_CLASS = Option.integer(
            "verbs.traffic-class",
            VerbsOptions.DEFAULT.trafficClass(),
            0,
            255,
            "",
            "traffic class of packets (DSCP, ECN)");
    private static final Option VERBS_LEVEL = Option.integer(
            "verbs.service-level", VerbsOptions.DEFAULT.serviceLevel(), 0, 15, "", "service level of packets");
    private static final Option VERBS_RPC = Option.choice(
            "verbs.rpc",
            label(VerbsOptions.DEFAULT.rpc()),
            Stream.of(VerbsOptions.Rpc.values()).map(FabricOptions::label).toList(),
            "how calls travel: by unreliable datagrams, or by DaRPC over reliable connections");
    private static final Option VERBS_RPC_TIMEOUT = Option.integer(
            "verbs.rpc-timeout-ms",
            VerbsOptions.DEFAULT.rpcTimeoutMillis(),
            1,
            3_600_000,
            "milliseconds",
            "after how long a call fails whose request or reply was lost");

    private static final Option VERBS_DARPC_CALLS = Option.integer(
            "verbs.darpc-calls-per-peer",
            DarpcOptions.DEFAULT.callsPerPeer(),
            1,
            1024,
            "calls",
            "calls by DaRPC from a worker to a peer that may be under way at a time");
    private static final Option VERBS_DARPC_BYTES = Option.integer(
            "verbs.darpc-message-bytes",
            DarpcOptions.DEFAULT.messageBytesMax(),
            64,
            1 << 20,
            "bytes",
            "longest request or reply by DaRPC");
    private static final Option VERBS_DARPC_INLINE = Option.integer(
            "verbs.darpc-inline-bytes",
            DarpcOptions.DEFAULT.inlineBytes(),
            0,
            1024,
            "bytes",
            "messages of DaRPC up to this length travel inside their work request, as far as the device can");
    private static final Option VERBS_DARPC_CONNECT = Option.integer(
            "verbs.darpc-connect-timeout-ms",
            DarpcOptions.DEFAULT.connectMillis(),
            100,
            600_000,
            "milliseconds",
            "how long DaRPC waits for a peer that does not answer when a connection is made");

    static final OptionTable TABLE = new OptionTable(
            "--fabric-options ",
            List.of(
                    TCP_HOST,
                    TCP_PORT,
                    TCP_TRANSPORT,
                    TCP_THREADS,
                    TCP_STALL,
                    SHM_CLUSTER,
                    SHM_DIRECTORY,
                    SHM_RING,
                    VERBS_DEVICE,
                    VERBS_PORT,
                    VERBS_GID,
                    VERBS_QPS,
                    VERBS_DEPTH,
                    VERBS_ACK,
                    VERBS_RETRIES,
                    VERBS_CLASS,
                    VERBS_LEVEL,
                    VERBS_RPC,
                    VERBS_RPC_TIMEOUT,
                    VERBS_DARPC_CALLS,
                    VERBS_DARPC_BYTES,
                    VERBS_DARPC_INLINE,
                    VERBS_DARPC_CONNECT));

    /** The network that is used unless another one is picked. */
    static final String DEFAULT = TcpNetwork.NAME;

    /** The networks. */
    static final List<String> NAMES = List.of(TcpNetwork.NAME, ShmNetwork.NAME, VerbsNetwork.NAME);

    private FabricOptions() {}

    /**
     * Makes a network's choice.
     *
     * @param values has the options of {@link #TABLE}, and may have others
     * @param tls what nodes prove to each other, if they do; only on networks that can
     * @throws IllegalArgumentException for values that do not fit together, with what is allowed
     */
    static NetworkChoice create(String name, OptionValues values, Optional<TlsOptions> tls) {
        if (Integer.bitCount(values.intValue(SHM_RING)) != 1) {
            throw values.refuse(SHM_RING, "a power of two");
        }
        return switch (name) {
            case TcpNetwork.NAME ->
                new TcpNetwork(new TcpOptions(
                        values.text(TCP_HOST),
                        values.intValue(TCP_PORT),
                        byLabel(TcpTransport.values(), values.text(TCP_TRANSPORT)),
                        values.intValue(TCP_THREADS),
                        Duration.ofMillis(values.integer(TCP_STALL)),
                        tls,
                        Optional.empty()));
            case ShmNetwork.NAME ->
                new ShmNetwork(new ShmOptions(
                        values.text(SHM_CLUSTER), Path.of(values.text(SHM_DIRECTORY)), values.intValue(SHM_RING)));
            case VerbsNetwork.NAME ->
                new VerbsNetwork(new VerbsOptions(
                        values.text(VERBS_DEVICE),
                        values.intValue(VERBS_PORT),
                        values.intValue(VERBS_GID),
                        values.intValue(VERBS_QPS),
                        values.intValue(VERBS_DEPTH),
                        values.intValue(VERBS_ACK),
                        values.intValue(VERBS_RETRIES),
                        values.intValue(VERBS_CLASS),
                        values.intValue(VERBS_LEVEL),
                        byLabel(VerbsOptions.Rpc.values(), values.text(VERBS_RPC)),
                        values.integer(VERBS_RPC_TIMEOUT),
                        new DarpcOptions(
                                values.intValue(VERBS_DARPC_CALLS),
                                values.intValue(VERBS_DARPC_BYTES),
                                values.intValue(VERBS_DARPC_INLINE),
                                values.intValue(VERBS_DARPC_CONNECT))));
            default ->
                throw new IllegalArgumentException("fabric: got '" + name + "', allowed: " + String.join(", ", NAMES));
        };
    }

    private static <E extends Enum<E>> E byLabel(E[] choices, String label) {
        return Stream.of(choices)
                .filter(choice -> label(choice).equals(label))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Gives a node's configuration a name of its own for the files that nodes share, unless it has one: several clusters on one host
     * do not meet, and it is known whose files are left.
     */
    static void nameShared(Map<String, String> node, String name) {
        if (ShmNetwork.NAME.equals(node.get(ServerOptions.FABRIC.key()))) {
            node.putIfAbsent(SHM_CLUSTER.key(), name);
        }
    }

    /** Which files are those that the nodes of a configuration share, if it has such and names them. */
    static Optional<ShmOptions> shm(Map<String, String> node) {
        return ShmNetwork.NAME.equals(node.get(ServerOptions.FABRIC.key())) && node.containsKey(SHM_CLUSTER.key())
                ? Optional.of(new ShmOptions(
                        node.get(SHM_CLUSTER.key()),
                        Path.of(node.getOrDefault(
                                SHM_DIRECTORY.key(),
                                ShmOptions.DEFAULT.directory().toString())),
                        ShmOptions.DEFAULT.ringBytes()))
                : Optional.empty();
    }

    private static String label(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
