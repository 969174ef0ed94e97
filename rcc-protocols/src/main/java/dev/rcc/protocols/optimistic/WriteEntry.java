package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Access;

/** What an attempt wants to write and holds for one access; reused from attempt to attempt. */
public final class WriteEntry {
    /** Where locking stands; see {@link Locking}. */
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

    Access access;
    ReadEntry read;
    LeafLock leaf;
    /** The word of the tuple's lock, while it is held. */
    long held;
    /** Whether the attempt has claimed the index entry, for an insert. */
    boolean reserved;
    /** Whether the holder's age has been told, where holders tell it. */
    boolean aged;

    // The rest is for one-sided locking.

    Step step;
    /** Whether the round that is under way has work requests of this entry. */
    boolean posted;
    /** Where its results land in the buffers. */
    long scratch;
    /** The lock word that the next CAS expects. */
    long expected;
    /** How often a CAS found something else that was no conflict. */
    int retries;
    /** A slot that was locked though its entry went to somebody else, to be unlocked with the next batch. */
    long undoAddress;
    /** The word of its lock. */
    long undoHeld;

    void reset(ReadEntry newRead, LeafLock newLeaf) {
        read = newRead;
        access = newRead.access();
        leaf = newLeaf;
        held = LockRules.NOT_HELD;
        reserved = false;
        aged = false;
        step = access.exists() ? Step.LOCK_TUPLE : Step.READ_BUCKETS;
        posted = false;
        expected = 0;
        retries = 0;
        undoHeld = LockRules.NOT_HELD;
    }

    /** The access. */
    public Access access() {
        return access;
    }

    /** The lock on the key's leaf, for an insert or delete; null for an update. */
    public LeafLock leaf() {
        return leaf;
    }

    /** Whether the tuple, or the slot of an insert, is locked. */
    public boolean isHeld() {
        return held != LockRules.NOT_HELD;
    }

    /**
     * The lock word that is held. What was in it before is {@link LockRules#released} of it. The other metadata, as it was
     * once the lock was held, lies in the access's image.
     */
    public long held() {
        return held;
    }
}
