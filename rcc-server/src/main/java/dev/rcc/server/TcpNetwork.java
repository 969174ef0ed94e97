package dev.rcc.server;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.tcp.TcpFabric;
import dev.rcc.transport.tcp.TcpOptions;
import java.io.IOException;
import java.io.UncheckedIOException;

/** TCP between processes on any hosts. */
public record TcpNetwork(TcpOptions options) implements NetworkChoice {
    /** The name by which users pick it. */
    public static final String NAME = "tcp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public Fabric attach(Control control) {
        try {
            return new TcpFabric(control, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
