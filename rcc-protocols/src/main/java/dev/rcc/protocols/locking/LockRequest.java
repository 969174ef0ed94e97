package dev.rcc.protocols.locking;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.BucketCopies;
import dev.rcc.protocols.common.LockTry;
import dev.rcc.protocols.common.TupleLock;

/** The lock that an attempt wants or holds for one access; reused from attempt to attempt. */
final class LockRequest extends TupleLock {
    /** The step of a one-sided request; see {@link OneSidedLocking}. */
    enum Step {
        /** READ the key's home bucket; of a table that is known to have overflowed, the leaf's depth as well. */
        READ_HOME,
        /** READ the two alternates, and the key's buckets in the overflow segments. */
        READ_ALTERNATES,
        /** CAS the lock of the tuple that the index or the cache named, and READ the tuple, if that is one doorbell batch. */
        LOCK_TUPLE,
        /** READ the tuple, which is locked, if that is a doorbell batch of its own. */
        READ_TUPLE,
        /** CAS the lock of the leaf, and READ its version and the buckets. */
        LOCK_LEAF,
        /** READ the buckets, with the leaf held. */
        READ_ALL,
        /** CAS an empty index entry, and the lock of its slot. */
        RESERVE,
        /** Nothing more to do. */
        DONE
    }

    /** How the tuple at the access's address is held. */
    LockMode held;

    /** The leaf that covers the key, once the request is in a call to its participant; otherwise null. */
    SharableLeaf leaf;

    // The rest is for one-sided locking.

    Step step;
    /** Where its results land in the buffers. */
    long scratch;
    /** How far taking the lock of the step has come: the tuple's or the leaf's. */
    final LockTry lock = new LockTry();
    /** How far taking the lock of the slot that an insert has chosen has come. */
    final LockTry slot = new LockTry();
    /** Whether the address to lock came from the cache, and the index has not been read. */
    boolean fromCache;
    /** The buckets that have been read. */
    final BucketCopies buckets = new BucketCopies();
    /** Whether the buckets were read while the leaf was held: a key that they don't hold doesn't exist. */
    boolean authoritative;
    /** How a wrong tuple at {@link #undoAddress} is held, to be dropped with the next batch; NONE if there is none. */
    LockMode undoMode;
    /** The entry that the reservation under way is for. */
    long entryAddress;
    /** Whether the entry must be freed with the next batch. */
    boolean undoEntry;
    /** A word that no transaction holds, to be cleared from the lock at {@link #undoAddress} with the next batch; else FREE. */
    long undoResidue;
    /** Whether the request waits for the lock's holder before it takes the step. */
    boolean waiting;

    void begin(Access newAccess) {
        reset(newAccess);
        held = LockMode.NONE;
        leaf = null;
        step = Step.READ_HOME;
        lock.reset();
        slot.reset();
        fromCache = false;
        buckets.reset();
        authoritative = false;
        undoMode = LockMode.NONE;
        undoEntry = false;
        undoResidue = LockRules.FREE;
        waiting = false;
        entryAddress = RemoteAddress.NONE;
    }

    @Override
    public boolean isHeld() {
        return held != LockMode.NONE;
    }

    @Override
    protected void hold(long word) {
        held = LockMode.EXCLUSIVE;
    }

    /** The mode in which a tuple that exists is locked: an insert only makes sure that it stays. */
    static LockMode tupleMode(LockRules rules, Intent intent) {
        return intent == Intent.READ || intent == Intent.INSERT ? rules.readMode() : LockMode.EXCLUSIVE;
    }

    /** The mode in which the leaf of a key without a tuple is locked. */
    static LockMode absenceMode(Intent intent) {
        return intent == Intent.INSERT ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }
}
