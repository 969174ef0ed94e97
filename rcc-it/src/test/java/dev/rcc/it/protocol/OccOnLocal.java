package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;

/** OCC in one JVM. */
interface OccOnLocal extends ProtocolSetup {
    @Override
    default Protocol protocol() {
        return new Occ();
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
