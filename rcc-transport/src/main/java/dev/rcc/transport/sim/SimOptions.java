package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Atomicity;
import java.util.Objects;

/**
 * The options of a simulation: the hardware, the guarantee of its atomics, and the faults.
 *
 * @param costs the costs of all operations
 * @param atomicity the accesses against which remote atomics are atomic; real NICs report {@link Atomicity#DEVICE}
 * @param faults the faults and their rates
 * @param emulatedNodes the size of a larger cluster whose number of queue pairs every NIC has, as in rcc, 6.6; 0 for none
 * @param distances the time that messages take in addition to the hardware's
 */
public record SimOptions(
        CostModel costs, Atomicity atomicity, FaultPlan faults, int emulatedNodes, Distances distances) {
    /** Checks that no option is missing. */
    public SimOptions {
        Objects.requireNonNull(costs, "costs");
        Objects.requireNonNull(atomicity, "atomicity");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(distances, "distances");
        if (atomicity == Atomicity.NONE) {
            throw new IllegalArgumentException("a simulated network's atomicity is GLOBAL or DEVICE, got NONE");
        }
    }

    /** Options without additional distances between the nodes. */
    public SimOptions(CostModel costs, Atomicity atomicity, FaultPlan faults, int emulatedNodes) {
        this(costs, atomicity, faults, emulatedNodes, Distances.NONE);
    }

    /** A profile's hardware with {@link Atomicity#GLOBAL} and no faults. */
    public static SimOptions of(String profile) {
        return new SimOptions(CostModel.profile(profile), Atomicity.GLOBAL, FaultPlan.NONE, 0);
    }

    /** With other costs. */
    public SimOptions withCosts(CostModel newCosts) {
        return new SimOptions(newCosts, atomicity, faults, emulatedNodes, distances);
    }

    /** With another atomicity. */
    public SimOptions withAtomicity(Atomicity newAtomicity) {
        return new SimOptions(costs, newAtomicity, faults, emulatedNodes, distances);
    }

    /** With other faults. */
    public SimOptions withFaults(FaultPlan newFaults) {
        return new SimOptions(costs, atomicity, newFaults, emulatedNodes, distances);
    }

    /** With the queue pairs of a larger cluster. */
    public SimOptions withEmulatedNodes(int nodes) {
        return new SimOptions(costs, atomicity, faults, nodes, distances);
    }

    /** With nodes that are further apart. */
    public SimOptions withDistances(Distances newDistances) {
        return new SimOptions(costs, atomicity, faults, emulatedNodes, newDistances);
    }
}
