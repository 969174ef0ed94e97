package dev.rcc.transport.composite;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import dev.rcc.transport.local.LocalProvider;

/** All nodes are in one zone: the network between zones is there and has nothing to do. */
class FabricContractOnCompositeWithOneZoneTest extends FabricContract {
    @Override
    protected String setting() {
        return "one zone";
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new CompositeNetwork(new LocalProvider(), "a".repeat(nodes));
    }

    @Override
    protected boolean countsTraffic() {
        return false;
    }
}
