package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * Names a client's commits. Each slot has one commit on its way at most, and its next one only when it is known what became of the last: the
 * cluster remembers no more of a slot than its last commit. A slot of which that does not become known is not used any more. For any thread.
 */
final class CommitSlots {
    private final Deque<CommitId> free = new ArrayDeque<>(); // the next name of each
    private long session = newSession();
    private int slots;

    /** A name for a commit that is about to be sent. */
    synchronized CommitId take() {
        CommitId next = free.poll(); // the one used last, so that as few as possible are in use
        return next == null ? first() : next;
    }

    private CommitId first() {
        if (slots == CommitId.SLOTS_MAX) {
            free.clear();
            session = newSession();
            slots = 0;
        }
        return CommitId.of(session, slots++, 1);
    }

    /** It is known what became of the commit. */
    synchronized void settled(CommitId id) {
        if (id.session() == session) {
            free.push(CommitId.of(session, id.slot(), id.number() + 1));
        }
    }

    private static long newSession() {
        return UUID.randomUUID().getMostSignificantBits(); // with a version in it, so never 0
    }
}
