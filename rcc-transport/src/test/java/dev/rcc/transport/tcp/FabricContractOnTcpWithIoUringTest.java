package dev.rcc.transport.tcp;

import dev.rcc.core.testing.BuildDraw;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import dev.rcc.transport.sockets.SocketTransport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

class FabricContractOnTcpWithIoUringTest extends FabricContract {
    @BeforeEach
    void assumeDrawn(TestInfo test) {
        BuildDraw.assumeDrawn(test, "io_uring", TcpNetwork.VARIANTS);
    }

    @Override
    protected int rounds() {
        return TcpNetwork.ROUNDS;
    }

    @Override
    protected FabricCluster.Network network(int nodes) {
        return new TcpNetwork(nodes, TcpOptions.DEFAULT.withTransport(SocketTransport.IO_URING));
    }
}
