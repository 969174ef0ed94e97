package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;

/**
 * MVCC in virtual time, in bad weather. The clocks agree: the contracts' tests look from one node at what they have done on
 * another, and MVCC promises that only as far as clocks agree. {@link MvccSimulationTest} and the scenarios of
 * {@link VerifyTest} have clocks that do not.
 */
interface MvccOnSim extends ProtocolSetup {
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
        return EmbeddedCluster.simulated(
                config,
                SimOptions.of("connectx4-edr")
                        .withAtomicity(atomicity())
                        .withFaults(FaultPlan.WEATHER.withClocks(0, 0, 0)));
    }
}
