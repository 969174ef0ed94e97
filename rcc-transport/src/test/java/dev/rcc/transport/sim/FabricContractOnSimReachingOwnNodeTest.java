package dev.rcc.transport.sim;

import java.util.Map;

/** The same promises when a worker reaches its own node without the NIC. */
class FabricContractOnSimReachingOwnNodeTest extends FabricContractOnSimTest {
    @Override
    protected String setting() {
        return "own node";
    }

    @Override
    SimOptions options() {
        return super.options().withCosts(CostModel.profile("connectx4-edr", Map.of("cpuReachesOwnNode", "true")));
    }
}
