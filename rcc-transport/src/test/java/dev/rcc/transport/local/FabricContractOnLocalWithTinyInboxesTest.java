package dev.rcc.transport.local;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

/** The same promises when every inbox is full most of the time. */
class FabricContractOnLocalWithTinyInboxesTest extends FabricContract {
    @Override
    protected String setting() {
        return "tiny inboxes";
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return FabricContractOnLocalTest.on(new LocalNetwork(nodes, 1));
    }
}
