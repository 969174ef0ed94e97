package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;

/** In one JVM, on real threads. */
interface OnLocal extends ProtocolSetup {
    @Override
    default Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return new EmbeddedCluster(config);
    }
}
