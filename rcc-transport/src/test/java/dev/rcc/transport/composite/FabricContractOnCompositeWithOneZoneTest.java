package dev.rcc.transport.composite;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

/** All nodes are in one zone: the network between zones is there and has nothing to do. */
class FabricContractOnCompositeWithOneZoneTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return new CompositeNetwork("a".repeat(nodes));
    }

    @Override
    protected boolean countsBytes() {
        return false;
    }
}
