package dev.rcc.server;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.shm.ShmFabric;
import dev.rcc.transport.shm.ShmOptions;

/** Shared memory of processes on one host. */
public record ShmNetwork(ShmOptions options) implements NetworkChoice {
    /** The name by which users pick it. */
    public static final String NAME = "shm";

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
        return new ShmFabric(control, options);
    }
}
