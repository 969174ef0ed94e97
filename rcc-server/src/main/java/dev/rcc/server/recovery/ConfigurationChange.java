package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import java.util.BitSet;

/**
 * The change that a {@link Reconfiguration} makes: it takes out lost nodes, or takes in a node that comes back, or does neither and only
 * frees locks that were left behind.
 *
 * @param lost the lost members of the configuration before
 * @param joiner the node that is taken in, or {@link RecoveryWatch#NO_NODE}
 * @param joinerIncarnation the incarnation of the joiner
 * @param before the placement before
 * @param after the placement after
 * @param configEpoch the number of the next configuration
 */
record ConfigurationChange(
        BitSet lost, int joiner, long joinerIncarnation, Placement before, Placement after, long configEpoch) {
    /** Takes a copy of the set. */
    ConfigurationChange {
        lost = (BitSet) lost.clone();
    }

    /** The change to a configuration without some nodes, or with the same ones. */
    static ConfigurationChange without(BitSet lost, Placement before, long configEpoch) {
        Placement after = before;
        for (int node = lost.nextSetBit(0); node >= 0; node = lost.nextSetBit(node + 1)) {
            after = after.without(node);
        }
        return new ConfigurationChange(lost, RecoveryWatch.NO_NODE, 0, before, after, configEpoch);
    }

    /**
     * The change to a configuration with one more node.
     *
     * @param members the members of the configuration before
     */
    static ConfigurationChange with(int joiner, long incarnation, BitSet members, Placement before, long configEpoch) {
        return new ConfigurationChange(
                new BitSet(), joiner, incarnation, before, before.with(joiner, members), configEpoch);
    }

    /** Whether a node is taken in. */
    boolean hasJoiner() {
        return joiner != RecoveryWatch.NO_NODE;
    }
}
