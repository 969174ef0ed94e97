package dev.rcc.protocols.common;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.Access;

/**
 * The lock that an attempt wants or holds on one tuple, or on the slot for a new one. A protocol defines how it is held. Reused from
 * attempt to attempt; used on one coroutine.
 */
public abstract class TupleLock {
    private Access access;
    private boolean reserved;
    private boolean posted;
    private long undoAddress;
    private boolean undoPosted;
    private boolean lost;
    private boolean undoLost;

    /** A lock that is not held yet. */
    protected TupleLock() {}

    /** Makes it the lock of another access, which holds nothing. */
    protected final void reset(Access newAccess) {
        access = newAccess;
        reserved = false;
        posted = false;
        undoAddress = RemoteAddress.NONE;
        undoPosted = false;
        lost = false;
        undoLost = false;
    }

    /** Whether the tuple at the access's address is held. */
    public abstract boolean isHeld();

    /** Notes that the attempt alone holds the tuple at the access's address, with this lock word. */
    protected abstract void hold(long word);

    /** The access whose tuple it is. */
    public final Access access() {
        return access;
    }

    /** Whether the attempt has reserved the index entry, and so the slot, for an insert. */
    public final boolean isReserved() {
        return reserved;
    }

    /** Notes whether the attempt has reserved the index entry. */
    public final void reserved(boolean isReserved) {
        reserved = isReserved;
    }

    /** Whether the one-sided round that is under way has work requests of this lock. */
    public final boolean isPosted() {
        return posted;
    }

    /** Notes whether the round has work requests of this lock. */
    public final void posted(boolean isPosted) {
        posted = isPosted;
    }

    /** The address of a lock that was taken and is not the access's: the next round drops it. */
    public final long undoAddress() {
        return undoAddress;
    }

    /** Notes the address of a lock that is to be dropped. */
    public final void undoAddress(long address) {
        undoAddress = address;
    }

    /** Whether the round that is under way undoes something. */
    public final boolean isUndoPosted() {
        return undoPosted;
    }

    /** Notes whether the round undoes something. */
    public final void undoPosted(boolean isUndoPosted) {
        undoPosted = isUndoPosted;
    }

    /** Whether it is unknown which lock is held, because the node has not answered; see {@link LostLocks}. */
    public final boolean isLost() {
        return lost;
    }

    /** Whether it is also unknown if the undo took place. */
    final boolean isUndoLost() {
        return undoLost;
    }

    final void lose() {
        lost = true;
        undoLost |= undoPosted;
    }
}
