package dev.rcc.transport.shm;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

/** The same promises when every ring is full most of the time. */
class FabricContractOnShmWithTinyRingsTest extends FabricContract {
    @Override
    protected String setting() {
        return "tiny rings";
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new ShmNetwork(nodes, 4096);
    }
}
