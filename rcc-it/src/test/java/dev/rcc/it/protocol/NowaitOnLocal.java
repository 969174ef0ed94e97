package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;

/** NOWAIT in one JVM. */
interface NowaitOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Nowait();
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
