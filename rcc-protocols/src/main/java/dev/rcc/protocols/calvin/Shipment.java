package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Fragments;
import dev.rcc.core.txn.Transaction;
import java.util.BitSet;

/**
 * The coordinator's part in having other nodes execute its fragments (rcc, 4.6): decides whether a submission is shipped, gives it a place in its
 * coroutine's inboxes, and collects the votes. One for each coroutine, used on that coroutine.
 *
 * <p>An inbox belongs to one transaction at a time: when a transaction ends, all nodes that execute it have voted, so all its messages have arrived
 * everywhere. If that is not known, as a node was taken for dead, late messages may land in an inbox until the next configuration, and no submission
 * is shipped before.
 */
final class Shipment {
    private static final long NO_QUARANTINE = Long.MAX_VALUE;

    private final WorkerContext context;
    private final Transaction txn;
    private final CalvinParticipant participant;
    private final CalvinLayout layout;
    private final Submission submission;
    private final ExpectedCrossings crossings;
    private final int node;
    /** The parts that have executed, and have their writes. */
    private final BitSet executed = new BitSet();

    /** Whether all nodes that hold records which the transaction may write run it; the coordinator's node may be the only one. */
    private boolean byParticipants;
    /** Whether the votes are still to be waited for. */
    private boolean votesDue;
    /** The configuration in which the inboxes were put in quarantine; {@link #NO_QUARANTINE} if they are not. */
    private long quarantineEpoch = NO_QUARANTINE;

    Shipment(
            WorkerContext context,
            Transaction txn,
            CalvinParticipant participant,
            Submission submission,
            ExpectedCrossings crossings) {
        this.context = context;
        this.txn = txn;
        this.participant = participant;
        this.layout = participant.layout();
        this.submission = submission;
        this.crossings = crossings;
        this.node = context.worker().node();
    }

    /** Begins an attempt. */
    void begin() {
        byParticipants = false;
        votesDue = false;
        executed.clear();
        if (context.gate().configEpoch() > quarantineEpoch) {
            quarantineEpoch = NO_QUARANTINE;
        }
    }

    /** Whether other nodes execute the submission. */
    boolean isShipped() {
        return submission.fragment() != null;
    }

    // ---- before it is submitted ------------------------------------------------------------------------------------

    /**
     * Has the active participants of other nodes run the transaction, if there are any and all its messages have room. Does not do so if earlier
     * attempts came to have stronger intents for keys than declared: the participants do not know these intents.
     *
     * @param fragment the fragment to run, or null if only the coordinator can run the procedure
     */
    void ship(Fragment fragment) {
        byParticipants = false;
        votesDue = false;
        executed.clear();
        if (fragment == null || !participant.shipsFragments() || txn.hasForesight()) {
            return;
        }
        int number = context.fragments().number(fragment.name());
        byParticipants = number != Fragments.UNKNOWN && quarantineEpoch == NO_QUARANTINE;
        if (!byParticipants || !isExecutedElsewhere()) {
            return;
        }
        submission.ship(fragment, number, txn);
        byParticipants = hasRoom();
        if (byParticipants) {
            placeImages();
        } else {
            submission.keep();
        }
    }

    private boolean isExecutedElsewhere() {
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.isExecutedThere(part, node)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasRoom() {
        int bytes = submission.size() * ForwardMessage.RESULT_BYTES;
        for (int i = 0; i < submission.size(); i++) {
            bytes += imageBytes(i);
        }
        return submission.parts() <= CalvinLayout.MAX_INBOX_PARTS
                && bytes <= layout.inboxResultsBytes()
                && InputMessage.bytes(submission) <= participant.sequencer().maxSubmissionBytes();
    }

    private void placeImages() {
        long anyId = Timestamp.of(1, node, txn.coroutine().id());
        long image = layout.inboxResultsOffset(anyId) + (long) submission.size() * ForwardMessage.RESULT_BYTES;
        for (int i = 0; i < submission.size(); i++) {
            submission.key(i).imageOffset = image;
            image += imageBytes(i);
        }
    }

    private int imageBytes(int i) {
        return submission.key(i).table.layout().tuple().tupleBytes();
    }

    // ---- afterwards ------------------------------------------------------------------------------------------------

    /** Notes that all parts have arrived at the coordinator, so they are on their way to all nodes that execute. */
    void arrived() {
        votesDue = isShipped();
    }

    /** Puts the inboxes in quarantine, as some part never comes: nodes that execute may wait for it, and vote late. */
    void quarantine() {
        quarantineEpoch = context.gate().configEpoch();
    }

    /**
     * Waits until the participants that execute the transaction have voted. They run it on the same records, so all have the same result. But a
     * participant that a part has not reached, as a link has failed or a node has died, has nothing to write.
     */
    void awaitVotes() {
        if (!votesDue) {
            return;
        }
        votesDue = false;
        submission.awaitVotes(layout.votesOffset(submission.id()));
        if (!participant.hasArrived(submission)) {
            participant.awaitArrival(submission);
            for (int part = 0; part < submission.parts(); part++) {
                if (submission.isExecutedThere(part, node)) {
                    crossings.expectFrom(submission.partNode(part));
                }
            }
            txn.completion().await();
        }
        Memory buffers = context.buffers();
        for (int part = 0; part < submission.parts(); part++) {
            if (submission.isExecutedThere(part, node)) {
                long vote = buffers.getAcquire(submission.notedOffset(part));
                executed.set(part, vote == submission.id());
                if (!ForwardMessage.isNoted(vote, submission.id())) {
                    quarantine();
                }
            }
        }
    }

    /** Whether all active parts of a node have executed, and have their writes. */
    boolean hasExecuted(int peer) {
        boolean has = false;
        for (int part = 0; part < submission.parts() && isShipped(); part++) {
            if (submission.partNode(part) == peer && submission.isExecutedThere(part, node)) {
                if (!executed.get(part)) {
                    return false;
                }
                has = true;
            }
        }
        return has;
    }

    /** Whether all nodes with records that the transaction writes have executed it; if it writes nothing, whether all were to execute it. */
    boolean isExecutedByAll(boolean writes) {
        for (int part = 0; part < submission.parts() && byParticipants && writes; part++) {
            if (submission.isExecutedThere(part, node) && !executed.get(part)) {
                return false;
            }
        }
        return byParticipants;
    }
}
