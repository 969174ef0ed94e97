package dev.rcc.transport.tcp;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.FabricContract;
import dev.rcc.transport.control.TestCertificates;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FabricContractOnTcpWithTlsTest extends FabricContract {
    @TempDir
    private static Path folder;

    @Override
    protected String setting() {
        return "tls";
    }

    @Override
    protected int rounds() {
        return TcpNetwork.ROUNDS;
    }

    @Override
    protected FabricCluster.Network network(int nodes) throws Exception {
        return new TcpNetwork(nodes, TcpOptions.DEFAULT.withTls(TestCertificates.tls(folder, "node", "node")));
    }
}
