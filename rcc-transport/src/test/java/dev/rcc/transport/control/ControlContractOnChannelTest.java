package dev.rcc.transport.control;

class ControlContractOnChannelTest extends ControlContract {
    @Override
    Cluster cluster(int nodes) throws Exception {
        return new ChannelCluster(nodes);
    }
}
