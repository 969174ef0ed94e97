package dev.rcc.transport.composite;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

/** Nodes 0 and 2 are in one zone and node 1 in another, so that each test with three nodes uses both networks. */
class FabricContractOnCompositeTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return new CompositeNetwork(CompositeNetwork.shm(), "aba".substring(0, nodes));
    }
}
