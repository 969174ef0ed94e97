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
    /** Cuts absent nodes off, lets no attempt begin, waits for those that run, and goes back to the placement before. */
    CompletableFuture<Void> freeze(BitSet absent, Placement before);

    /** Forgets absent nodes, and lets the others know what became of all that this node's coordinators have logged there. */
    CompletableFuture<Void> settle(BitSet absent);

    /** What this node, as a backup, knows of lost coordinators. */
    CompletableFuture<LogReport> report(BitSet lost);

    /**
     * Marks as aborted what lost coordinators have logged here, have not decided, and is not named; replays what has committed, of lost
     * coordinators those that are named, until nothing is left to replay. Fails if the steps begin again before that.
     *
     * @return the largest read bound that any coordinator has announced here
     */
    CompletableFuture<Long> replay(Set<Long> committed);

    /** Lets a node in that comes back in another incarnation. */
    CompletableFuture<Void> welcome(int joiner, long incarnation);

    /** On a node that comes back: takes copies of what it is to hold. */
    CompletableFuture<Void> copy(Placement before, Placement after, long bound);

    /** Makes the copies that are to be primaries fit for it, and takes the placement after. */
    CompletableFuture<Void> install(Placement before, Placement after, long bound, BitSet lost);

    /**
     * Where data survives the processes: makes durable what the node keeps in the configuration after, beside what it has of the one
     * before, until it is known which of the two counts.
     */
    CompletableFuture<Void> save(long configEpoch, Placement after, long bound);
}
