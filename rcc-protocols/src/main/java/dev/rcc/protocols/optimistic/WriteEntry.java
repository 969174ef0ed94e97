package dev.rcc.protocols.optimistic;

import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.RemoteWord;

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
    /** Whether the round that is under way undoes something. */
    boolean undoPosted;
    /** Whether it is not known if the undoing took place. */
    boolean undoLost;
    /** Whether it is not known what is held, as the node has not answered. */
    boolean lost;

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
        undoPosted = false;
        undoLost = false;
        lost = false;
    }

    /**
     * The slot of a delete, or of an insert that came to nothing, was unlocked: perhaps its index entry was not freed after that. As long
     * as the leaf is held, nobody else reserves it for the key.
     *
     * @return false if the node was not reached
     */
    public boolean freeIndexEntryAgain(RemoteWord word, boolean commits, LockRules rules) {
        boolean deleted = commits && access.intent() == Intent.DELETE;
        if (!deleted && (commits || !reserved)) {
            return true;
        }
        if (!word.read(leaf.address)) {
            return false;
        }
        boolean leafHeld = leaf.isHeld()
                && (word.found() == leaf.held || (commits && word.found() == rules.installing(leaf.held)));
        long taken = deleted ? IndexEntry.live(access.keyHash()) : IndexEntry.reserved(access.keyHash());
        return !leafHeld || word.cas(IndexProbe.entryOfTuple(access), taken, IndexEntry.EMPTY);
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
