package dev.rcc.protocols.locking;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;

/** What an attempt wants and holds for one access; reused from attempt to attempt. */
final class LockRequest {
    /** Where a one-sided request stands; see {@link OneSidedLocking}. */
    enum Step {
        /** READ the key's home bucket. */
        READ_HOME,
        /** READ the two alternates. */
        READ_ALTERNATES,
        /** CAS the lock of the tuple that the index or the cache named, and READ the tuple. */
        LOCK_TUPLE,
        /** CAS the lock of the leaf, and READ its version and the buckets. */
        LOCK_LEAF,
        /** READ the buckets, with the leaf held. */
        READ_ALL,
        /** CAS an empty index entry, and the lock of its slot. */
        RESERVE,
        /** Nothing more to do. */
        DONE
    }

    Access access;
    /** How the tuple at the access's address is held. */
    LockMode held;
    /** Whether the attempt has reserved the index entry, and so the slot, for an insert. */
    boolean reserved;

    // The rest is for one-sided locking.

    Step step;
    /** Whether the round that is under way has work requests of this request. */
    boolean posted;
    /** Where its results land in the buffers. */
    long scratch;
    /** The lock word that the next CAS expects. */
    long expected;
    /** Whether the address to lock came from the cache, and the index has not been read. */
    boolean fromCache;
    /** From where on to search the buckets that were read. */
    int searchFrom;
    /** How many of the buckets have been read. */
    int bucketsRead;
    /** Whether the buckets were read while the leaf was held: what they don't hold doesn't exist. */
    boolean authoritative;
    /** A lock on a wrong tuple, to be dropped with the next batch. */
    long undoAddress;
    /** How it is held; NONE if there is none. */
    LockMode undoMode;
    /** Whether {@link #undoAddress} or {@link #entryAddress} is being undone by the round that is under way. */
    boolean undoPosted;
    /** Whether it is not known what is locked, as the node has not answered. */
    boolean lost;
    /** Whether it is not known if the undoing took place. */
    boolean undoLost;
    /** The entry that the reservation under way is for. */
    long entryAddress;
    /** Whether the entry must be freed with the next batch. */
    boolean undoEntry;
    /** What nobody holds but must be cleared from the lock at {@link #undoAddress} with the next batch; else FREE. */
    long undoResidue;
    /** Whether the lock's holder is to be waited for before the step is taken. */
    boolean waiting;
    /** How often a CAS found something else that was no conflict. */
    int retries;

    void reset(Access newAccess) {
        access = newAccess;
        held = LockMode.NONE;
        reserved = false;
        step = Step.READ_HOME;
        expected = LockRules.FREE;
        fromCache = false;
        searchFrom = 0;
        bucketsRead = 0;
        authoritative = false;
        undoMode = LockMode.NONE;
        undoEntry = false;
        undoResidue = LockRules.FREE;
        waiting = false;
        retries = 0;
        posted = false;
        undoPosted = false;
        lost = false;
        undoLost = false;
        undoAddress = RemoteAddress.NONE;
        entryAddress = RemoteAddress.NONE;
    }

    /** The mode in which a tuple that exists is locked: an insert only makes sure that it stays. */
    static LockMode tupleMode(Intent intent) {
        return intent == Intent.READ || intent == Intent.INSERT ? LockMode.SHARED : LockMode.EXCLUSIVE;
    }

    /** The mode in which the leaf of a key without a tuple is locked. */
    static LockMode absenceMode(Intent intent) {
        return intent == Intent.INSERT ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }
}
