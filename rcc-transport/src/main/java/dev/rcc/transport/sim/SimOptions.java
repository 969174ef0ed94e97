package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Atomicity;
import java.util.Objects;

/**
 * What is simulated: the hardware, what its atomics are worth, and what goes wrong.
 *
 * @param costs what everything costs
 * @param atomicity against what remote atomics are atomic; {@link Atomicity#DEVICE} is what real NICs say
 * @param faults what goes wrong, and how often
 * @param emulatedNodes of a larger cluster whose number of queue pairs every NIC is to have, as in rcc, 6.6; 0 for none
 * @param distances of nodes that are further apart than the hardware has it
 */
public record SimOptions(
        CostModel costs, Atomicity atomicity, FaultPlan faults, int emulatedNodes, Distances distances) {
    /** Checks that nothing is missing. */
    public SimOptions {
        Objects.requireNonNull(costs, "costs");
        Objects.requireNonNull(atomicity, "atomicity");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(distances, "distances");
        if (atomicity == Atomicity.NONE) {
            throw new IllegalArgumentException("a simulated network's atomicity is GLOBAL or DEVICE, got NONE");
        }
    }

    /** Where nodes are as far apart as the hardware has it. */
    public SimOptions(CostModel costs, Atomicity atomicity, FaultPlan faults, int emulatedNodes) {
        this(costs, atomicity, faults, emulatedNodes, Distances.NONE);
    }

    /** A profile's hardware with {@link Atomicity#GLOBAL}, on which nothing goes wrong. */
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
