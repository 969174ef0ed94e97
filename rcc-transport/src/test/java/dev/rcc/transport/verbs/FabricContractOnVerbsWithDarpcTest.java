package dev.rcc.transport.verbs;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;

/**
 * Calls by the other way, and several connections to a peer. In the lab the seed draws one test in {@value #ONE_IN}, where nobody asks for
 * more: with calls by datagrams all of them run.
 */
@Tag("rdma")
class FabricContractOnVerbsWithDarpcTest extends FabricContract {
    private static final int QPS_PER_PEER = 3;
    private static final int ONE_IN = 4;
    private static final boolean IS_SHORT =
            "guest".equals(System.getenv("RCC_LAB")) && Integer.getInteger("rcc.network.codes") == null;
    private static final long LAB_SEED = Long.getLong("rcc.lab.seed", 42);

    @BeforeEach
    void shouldBeDrawn(TestInfo test) {
        long seed = LAB_SEED ^ test.getTestMethod().orElseThrow().getName().hashCode();
        Assumptions.assumeTrue(
                !IS_SHORT || new SplittableRandom(seed).nextInt(ONE_IN) == 0,
                "not drawn from -Drcc.lab.seed=" + LAB_SEED);
    }

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
