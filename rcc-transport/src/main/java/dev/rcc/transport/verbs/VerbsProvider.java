package dev.rcc.transport.verbs;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.verbs.darpc.DarpcOptions;
import java.util.List;

/** RDMA verbs between processes on hosts with a device. */
public record VerbsProvider(VerbsOptions chosen) implements FabricProvider {
    private static final Option DEVICE = Option.text(
            "verbs.device",
            VerbsOptions.DEFAULT.device(),
            "a device's name, such as mlx5_0",
            "RDMA device; the first if none is named");
    private static final Option PORT =
            Option.integer("verbs.port", VerbsOptions.DEFAULT.port(), 1, 255, "port", "the device's port");
    private static final Option GID = Option.integer(
            "verbs.gid-index",
            VerbsOptions.DEFAULT.gidIndex(),
            -1,
            255,
            "index",
            "the port's global identifier to use; -1 for the best");
    private static final Option QPS = Option.integer(
            "verbs.qps-per-peer",
            VerbsOptions.DEFAULT.qpsPerPeer(),
            1,
            64,
            "queue pairs",
            "queue pairs from each worker to each peer, used in turns");
    private static final Option DEPTH = Option.integer(
            "verbs.send-queue-depth",
            VerbsOptions.DEFAULT.sendQueueDepth(),
            2,
            1 << 15,
            "work requests",
            "work requests that one queue pair holds");
    private static final Option ACK = Option.integer(
            "verbs.ack-timeout",
            VerbsOptions.DEFAULT.ackTimeout(),
            1,
            31,
            "exponent",
            "a packet is sent again after 4.096 us * 2^this without acknowledgement");
    private static final Option RETRIES = Option.integer(
            "verbs.retries",
            VerbsOptions.DEFAULT.retries(),
            0,
            7,
            "times",
            "how often a packet is sent again before the peer counts as unreachable");
    private static final Option TRAFFIC_CLASS = Option.integer(
            "verbs.traffic-class",
            VerbsOptions.DEFAULT.trafficClass(),
            0,
            255,
            "",
            "traffic class of packets (DSCP, ECN)");
    private static final Option SERVICE_LEVEL = Option.integer(
            "verbs.service-level", VerbsOptions.DEFAULT.serviceLevel(), 0, 15, "", "service level of packets");
    private static final Option RPC = Option.choice(
            "verbs.rpc",
            VerbsOptions.DEFAULT.rpc(),
            VerbsOptions.Rpc.values(),
            "how calls travel: by unreliable datagrams, or by DaRPC over reliable connections");
    private static final Option RPC_TIMEOUT = Option.integer(
            "verbs.rpc-timeout-ms",
            VerbsOptions.DEFAULT.rpcTimeoutMillis(),
            1,
            3_600_000,
            "milliseconds",
            "time after which a call fails if its request or reply was lost");
    private static final Option DARPC_CALLS = Option.integer(
            "verbs.darpc-calls-per-peer",
            DarpcOptions.DEFAULT.callsPerPeer(),
            1,
            1024,
            "calls",
            "calls by DaRPC from a worker to a peer that may be under way at a time");
    private static final Option DARPC_BYTES = Option.integer(
            "verbs.darpc-message-bytes",
            DarpcOptions.DEFAULT.messageBytesMax(),
            64,
            1 << 20,
            "bytes",
            "longest request or reply by DaRPC");
    private static final Option DARPC_INLINE = Option.integer(
            "verbs.darpc-inline-bytes",
            DarpcOptions.DEFAULT.inlineBytes(),
            0,
            1024,
            "bytes",
            "messages of DaRPC up to this length travel inside their work request, as far as the device can");
    private static final Option DARPC_CONNECT = Option.integer(
            "verbs.darpc-connect-timeout-ms",
            DarpcOptions.DEFAULT.connectMillis(),
            100,
            600_000,
            "milliseconds",
            "how long DaRPC waits for a peer that does not answer when a connection is made");

    /** With the default options. */
    public VerbsProvider() {
        this(VerbsOptions.DEFAULT);
    }

    @Override
    public String name() {
        return "verbs";
    }

    @Override
    public List<Option> options() {
        return List.of(
                DEVICE,
                PORT,
                GID,
                QPS,
                DEPTH,
                ACK,
                RETRIES,
                TRAFFIC_CLASS,
                SERVICE_LEVEL,
                RPC,
                RPC_TIMEOUT,
                DARPC_CALLS,
                DARPC_BYTES,
                DARPC_INLINE,
                DARPC_CONNECT);
    }

    @Override
    public FabricProvider with(OptionValues values) {
        return new VerbsProvider(new VerbsOptions(
                values.text(DEVICE),
                values.intValue(PORT),
                values.intValue(GID),
                values.intValue(QPS),
                values.intValue(DEPTH),
                values.intValue(ACK),
                values.intValue(RETRIES),
                values.intValue(TRAFFIC_CLASS),
                values.intValue(SERVICE_LEVEL),
                values.choice(RPC, VerbsOptions.Rpc.values()),
                values.integer(RPC_TIMEOUT),
                new DarpcOptions(
                        values.intValue(DARPC_CALLS),
                        values.intValue(DARPC_BYTES),
                        values.intValue(DARPC_INLINE),
                        values.intValue(DARPC_CONNECT))));
    }

    @Override
    public Atomicity atomicity() {
        return VerbsFabric.atomicity(chosen);
    }

    /** True: registered memory is pinned for the device. */
    @Override
    public boolean takesMemoryAtOnce() {
        return true;
    }

    @Override
    public Fabric attach(Control control) {
        return new VerbsFabric(control, chosen);
    }
}
