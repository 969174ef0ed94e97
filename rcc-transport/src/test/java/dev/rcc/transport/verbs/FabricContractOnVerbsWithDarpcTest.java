package dev.rcc.transport.verbs;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;

/**
 * Calls by DaRPC, and several connections to a peer. In the lab the seed draws one test in {@value #ONE_IN}, unless all are requested. With calls by
 * datagrams more tests run.
 */
@Tag("rdma")
class FabricContractOnVerbsWithDarpcTest extends FabricContract {
    private static final int QPS_PER_PEER = 3;
    private static final int ONE_IN = 12;

    @BeforeEach
    void shouldBeDrawn(TestInfo test) {
        LabDraw.assumeTurn(test.getTestMethod().orElseThrow().getName(), 1, ONE_IN);
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new VerbsNetwork(
                nodes, VerbsOptions.DEFAULT.withRpc(VerbsOptions.Rpc.DARPC).withQpsPerPeer(QPS_PER_PEER));
    }

    /** Fewer than with calls by datagrams: none of these races depends on the transport of calls. */
    @Override
    protected int rounds() {
        return 200;
    }
}
