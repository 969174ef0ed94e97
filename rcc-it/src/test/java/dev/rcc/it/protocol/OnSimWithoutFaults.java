package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;

/** In virtual time, where nothing goes wrong. */
interface OnSimWithoutFaults extends ProtocolSetup {
    @Override
    default Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"));
    }
}
