package dev.rcc.server.simulation;

import dev.rcc.server.recovery.RecoveryStep;

/** The moment of a {@link Death} in a simulated cluster: an event in the work of the node that dies or in that of the other nodes. */
public sealed interface Moment {
    /**
     * Some time after the moment before, or after the start.
     *
     * @param nanos virtual nanoseconds
     */
    record Later(long nanos) implements Moment {}

    /**
     * When one of the transactions of the node is in some of the log rings that it goes to.
     *
     * @param entry the number of the transaction among those that the node logs, from 1
     * @param rings the number of its rings that have it; 0 if it is on its way to all; all of its rings, if there are fewer
     */
    record Logged(int entry, int rings) implements Moment {}

    /**
     * When one of the transactions of the node is marked as aborted in a log ring, as another ring could not be reached: the link there
     * is cut as the transaction is logged.
     *
     * @param entry the number of the transaction among those that the node logs, from 1
     */
    record Marked(int entry) implements Moment {}

    /**
     * When a log ring of the node has lapped over a transaction whose commit has not been reported to a backup.
     *
     * @param entry the smallest number that the transaction may have among those that the node logs, from 1
     */
    record Lapped(int entry) implements Moment {}

    /**
     * When one of the transactions of the node has overwritten another one in one of its log rings, and the stamp of the overwritten one is
     * still there; the other rings have the transaction.
     *
     * @param entry the smallest number that the transaction may have among those that the node logs, from 1
     */
    record Torn(int entry) implements Moment {}

    /**
     * When one of the transactions of the node has deleted a tuple and unlocked its slot, and has not freed the index entry yet; the primary
     * there has not logged it. It does not come where commits are by RPC, nor where each node has a copy of everything.
     *
     * @param entry the smallest number that the transaction may have among those that the node logs, from 1
     */
    record Unfreed(int entry) implements Moment {}

    /**
     * When the node's transactions have passed a stage so often.
     *
     * @param stage the name of a stage of the protocol
     */
    record Passed(String stage, long passages) implements Moment {}

    /**
     * While the nodes that are left take another one out.
     *
     * @param step the step that these nodes are at
     * @param ended whether the nodes must have taken the step, or only have begun it
     * @param nodes the number of these nodes; all, if there are fewer
     */
    record Recovering(RecoveryStep step, boolean ended, int nodes) implements Moment {}

    /**
     * While a node that is back in another incarnation is taken in.
     *
     * @param step the step that the nodes are at
     * @param ended whether the nodes must have taken the step, or only have begun it
     * @param nodes the number of these nodes; all, if there are fewer
     * @param isJoiner whether the node that is taken in dies, or else the named node, or the next one
     */
    record Joining(RecoveryStep step, boolean ended, int nodes, boolean isJoiner) implements Moment {}
}
