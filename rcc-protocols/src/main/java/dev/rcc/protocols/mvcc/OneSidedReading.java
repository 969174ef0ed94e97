package dev.rcc.protocols.mvcc;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.mvcc.Reading.Step;

/**
 * The fetch stage, one-sided: reads the latest version before the transaction's time t. In the following, an earlier writer
 * is one whose time is before t; a READ of a word is a work request of its own, and a work request takes effect after the
 * one before it in its batch. {@link MvccLayout} says in which order writers install.
 *
 * <p><b>A current record</b> is read by <i>(r1)</i> CAS of {@code rts} up to t, <i>(r2)</i> READ of the lock word,
 * <i>(r3)</i> READ of the version, <i>(r4)</i> READ of identity and record, <i>(r5)</i> READ of the version. It holds if r2
 * finds no earlier writer, and r3 and r5 find the same version v before t.
 * <ul>
 *   <li>From r2 on no earlier version is installed. An earlier writer takes the lock, <i>then</i> reads {@code rts}: if it
 *       missed r1, then r2 comes after its locking, and has met its lock or comes after its unlocking, when its version is
 *       there. The printed protocol reads first and raises {@code rts} last, so that both can miss each other.
 *   <li>So v is the latest version before t, for good, and its record was complete at r2: its writer had unlocked.
 *   <li>No byte of a later one was met: a later writer writes its version first, and r5 would have found it. Nor had the
 *       slot another key: who deletes or inserts writes a version, too.
 * </ul>
 *
 * <p><b>An older record</b> is needed if the version is already after t. Then no earlier writer can come any more, whatever
 * {@code rts} is, since it would find a later version. The {@code wts} are READ after the version. In them, the latest one
 * before t, x, is the right one unless it was overwritten: its successor was not after the version read, so x had been moved
 * into the history before that, record included, and nothing moves within it. In another batch follow READs of x's
 * {@code wts}, the identity, the record, x's {@code wts}: if it is x both times, the record is x's, for it is overwritten
 * only after its {@code wts}; and x was not chosen for want of a later one, for those are overwritten, or dropped by a
 * delete, only after x. The identity is there until after the {@code wts} are dropped.
 *
 * <p><b>A missing key</b> is missing according to its leaf: READ of the leaf's version, of its lock word, of the buckets and
 * whatever tuples they name, then r1 to r3 on the leaf. The two versions must be the same and before t, and no earlier writer
 * at either time. Then the version's writer had unlocked before the buckets were read, and whoever came later wrote the
 * version before it changed anything. If the version is after t, the key may have existed at t: that is not known any more.
 *
 * <p><b>What is going to be written</b> is read without raising {@code rts}, and in one round trip: the version, then the
 * lock word, the tuple, the version. The record is whole for the reasons above, but earlier writers can still come; locking
 * notices, and {@link Confirmation} does where it comes to no lock. Raising {@code rts} would only make writers of the same
 * record abort each other.
 *
 * <pre>
 *   cached address --&gt; LOOK --(before t)--&gt; READ_CURRENT --(as above)--&gt; DONE
 *                      ^  | \--(after t)----&gt; READ_OLDER ---(as above)--&gt; DONE
 *                      |  |
 *                      |  +---(another key: search on; from the cache: READ_HOME)
 *                      |
 *   READ_HOME --&gt; READ_ALTERNATES --(not found)--&gt; (READ_LEAF, if a tuple was looked at) --(leaf unchanged)--&gt; DONE
 *       ^                                                                                         |
 *       +----------------------------------------------------(leaf changed)-----------------------+
 * </pre>
 *
 * READ_TO_WRITE takes the place of LOOK and READ_CURRENT for what is going to be written. Each round appends the work
 * requests of every unfinished reading's step to the batch of its node, and one await collects all.
 */
final class OneSidedReading {
    // A reading's scratch: result of a CAS; lock word and rts; versions before and after; leaf's version; buckets.
    private static final int CAS_RESULT = 0;
    private static final int LOCK_WORD = 8;
    private static final int RTS = 16;
    private static final int BEFORE = 24;
    private static final int AFTER = 32;
    private static final int LEAF_BEFORE = 40;
    private static final int BUCKETS = 48;

    private static final int WORD = Memory.WORD_BYTES;

    private final Transaction txn;
    private final Readings readings;
    private final boolean asPrinted;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final IndexProbe probe;

    OneSidedReading(WorkerContext context, Transaction txn, Readings readings, boolean asPrinted) {
        this.txn = txn;
        this.readings = readings;
        this.asPrinted = asPrinted;
        this.buffers = context.buffers();
        this.addresses = context.addresses();
        this.batches =
                new Batches(context.endpoint(), context.catalog().placement().nodes());
        this.probe = new IndexProbe(buffers);
    }

    /** Reads from the reading with number {@code first} on; false if the attempt must abort, with the reason set. */
    boolean read(int first) {
        for (int i = first; i < readings.size(); i++) {
            start(readings.get(i));
        }
        while (postRound(first)) {
            if (!txn.completion().await()) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                return false;
            }
            for (int i = first; i < readings.size(); i++) {
                if (readings.get(i).posted) {
                    takeIn(readings.get(i));
                }
            }
            if (txn.abortReason() == null) {
                readings.waitIfNeeded();
            }
        }
        return txn.abortReason() == null;
    }

    private void start(Reading reading) {
        Access access = reading.access;
        reading.scratch = txn.buffer().allocate(BUCKETS + IndexProbe.BYTES);
        long cached = addresses.get(access.table().id(), access.keyHash());
        if (cached != RemoteAddress.NONE) {
            reading.fromCache = true;
            lookAt(reading, cached);
        }
    }

    private void lookAt(Reading reading, long tuple) {
        reading.access.tupleAddress(tuple);
        reading.step = reading.writesIfFound() ? Step.READ_TO_WRITE : Step.LOOK;
    }

    private boolean postRound(int first) {
        if (txn.abortReason() != null) {
            return false;
        }
        boolean any = false;
        for (int i = first; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            reading.posted = reading.step != Step.DONE;
            if (reading.posted) {
                append(reading, batches.to(reading.access.node()));
                any = true;
            }
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    private void append(Reading reading, Batch batch) {
        Access access = reading.access;
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        long version = tuple + t.versionOffset();
        long scratch = reading.scratch;
        switch (reading.step) {
            case LOOK ->
                batch.read(version, WORD, scratch + BEFORE).read(tuple, t.recordOffset(), access.imageOffset());
            case READ_TO_WRITE -> {
                batch.read(version, WORD, scratch + BEFORE)
                        .read(tuple + MvccLayout.LOCK_OFFSET, 2 * WORD, scratch + LOCK_WORD);
                readIdentityAndValue(access, batch);
                batch.read(version, WORD, scratch + AFTER);
            }
            case READ_CURRENT -> {
                if (!asPrinted) {
                    raise(reading, tuple, batch);
                }
                batch.read(tuple + MvccLayout.LOCK_OFFSET, WORD, scratch + LOCK_WORD)
                        .read(version, WORD, scratch + BEFORE);
                readIdentityAndValue(access, batch);
                batch.read(version, WORD, scratch + AFTER);
            }
            case RAISE -> raise(reading, tuple, batch);
            case READ_OLDER -> {
                long wts = tuple + MvccLayout.wtsOffset(reading.slot);
                long image = access.imageOffset();
                batch.read(wts, WORD, scratch + BEFORE)
                        .read(tuple + t.identityOffset(), t.identityBytes(), image + t.identityOffset())
                        .read(tuple + t.historyRecordOffset(reading.slot), t.recordBytes(), image + t.recordOffset())
                        .read(wts, WORD, scratch + AFTER);
            }
            case READ_HOME -> {
                batch.read(leafVersion(access), WORD, scratch + LEAF_BEFORE)
                        .read(IndexProbe.leafAddress(access) + MvccLayout.LOCK_OFFSET, 2 * WORD, scratch + LOCK_WORD);
                IndexProbe.read(batch, access, 0, 1, scratch + BUCKETS);
                reading.bucketsRead = 1;
            }
            case READ_ALTERNATES -> {
                IndexProbe.read(batch, access, 1, TableLayout.CHOICES, scratch + BUCKETS);
                reading.bucketsRead = TableLayout.CHOICES;
                readLeaf(reading, batch);
            }
            case READ_LEAF -> readLeaf(reading, batch);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
    }

    private static void readIdentityAndValue(Access access, Batch batch) {
        TupleLayout t = access.layout();
        int identity = t.identityOffset();
        batch.read(access.tupleAddress() + identity, t.tupleBytes() - identity, access.imageOffset() + identity);
    }

    private void raise(Reading reading, long address, Batch batch) {
        long expected = reading.expectedRts;
        batch.cas(address + MvccLayout.RTS_OFFSET, expected, readings.raised(expected), reading.scratch + CAS_RESULT);
    }

    private void readLeaf(Reading reading, Batch batch) {
        long leaf = IndexProbe.leafAddress(reading.access);
        if (!reading.writesIfAbsent()) {
            reading.expectedRts = reading.leafRts;
            raise(reading, leaf, batch);
        }
        batch.read(leaf + MvccLayout.LOCK_OFFSET, WORD, reading.scratch + LOCK_WORD)
                .read(leafVersion(reading.access), WORD, reading.scratch + AFTER);
        reading.leafOutdated = false;
    }

    private static long leafVersion(Access access) {
        return IndexProbe.leafAddress(access) + access.table().layout().leafVersionOffset();
    }

    private long scratch(Reading reading, int offset) {
        return buffers.getLong(reading.scratch + offset);
    }

    private void takeIn(Reading reading) {
        switch (reading.step) {
            case LOOK -> takeInLook(reading);
            case READ_TO_WRITE -> takeInToWrite(reading);
            case READ_CURRENT -> takeInCurrent(reading);
            case RAISE -> takeInRaise(reading);
            case READ_OLDER -> takeInOlder(reading);
            case READ_HOME -> takeInHome(reading);
            case READ_ALTERNATES -> search(reading, TableLayout.BUCKET_ENTRIES);
            case READ_LEAF -> takeInLeaf(reading);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    // ---- the tuple -------------------------------------------------------------------------------------------------

    private void takeInLook(Reading reading) {
        if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
            return;
        }
        long metadata = reading.access.imageOffset();
        long version = scratch(reading, BEFORE);
        readings.observe(version);
        if (Timestamp.isBefore(version, txn.id())) {
            reading.expectedRts = buffers.getLong(metadata + MvccLayout.RTS_OFFSET);
            reading.step = Step.READ_CURRENT;
            return;
        }
        reading.slot = MvccLayout.slotBefore(buffers, metadata, readings.historySlots(), txn.id());
        if (reading.slot == MvccLayout.NO_SLOT) {
            txn.abort(AbortReason.VERSION_GONE);
            return;
        }
        reading.olderVersion = buffers.getLong(metadata + MvccLayout.wtsOffset(reading.slot));
        reading.step = Step.READ_OLDER;
    }

    private void takeInToWrite(Reading reading) {
        long version = scratch(reading, BEFORE);
        if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.READ_TO_WRITE);
        } else if (version != scratch(reading, AFTER)) {
            again(reading, Step.READ_TO_WRITE);
        } else {
            reading.expectedRts = scratch(reading, RTS);
            readings.observe(Timestamp.max(version, reading.expectedRts));
            if (readings.isBefore(version) || readings.isBefore(reading.expectedRts)) {
                txn.abort(AbortReason.WRITE_TOO_LATE);
            } else {
                found(reading, version);
            }
        }
    }

    private void takeInCurrent(Reading reading) {
        long version = scratch(reading, BEFORE);
        if (!asPrinted && !readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            again(reading, Step.READ_CURRENT);
        } else if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.LOOK);
        } else if (version != scratch(reading, AFTER) || readings.isBefore(version)) {
            again(reading, Step.LOOK);
        } else if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else if (asPrinted) {
            reading.step = Step.RAISE;
        } else {
            reading.confirmed = true;
            found(reading, version);
        }
    }

    private void takeInRaise(Reading reading) {
        if (readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            reading.confirmed = true;
            found(reading, scratch(reading, BEFORE));
        } else {
            again(reading, Step.RAISE);
        }
    }

    private void takeInOlder(Reading reading) {
        long version = scratch(reading, BEFORE);
        if (version != reading.olderVersion || version != scratch(reading, AFTER)) {
            again(reading, Step.LOOK);
        } else if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else {
            reading.confirmed = true;
            found(reading, version);
        }
    }

    private void found(Reading reading, long version) {
        Access access = reading.access;
        buffers.putLong(access.imageOffset() + access.layout().versionOffset(), version);
        addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
        reading.step = Step.DONE;
        reading.entry.foundTuple(version, MvccLayout.FREE);
    }

    /** The slot holds another key, or none. */
    private void lookElsewhere(Reading reading) {
        Access access = reading.access;
        if (reading.fromCache) {
            reading.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            reading.step = Step.READ_HOME;
        } else {
            reading.leafOutdated = true;
            search(reading, reading.searchFrom);
        }
    }

    // ---- the index -------------------------------------------------------------------------------------------------

    private void takeInHome(Reading reading) {
        if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.READ_HOME);
        } else {
            reading.leafRts = scratch(reading, RTS);
            search(reading, 0);
        }
    }

    /** Looks for the key in the buckets that have been read, and takes the next step. */
    private void search(Reading reading, int from) {
        int place = probe.find(reading.access, reading.scratch + BUCKETS, from, reading.bucketsRead);
        if (place != IndexProbe.NOWHERE) {
            reading.searchFrom = place + 1;
            lookAt(reading, IndexProbe.tupleAddress(reading.access, place));
        } else if (reading.bucketsRead < TableLayout.CHOICES) {
            reading.step = Step.READ_ALTERNATES;
        } else if (reading.leafOutdated) {
            reading.step = Step.READ_LEAF;
        } else {
            takeInLeaf(reading);
        }
    }

    private void takeInLeaf(Reading reading) {
        long version = scratch(reading, LEAF_BEFORE);
        if (!reading.writesIfAbsent() && !readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            reading.leafRts = reading.expectedRts;
            again(reading, Step.READ_LEAF);
        } else if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.READ_HOME);
        } else if (version != scratch(reading, AFTER)) {
            again(reading, Step.READ_HOME);
        } else if (readings.isBefore(version)) {
            readings.observe(version);
            txn.abort(AbortReason.VERSION_GONE);
        } else {
            reading.expectedRts = reading.leafRts;
            reading.confirmed = !reading.writesIfAbsent();
            reading.step = Step.DONE;
            reading.entry.foundNothing(IndexProbe.leafAddress(reading.access), version, MvccLayout.FREE);
        }
    }

    // ---- conflicts -------------------------------------------------------------------------------------------------

    private void again(Reading reading, Step step) {
        reading.step = step;
        if (!readings.mayTryAgain(reading)) {
            txn.abort(AbortReason.PENDING_WRITER);
        }
    }

    private void waitThen(Reading reading, Step step) {
        reading.step = step;
        if (!readings.mayWait(reading)) {
            txn.abort(AbortReason.PENDING_WRITER);
        }
    }
}
