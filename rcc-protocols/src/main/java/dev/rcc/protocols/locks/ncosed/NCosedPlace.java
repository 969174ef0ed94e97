package dev.rcc.protocols.locks.ncosed;

import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.locks.LockMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A requester's place at a lock, which words of locks and messages name. It belongs to the worker, not to the requesting coroutine: a coroutine that
 * gives up leaves it behind. Reused when no word or message can name it any more. Used on its worker only.
 *
 * <pre>
 *   FREE --- WANTED --- QUEUED --- DRAINING --- HELD --- PASSING_ON --- FREE
 *                 \________\__________________/   \______________________/
 *   WANTED, QUEUED, DRAINING --- LOST
 *   HELD, shared --- LEAVING --- FREE
 * </pre>
 */
final class NCosedPlace {
    /** The state of a place. */
    enum State {
        /** No requester has it. */
        FREE,
        /** It is to be put into the lock's word; if the answer is under way, other requesters may have found it there. */
        WANTED,
        /** It waits for the place in front. */
        QUEUED,
        /** It waits until the sharers in front of it have left. */
        DRAINING,
        /** It holds the lock. */
        HELD,
        /** It was exclusive, is released, and waits for the messages of the places behind it to which it owes the lock. */
        PASSING_ON,
        /** It was shared, is released, and waits for the reply of the lock's node to LEAVE. */
        LEAVING,
        /** A reply has not come: it may be in the queue, and does not advance. */
        LOST
    }

    /** The value of {@link #owedSharers} while it is not known. */
    static final long UNKNOWN = -1;

    /** Its name. */
    final long id;
    /** Offsets in the buffers: the word that the atomic found, and the number of exclusive holds. */
    final long foundResult;

    final long holdsResult;
    /** Offsets in the buffers: the message under way, and its reply. */
    final long request;

    final long reply;
    /** The completion of the message under way. Polled, never awaited. */
    final Completion message;

    long address;
    LockMode mode;
    State state = State.FREE;
    /** The time since which it waits for its turn. */
    long wantedNanos;
    /** The assumed value of the word. */
    long expected;
    /** Number of sharers between this exclusive place and the exclusive place in front of it. */
    long sharersBefore;
    /** How often the lock had been held exclusively when this place's turn came. */
    long holds;
    /** Whether an exclusive requester is known to wait for this sharer. */
    boolean hasSuccessor;

    /** The requesters that have asked this place for the lock: the sharers, and the next exclusive one. */
    final List<NCosedMessage.Caller> sharers = new ArrayList<>();

    NCosedMessage.Caller successor;
    /** How many sharers are still to get the lock from this place; {@link #UNKNOWN} at first. */
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
