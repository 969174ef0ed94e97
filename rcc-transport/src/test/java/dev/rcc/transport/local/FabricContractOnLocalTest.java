package dev.rcc.transport.local;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

class FabricContractOnLocalTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return on(new LocalNetwork(nodes));
    }

    static FabricCluster.Network on(LocalNetwork network) {
        return new FabricCluster.Network() {
            @Override
            public Fabric attach(int node) {
                return network.attach(node);
            }

            @Override
            public FabricCluster.Fencing fencing() {
                return FabricCluster.Fencing.STOPPED;
            }

            @Override
            public void stop(int node) {
                network.stop(node);
            }

            @Override
            public void close() {
                network.close();
            }
        };
    }
}
