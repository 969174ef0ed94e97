package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Names a client's commits. Each slot has at most one commit in flight, and its next commit only when the outcome of the last is known: the cluster
 * keeps only the last commit of a slot. A slot whose last outcome does not become known is not used again. A session belongs to one partition, in
 * which the outcomes of its commits are kept. For any thread.
 */
final class CommitSlots {
    private final Map<Integer, Session> sessions = new HashMap<>(); // by partition

    /**
     * A name for a commit that is about to be sent.
     *
     * @param partition the partition in which the commit's outcome is kept, or {@link CommitId#ANYWHERE}
     */
    synchronized CommitId take(int partition) {
        return sessions.computeIfAbsent(partition, Session::new).take();
    }

    /** The commit's outcome is known. */
    synchronized void settled(CommitId id) {
        Session session = sessions.get(id.partition());
        if (session != null) {
            session.settled(id);
        }
    }

    /** The session of a partition. When all slots of the session are in use, another session replaces it. */
    private static final class Session {
        private final int partition;
        private final Deque<CommitId> free = new ArrayDeque<>(); // the next name of each free slot
        private long number;
        private int slots;

        Session(int partition) {
            this.partition = partition;
            this.number = CommitId.newSession(partition);
        }

        CommitId take() {
            CommitId next = free.poll(); // the slot used last, so that few slots are in use
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
