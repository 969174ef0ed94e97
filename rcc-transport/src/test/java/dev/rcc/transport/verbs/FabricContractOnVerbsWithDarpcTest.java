package dev.rcc.transport.verbs;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import org.junit.jupiter.api.Tag;

/** Calls by the other way, and several connections to a peer. */
@Tag("rdma")
class FabricContractOnVerbsWithDarpcTest extends FabricContract {
    private static final int QPS_PER_PEER = 3;

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new VerbsNetwork(
                nodes, VerbsOptions.DEFAULT.withRpc(VerbsOptions.Rpc.DARPC).withQpsPerPeer(QPS_PER_PEER));
    }

    /** Fewer than with calls by datagrams: no race that is looked for has to do with how calls travel. */
    @Override
    protected int rounds() {
        return 200;
    }
}
