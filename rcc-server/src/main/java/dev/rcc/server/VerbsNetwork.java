package dev.rcc.server;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.verbs.VerbsFabric;
import dev.rcc.transport.verbs.VerbsOptions;

/** RDMA verbs between processes on hosts with a device. */
public record VerbsNetwork(VerbsOptions options) implements NetworkChoice {
    /** The name by which users pick it. */
    public static final String NAME = "verbs";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Atomicity atomicity() {
        return VerbsFabric.atomicity(options);
    }

    @Override
    public Fabric attach(Control control) {
        return new VerbsFabric(control, options);
    }
}
