package dev.rcc.transport.shm;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

class FabricContractOnShmTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return new ShmNetwork(nodes, ShmOptions.DEFAULT.ringBytes());
    }
}
