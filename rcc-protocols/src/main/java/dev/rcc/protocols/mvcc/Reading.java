package dev.rcc.protocols.mvcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.BucketCopies;
import dev.rcc.protocols.optimistic.ReadEntry;

/** The state of MVCC for one access while it is read, next to its {@link ReadEntry}; reused from attempt to attempt. */
final class Reading {
    /** The step of one-sided reading; see {@link OneSidedReading}. */
    enum Step {
        /** READ the bytes of the tuple before the record. */
        LOOK,
        /** READ the current record, which is to be written. */
        READ_TO_WRITE,
        /** CAS rts, then READ the current record. */
        READ_CURRENT,
        /** CAS rts: only where that comes last, as printed. */
        RAISE,
        /** READ an older record, and once more the bytes before the current one. */
        READ_OLDER,
        /** READ the older record's version once more. */
        CHECK_OLDER,
        /** READ the leaf's version, depth and rts, and the key's home bucket. */
        READ_HOME,
        /** Read the leaf's lock word, then READ all buckets that the key may be in. */
        READ_ALL,
        /** CAS the leaf's rts, then read its lock word, then its version and depth. */
        READ_LEAF,
        /** Read. */
        DONE
    }

    Access access;
    ReadEntry entry;
    /**
     * Whether no writer before the transaction's time can still change the record or leaf that was read. False while the
     * access is going to write: then holding the lock has the same effect.
     */
    boolean confirmed;
    /** How often it was read in vain, because other transactions came in between. */
    int retries;
    /** How often it has waited for an earlier writer. */
    int waits;
    /** The offset of the record as it was read, or 0 if it has not been kept. */
    long replacedRecord;

    // The rest is for one-sided reading.

    Step step;
    /** Whether the round that is under way has work requests of this access. */
    boolean posted;
    /** Where its results land in the buffers. */
    long scratch;
    /** The rts that the next CAS expects: of the tuple or, once all of the index was searched, of the leaf. */
    long expectedRts;
    /** The leaf's rts when it was read first. */
    long leafRts;
    /** The slot of the older record that is to be read. */
    int slot;
    /** The version of the older record that is to be read. */
    long olderVersion;
    /** Whether the address came from the cache, and the index has not been read. */
    boolean fromCache;
    /** The buckets that have been read. */
    final BucketCopies buckets = new BucketCopies();

    void reset(ReadEntry newEntry) {
        entry = newEntry;
        access = newEntry.access();
        confirmed = false;
        retries = 0;
        waits = 0;
        replacedRecord = 0;
        step = Step.READ_HOME;
        posted = false;
        fromCache = false;
        buckets.reset();
    }

    /** Whether the access is likely to write its tuple, if there is one. */
    boolean writesIfFound() {
        return access.declaredIntent() == Intent.UPDATE || access.declaredIntent() == Intent.DELETE || access.isBlind();
    }

    /** Whether the access writes if the key has no tuple. */
    boolean writesIfAbsent() {
        return access.declaredIntent() == Intent.INSERT;
    }
}
