package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.locks.LockMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A requester's place at a lock, which words of locks and messages name. It belongs to the worker, not to the coroutine that asks: who gives up leaves it
 * behind. Used again when nobody can mean it any more. Used on its worker only.
 *
 * <pre>
 *   FREE --- WANTED --- QUEUED --- DRAINING --- HELD --- PASSING_ON --- FREE
 *                 \________\__________________/   \______________________/
 *   WANTED, QUEUED, DRAINING --- LOST
 *   HELD, shared --- LEAVING --- FREE
 * </pre>
 */
final class NCosedPlace {
    /** Where it is on its way. */
    enum State {
        /** Nobody has it. */
        FREE,
        /** It is to be put into the lock's word; if the answer is under way, others may have found it there. */
        WANTED,
        /** It waits for the place in front. */
        QUEUED,
        /** It waits until those who share the lock in front of it have left. */
        DRAINING,
        /** It holds the lock. */
        HELD,
        /** It was exclusive, is released, and waits for the messages of those behind it to whom it owes the lock. */
        PASSING_ON,
        /** It was shared, and the lock's node has not said yet that it knows of its release. */
        LEAVING,
        /** An answer has not come: it may be in the queue, and gets no further. */
        LOST
    }

    /** How many sharers are behind it is not known. */
    static final long UNKNOWN = -1;

    /** Its name. */
    final long id;
    /** In the buffers: what the atomic has found, and how many exclusive holds there were. */
    final long foundResult;

    final long holdsResult;
    /** In the buffers: the message under way, and its reply. */
    final long request;

    final long reply;
    /** Of the message under way. Never awaited: it is looked at. */
    final Completion message;

    long address;
    LockMode mode;
    State state = State.FREE;
    /** Since when its turn is waited for. */
    long wantedNanos;
    /** What the word is taken to be. */
    long expected;
    /** Sharers in front of an exclusive place, and behind the exclusive one in front of that. */
    long sharersBefore;
    /** How often the lock had been held exclusively when this place's turn came. */
    long holds;
    /** Whether an exclusive requester is known to wait for this sharer. */
    boolean hasSuccessor;

    /** Who asked this place for the lock: to share it, and as the next exclusive one. */
    final List<NCosedMessage.Caller> sharers = new ArrayList<>();

    NCosedMessage.Caller successor;
    /** How many sharers get the lock from this place and have not got it. */
    long owedSharers;

    NCosedPlace(long id, long buffer, Completion message) {
        this.id = id;
        this.foundResult = buffer;
        this.holdsResult = foundResult + Long.BYTES;
        this.request = holdsResult + Long.BYTES;
        this.reply = request + NCosedMessage.REQUEST_BYTES;
        this.message = message;
    }

    /** Bytes of the buffers that a place keeps. */
    static int bufferBytes() {
        return 2 * Long.BYTES + NCosedMessage.REQUEST_BYTES + NCosedMessage.REPLY_BYTES;
    }

    void want(long lock, LockMode wanted, long nowNanos) {
        wantedNanos = nowNanos;
        address = lock;
        mode = wanted;
        state = State.WANTED;
        expected = 0;
        sharersBefore = 0;
        hasSuccessor = false;
        successor = null;
        owedSharers = UNKNOWN;
    }

    boolean isExclusive() {
        return mode == LockMode.EXCLUSIVE;
    }

    boolean isHeld() {
        return state == State.HELD;
    }

    /** Whether a message is under way, whose bytes must not be touched. */
    boolean isCalling() {
        return message.outstanding() > 0;
    }
}
