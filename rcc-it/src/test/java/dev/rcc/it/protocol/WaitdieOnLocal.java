package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.waitdie.Waitdie;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;

/** WAITDIE in one JVM. */
interface WaitdieOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Waitdie();
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
