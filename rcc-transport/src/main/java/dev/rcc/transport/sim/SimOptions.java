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
 * @param loopsBack whether a worker carries out requests to its own node itself, as on a network of sockets, and a coroutine's complete at
 *     once; else they pass the NIC, or take the time that {@code costs} states
 */
public record SimOptions(
        CostModel costs,
        Atomicity atomicity,
        FaultPlan faults,
        int emulatedNodes,
        Distances distances,
        boolean loopsBack) {
    /** Checks that no option is missing, and that workers may reach their own node as the options state. */
    public SimOptions {
        Objects.requireNonNull(costs, "costs");
        Objects.requireNonNull(atomicity, "atomicity");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(distances, "distances");
        if (atomicity == Atomicity.NONE) {
            throw new IllegalArgumentException("a simulated network's atomicity is GLOBAL or DEVICE, got NONE");
        }
        if (loopsBack && atomicity == Atomicity.DEVICE) {
            throw new IllegalArgumentException(
                    "requests to the own node loop back only with atomicity GLOBAL, got DEVICE: a CPU's changes"
                            + " are not atomic against a NIC's");
        }
        if (loopsBack && costs.cpu().reachesOwnNode()) {
            throw new IllegalArgumentException(
                    "cpuReachesOwnNode must be false if requests to the own node loop back, got true");
        }
    }

    /** Options without additional distances between the nodes. */
    public SimOptions(CostModel costs, Atomicity atomicity, FaultPlan faults, int emulatedNodes) {
        this(costs, atomicity, faults, emulatedNodes, Distances.NONE, false);
    }

    /** A profile's hardware with {@link Atomicity#GLOBAL} and no faults. */
    public static SimOptions of(String profile) {
        return new SimOptions(CostModel.profile(profile), Atomicity.GLOBAL, FaultPlan.NONE, 0);
    }

    /** With other costs. */
    public SimOptions withCosts(CostModel newCosts) {
        return new SimOptions(newCosts, atomicity, faults, emulatedNodes, distances, loopsBack);
    }

    /** With another atomicity. */
    public SimOptions withAtomicity(Atomicity newAtomicity) {
        return new SimOptions(costs, newAtomicity, faults, emulatedNodes, distances, loopsBack);
    }

    /** With other faults. */
    public SimOptions withFaults(FaultPlan newFaults) {
        return new SimOptions(costs, atomicity, newFaults, emulatedNodes, distances, loopsBack);
    }

    /** With the queue pairs of a larger cluster. */
    public SimOptions withEmulatedNodes(int nodes) {
        return new SimOptions(costs, atomicity, faults, nodes, distances, loopsBack);
    }

    /** With nodes that are further apart. */
    public SimOptions withDistances(Distances newDistances) {
        return new SimOptions(costs, atomicity, faults, emulatedNodes, newDistances, loopsBack);
    }

    /** With requests to the own node that loop back. */
    public SimOptions withLoopback() {
        return new SimOptions(costs, atomicity, faults, emulatedNodes, distances, true);
    }
}
