package dev.rcc.transport.composite;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.network.FabricProvider;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two networks of a cluster whose nodes are in zones.
 *
 * @param inside leads from node to node of a zone
 * @param between leads from zone to zone; the slower one ({@link FabricProvider#asSlower})
 * @param zones where the nodes are
 */
record CompositeProvider(FabricProvider inside, FabricProvider between, Zones zones) implements FabricProvider {
    @Override
    public String name() {
        return CompositeFabric.name(inside.name(), between.name());
    }

    @Override
    public List<Option> options() {
        return Stream.concat(inside.options().stream(), between.options().stream())
                .toList();
    }

    @Override
    public FabricProvider with(OptionValues values) {
        return new CompositeProvider(inside.with(values), between.with(values), zones);
    }

    @Override
    public FabricProvider withTls(TlsOptions tls) {
        return new CompositeProvider(inside.withTls(tls), between.withTls(tls), zones);
    }

    /** {@inheritDoc} Slows at least the links between zones; those inside a zone only where that network can. */
    @Override
    public Optional<FabricProvider> withFaults(LinkFaults faults) {
        return between.withFaults(faults)
                .map(slowed -> new CompositeProvider(inside.withFaults(faults).orElse(inside), slowed, zones));
    }

    @Override
    public Atomicity atomicity() {
        return CompositeFabric.atomicity(inside.atomicity(), between.atomicity());
    }

    /** {@inheritDoc} The primitive that suits the network inside, which carries the most; but without atomics there is no one-sided code. */
    @Override
    public Primitive suitable() {
        return atomicity() == Atomicity.NONE ? Primitive.RPC : inside.suitable();
    }

    @Override
    public Fabric attach(Control control) {
        int zone = zones.zone(control.node());
        Fabric near = inside.attach(new PartialControl(control, peer -> zones.zone(peer) == zone));
        try {
            Fabric far = between.attach(new PartialControl(control, peer -> zones.zone(peer) != zone));
            return new CompositeFabric(near, far, zones);
        } catch (RuntimeException e) {
            near.close();
            throw e;
        }
    }

    @Override
    public Optional<Option> hostOption() {
        return inside.hostOption().or(between::hostOption);
    }

    @Override
    public Optional<InetSocketAddress> dataAddress() {
        return inside.dataAddress().or(between::dataAddress);
    }

    @Override
    public Optional<Option> sharedNameOption() {
        return inside.sharedNameOption();
    }

    /** {@inheritDoc} Only a peer in its own zone, if the network inside does so. */
    @Override
    public boolean fencesByKilling() {
        return inside.fencesByKilling();
    }

    @Override
    public boolean takesMemoryAtOnce() {
        return inside.takesMemoryAtOnce();
    }

    @Override
    public void removeLeft() {
        inside.removeLeft();
    }
}
