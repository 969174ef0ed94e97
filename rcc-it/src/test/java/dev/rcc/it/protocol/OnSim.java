package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;

/** The protocols in virtual time, under faults. */
interface OnSim extends EachProtocol {
    @Override
    default Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    @Override
    default EmbeddedCluster newCluster(ClusterConfig config) {
        return EmbeddedCluster.simulated(
                config,
                SimOptions.of("connectx4-edr").withAtomicity(atomicity()).withFaults(faults()));
    }

    /** The uniform ones and one more of the sample, another for each test and build; or the whole sample. */
    @Override
    default int maxCodes() {
        return OnNetwork.areAllAskedFor() ? Integer.MAX_VALUE : 3;
    }

    /** The hunts of {@link VerifyTest} have all protocols in each build. */
    @Override
    default int oneIn() {
        return 2;
    }

    /** In virtual time, too, a transaction that waits for locks tries again and again for so long. */
    @Override
    default Duration patience() {
        return Duration.ofMillis(20);
    }

    /**
     * The faults. Under MVCC the clocks agree: the contracts look from one node at what they have done on another, and MVCC promises
     * that only as far as clocks agree. {@link MvccSimulationTest} and the scenarios of {@link VerifyTest} have clocks that do not.
     */
    default FaultPlan faults() {
        return protocol() instanceof Mvcc ? FaultPlan.ROUGH.withClocks(0, 0, 0) : FaultPlan.ROUGH;
    }
}
