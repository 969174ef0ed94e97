package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;

/** OCC in virtual time, in bad weather. */
interface OccOnSim extends ProtocolSetup {
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
        return EmbeddedCluster.simulated(
                config,
                SimOptions.of("connectx4-edr").withAtomicity(atomicity()).withFaults(FaultPlan.WEATHER));
    }
}
