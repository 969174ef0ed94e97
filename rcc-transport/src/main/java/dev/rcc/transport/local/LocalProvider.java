package dev.rcc.transport.local;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import java.util.List;

/**
 * Memory of one JVM, for nodes that find each other by control channels, as nodes that are also on a second network do. Nodes that are attached
 * before all have stopped belong to one cluster; the next node begins another one. Any thread may attach.
 */
public final class LocalProvider implements FabricProvider {
    /** Null before the first node is attached. */
    private LocalNetwork network;

    @Override
    public String name() {
        return "local";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    /** {@inheritDoc} There are no options. */
    @Override
    public FabricProvider with(OptionValues values) {
        return new LocalProvider();
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    public synchronized Fabric attach(Control control) {
        if (network == null || network.isDeserted()) {
            network = LocalNetwork.unowned(control.nodes());
        }
        return network.attach(control.node(), control.incarnation());
    }
}
