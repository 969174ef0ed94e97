package dev.rcc.transport.network;

import dev.rcc.core.cluster.Zones;

/** Makes one network of two. Immutable. */
public interface FabricPairing {
    /**
     * The network of a cluster whose nodes are on one network inside their zones and on another between them.
     *
     * @param between another network than {@code inside}, which can be the slower one
     * @throws IllegalArgumentException when {@code between} cannot be the slower one
     */
    FabricProvider pair(FabricProvider inside, FabricProvider between, Zones zones);
}
