package dev.rcc.protocols.optimistic;

import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.BucketCopies;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.LockTry;
import dev.rcc.protocols.common.RemoteWord;
import dev.rcc.protocols.common.TupleLock;

/** The write of an attempt for one access, and its lock; reused from attempt to attempt. */
public final class WriteEntry extends TupleLock {
    /** The step of locking; see {@link Locking}. */
    enum Step {
        /** CAS the lock of the tuple, and READ its version. */
        LOCK_TUPLE,
        /** READ the key's buckets. */
        READ_BUCKETS,
        /** CAS an empty index entry, and the lock of its slot. */
        RESERVE,
        /** Nothing more to do. */
        DONE
    }

    /** In place of an offset: the replaced record is not wanted. */
    public static final long NOT_KEPT = -1;

    ReadEntry read;
    WriteLeaf leaf;
    /** Whether its tuple, or a slot for it, is to be locked. */
    boolean wanted;
    /** Whether the procedure has seen the fetched record. If it has not, the record may be fetched again once it is locked. */
    boolean shown;
    /** Whether it is locked, and the fetched record is of an earlier version. */
    boolean outdated;
    /** The address of the locked tuple or slot while it is fetched again. */
    long lockedAddress;
    /** The word of the tuple's lock, while it is held. */
    long held;
    /** Whether the holder's age has been written, where holders write it. */
    boolean aged;

    /** The offset for the record that a blind write replaces, as it is once it is locked; {@link #NOT_KEPT} where it is not wanted. */
    long replacedRecord;

    // The rest is for one-sided locking.

    Step step;
    /** Where its results land in the buffers. */
    long scratch;
    /** Of an insert: the buckets that have been read. */
    final BucketCopies buckets = new BucketCopies();
    /** How far taking the lock has come. */
    final LockTry lock = new LockTry();
    /** The lock word of a slot at {@link #undoAddress} that was locked though its entry went to another transaction. */
    long undoHeld;

    /** Nothing is locked, and nothing is wanted yet. */
    void reset(ReadEntry newRead, boolean isShown) {
        reset(newRead.access());
        read = newRead;
        leaf = null;
        wanted = false;
        shown = isShown;
        outdated = false;
        held = LockRules.NOT_HELD;
        aged = false;
        replacedRecord = NOT_KEPT;
        step = Step.DONE;
        lock.reset();
        buckets.reset();
        undoHeld = LockRules.NOT_HELD;
    }

    /** The lock is wanted: of the key's tuple, or of a slot for it. */
    void want() {
        wanted = true;
        if (!isHeld()) {
            step = access().exists() ? Step.LOCK_TUPLE : Step.READ_BUCKETS;
        }
    }

    /** Whether the lock is wanted and not held. */
    boolean isOpen() {
        return wanted && !isHeld();
    }

    /** Whether a commit installs a write here; if not, it only drops the lock. */
    public boolean isInstalled() {
        return access().isWrite();
    }

    /**
     * The slot of a delete, or of an insert that was not installed, was unlocked: perhaps its index entry was not freed after that. As
     * long as the leaf is held, no other transaction reserves it for the key.
     *
     * @param installed whether the attempt has installed it, not only dropped the lock
     * @return false if the node was not reached
     */
    public boolean freeIndexEntryAgain(RemoteWord word, boolean installed, LockRules rules) {
        Access access = access();
        boolean deleted = installed && access.intent() == Intent.DELETE;
        if (!deleted && (installed || !isReserved())) {
            return true;
        }
        if (!word.read(leaf.address())) {
            return false;
        }
        boolean leafHeld = leaf.isHeld() && (word.found() == leaf.held || word.found() == rules.installing(leaf.held));
        long taken = deleted ? IndexEntry.live(access.keyHash()) : IndexEntry.reserved(access.keyHash());
        return !leafHeld || word.cas(IndexProbe.entryOfTuple(access), taken, IndexEntry.EMPTY);
    }

    /** Whether there is a record, and it has been read. */
    boolean hasReadRecord() {
        return access().exists() && !access().isBlind();
    }

    /** Makes one-sided locking read the record that a blind write replaces, into the buffers at {@code offset}. */
    public void keepReplaced(long offset) {
        replacedRecord = offset;
    }

    /** The lock on the key's leaf, for an insert or delete; null for an update or a blind write. */
    public WriteLeaf leaf() {
        return leaf;
    }

    /** Whether the tuple, or the slot of an insert, is locked. */
    @Override
    public boolean isHeld() {
        return held != LockRules.NOT_HELD;
    }

    @Override
    protected void hold(long word) {
        held = word;
    }

    /**
     * The lock word that is held. The word before the lock is {@link LockRules#released} of it. The other metadata, as it was once the
     * lock was held, lies in the access's image.
     */
    public long held() {
        return held;
    }
}
