package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;

/** MVCC in one JVM. */
interface MvccOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Mvcc();
    }

    @Override
    default Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config);
    }
}
