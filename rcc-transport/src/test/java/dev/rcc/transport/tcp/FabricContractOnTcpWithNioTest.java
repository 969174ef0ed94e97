package dev.rcc.transport.tcp;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;

class FabricContractOnTcpWithNioTest extends FabricContract {
    @Override
    protected FabricCluster.Network network(int nodes) {
        return new TcpNetwork(nodes, TcpOptions.DEFAULT.withTransport(TcpTransport.NIO));
    }
}
