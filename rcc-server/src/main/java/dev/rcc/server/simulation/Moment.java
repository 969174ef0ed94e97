package dev.rcc.server.simulation;

import dev.rcc.server.recovery.RecoveryStep;

/** When a node of a simulated cluster dies, as {@link Death} has it: at an event in its own work or in that of the others. */
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
     * @param entry which of those that the node logs, from 1
     * @param rings how many of its rings have it, with 0 that it is on its way to all; as many as there are, if there are fewer
     */
    record Logged(int entry, int rings) implements Moment {}

    /**
     * When one of the transactions of the node is marked as aborted in a log ring, as another ring could not be reached: the link there
     * is cut as the transaction is logged.
     *
     * @param entry which of those that the node logs, from 1
     */
    record Marked(int entry) implements Moment {}

    /**
     * When a log ring of the node has lapped over a transaction whose commit has not been reported to a backup.
     *
     * @param entry the first of those that the node logs, from 1, that it may be
     */
    record Lapped(int entry) implements Moment {}

    /**
     * When one of the transactions of the node has overwritten another one in one of its log rings and still has its stamp; the other rings
     * have it.
     *
     * @param entry the first of those that the node logs, from 1, that it may be
     */
    record Torn(int entry) implements Moment {}

    /**
     * When one of the transactions of the node has deleted a tuple and unlocked its slot, and has not freed the index entry yet; the primary
     * there has not logged it. It does not come where commits are by RPC, nor where each node has a copy of everything.
     *
     * @param entry the first of those that the node logs, from 1, that it may be
     */
    record Unfreed(int entry) implements Moment {}

    /**
     * When the node's transactions have passed a stage so often.
     *
     * @param stage of the protocol, by its name
     */
    record Passed(String stage, long passages) implements Moment {}

    /**
     * While the nodes that are left take another one out.
     *
     * @param step the step that they are at
     * @param ended whether they are to have taken it, or to have begun it
     * @param nodes how many of them; all, if there are fewer
     */
    record Recovering(RecoveryStep step, boolean ended, int nodes) implements Moment {}

    /**
     * While a node that is back in another incarnation is taken in.
     *
     * @param step the step that the nodes are at
     * @param ended whether they are to have taken it, or to have begun it
     * @param nodes how many of them; all, if there are fewer
     * @param isJoiner whether the node that is taken in dies, or else the one that is named, or the next one
     */
    record Joining(RecoveryStep step, boolean ended, int nodes, boolean isJoiner) implements Moment {}
}
