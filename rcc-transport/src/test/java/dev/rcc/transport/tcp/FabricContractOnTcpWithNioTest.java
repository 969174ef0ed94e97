package dev.rcc.transport.tcp;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import dev.rcc.transport.sockets.SocketTransport;

class FabricContractOnTcpWithNioTest extends FabricContract {
    @Override
    protected String setting() {
        return "nio";
    }

    @Override
    protected int rounds() {
        return TcpNetwork.ROUNDS;
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new TcpNetwork(nodes, TcpOptions.DEFAULT.withTransport(SocketTransport.NIO));
    }
}
