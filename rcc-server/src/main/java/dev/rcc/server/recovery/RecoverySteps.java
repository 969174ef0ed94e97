package dev.rcc.server.recovery;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A node's part in a {@link Reconfiguration}, whether the node is in this process or in another one. Each step may be taken again,
 * with more nodes lost, until the node resumes.
 */
interface RecoverySteps {
    /** Cuts absent nodes off, lets no attempt begin, waits for running attempts to end, and goes back to the placement before. */
    CompletableFuture<Void> freeze(BitSet absent, Placement before);

    /** Forgets absent nodes, and notifies the other nodes of the outcome of everything that this node's coordinators have logged there. */
    CompletableFuture<Void> settle(BitSet absent);

    /** Returns the transactions of lost coordinators that this node has logged or replayed as a backup. */
    CompletableFuture<LogReport> report(BitSet lost);

    /**
     * Decides the transactions that lost coordinators have logged here and left undecided: those in {@code committed} have committed, and
     * all others are marked as aborted. Replays committed transactions until none is left. Fails if the steps begin again before that.
     *
     * @return the largest read bound that any coordinator has announced here
     */
    CompletableFuture<Long> replay(Set<Long> committed);

    /** Lets in a node that comes back in another incarnation. */
    CompletableFuture<Void> welcome(int joiner, long incarnation);

    /** On a node that comes back: copies the partitions that it is to hold. */
    CompletableFuture<Void> copy(Placement before, Placement after, long bound);

    /** Makes the copies that are to be primaries fit to be so, and takes the placement after. */
    CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost);

    /**
     * Where data survives the processes: makes durable the data that the node keeps in the configuration after. The data of the
     * configuration before stays on the disk until it is known which of the two configurations counts.
     */
    CompletableFuture<Void> save(long configEpoch, Placement after, long bound);
}
