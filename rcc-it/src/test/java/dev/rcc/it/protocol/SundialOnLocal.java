package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;

/** SUNDIAL in one JVM. */
interface SundialOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Sundial();
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
