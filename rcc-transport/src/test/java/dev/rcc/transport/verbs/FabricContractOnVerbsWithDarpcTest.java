package dev.rcc.transport.verbs;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
class FabricContractOnVerbsWithDarpcTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return new VerbsNetwork(nodes, VerbsOptions.DEFAULT.withRpc(VerbsOptions.Rpc.DARPC));
    }

    /** As many as by datagrams. */
    @Override
    protected int rounds() {
        return 500;
    }
}
