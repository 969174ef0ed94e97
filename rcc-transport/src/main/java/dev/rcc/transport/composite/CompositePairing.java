package dev.rcc.transport.composite;

import dev.rcc.core.cluster.Zones;
import dev.rcc.transport.network.FabricPairing;
import dev.rcc.transport.network.FabricProvider;

/** Pairs any network with any that can be the slower one. */
public final class CompositePairing implements FabricPairing {
    @Override
    public FabricProvider pair(FabricProvider inside, FabricProvider between, Zones zones) {
        FabricProvider slower = between.asSlower()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the network " + between.name() + " cannot be the slower one of two"));
        return new CompositeProvider(inside, slower, zones);
    }
}
