package dev.rcc.transport.verbs;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;

/** The default options. In the lab the seed draws one test in {@value #ONE_IN}, unless all are requested. */
@Tag("rdma")
class FabricContractOnVerbsTest extends FabricContract {
    private static final int ONE_IN = 2;

    @BeforeEach
    void shouldBeDrawn(TestInfo test) {
        LabDraw.assumeTurn(test.getTestMethod().orElseThrow().getName(), 0, ONE_IN);
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new VerbsNetwork(nodes, VerbsOptions.DEFAULT);
    }

    /** In a lab without hardware, an operation is a hundred times slower than on other networks. */
    @Override
    protected int rounds() {
        return 500;
    }
}
