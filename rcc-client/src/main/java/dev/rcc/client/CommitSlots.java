package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Names a client's commits. Each slot has one commit on its way at most, and its next one only when it is known what became of the last: the
 * cluster remembers no more of a slot than its last commit. A slot of which that does not become known is not used any more. A session is of
 * one partition, in which the outcomes of its commits are kept. For any thread.
 */
final class CommitSlots {
    private final Map<Integer, Session> sessions = new HashMap<>(); // by partition

    /**
     * A name for a commit that is about to be sent.
     *
     * @param partition in which its outcome is to be kept, or {@link CommitId#ANYWHERE}
     */
    synchronized CommitId take(int partition) {
        return sessions.computeIfAbsent(partition, Session::new).take();
    }

    /** It is known what became of the commit. */
    synchronized void settled(CommitId id) {
        Session session = sessions.get(id.partition());
        if (session != null) {
            session.settled(id);
        }
    }

    /** The session of a partition, and the next one when all slots of that are in use. */
    private static final class Session {
        private final int partition;
        private final Deque<CommitId> free = new ArrayDeque<>(); // the next name of each
        private long number;
        private int slots;

        Session(int partition) {
            this.partition = partition;
            this.number = CommitId.newSession(partition);
        }

        CommitId take() {
            CommitId next = free.poll(); // the one used last, so that as few as possible are in use
            return next == null ? first() : next;
        }

        private CommitId first() {
            if (slots == CommitId.SLOTS_MAX) {
                free.clear();
                number = CommitId.newSession(partition);
                slots = 0;
            }
            return CommitId.of(number, slots++, 1);
        }

        void settled(CommitId id) {
            if (id.session() == number) {
                free.push(CommitId.of(number, id.slot(), id.number() + 1));
            }
        }
    }
}
