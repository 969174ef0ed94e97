package dev.rcc.transport.tcp;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.sockets.SocketTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** TCP between processes on any hosts. */
public record TcpProvider(TcpOptions chosen) implements FabricProvider {
    private static final Option HOST = Option.text(
            "tcp.host",
            TcpOptions.DEFAULT.host(),
            "a name or address of this node",
            "where this node takes data connections, and the address that it gives its peers");
    private static final Option PORT = Option.integer(
            "tcp.port", TcpOptions.DEFAULT.port(), 0, 65_535, "port", "the port for data connections; 0 is any");
    private static final Option TRANSPORT = Option.choice(
            "tcp.transport", TcpOptions.DEFAULT.transport(), SocketTransport.values(), "how input and output are done");
    private static final Option THREADS = Option.integer(
            "tcp.io-threads",
            TcpOptions.DEFAULT.ioThreads(),
            1,
            TcpOptions.MAX_IO_THREADS,
            "threads",
            "threads that carry out the peers' one-sided operations");
    private static final Option STALL = Option.integer(
            "tcp.stall-ms",
            TcpOptions.DEFAULT.stallTimeout().toMillis(),
            10,
            3_600_000,
            "milliseconds",
            "a peer counts as cut off if it takes no sent byte for so long, or if its host acknowledges none for so long"
                    + " (1 s at least; not with NIO)");

    /** With the default options. */
    public TcpProvider() {
        this(TcpOptions.DEFAULT);
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public List<Option> options() {
        return List.of(HOST, PORT, TRANSPORT, THREADS, STALL);
    }

    @Override
    public FabricProvider with(OptionValues values) {
        return new TcpProvider(new TcpOptions(
                values.text(HOST),
                values.intValue(PORT),
                values.choice(TRANSPORT, SocketTransport.values()),
                values.intValue(THREADS),
                Duration.ofMillis(values.integer(STALL)),
                Optional.empty(),
                Optional.empty(),
                chosen.isSlower()));
    }

    @Override
    public Primitive suitable() {
        return Primitive.RPC;
    }

    @Override
    public FabricProvider withTls(TlsOptions tls) {
        return new TcpProvider(chosen.withTls(tls));
    }

    @Override
    public Optional<FabricProvider> withFaults(LinkFaults faults) {
        return Optional.of(new TcpProvider(chosen.withFaults(faults)));
    }

    @Override
    public Optional<FabricProvider> asSlower() {
        return Optional.of(new TcpProvider(chosen.asSlower()));
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public Fabric attach(Control control) {
        try {
            return new TcpFabric(control, chosen);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public Optional<Option> hostOption() {
        return Optional.of(HOST);
    }

    @Override
    public Optional<InetSocketAddress> dataAddress() {
        return Optional.of(InetSocketAddress.createUnresolved(chosen.host(), chosen.port()));
    }
}
