package dev.rcc.protocols.mvcc;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.LockAndVersion;
import dev.rcc.protocols.mvcc.Reading.Step;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * The fetch stage, one-sided: reads the latest version before the transaction's time t. In the following, an earlier writer is one whose time is
 * before t. A batch takes effect after the one before it was awaited; within a batch, READs come after the atomics before them, but in any order
 * among themselves. {@link MvccLayout} defines the order in which writers install.
 *
 * <p><b>A current record</b> is read by <i>(r1)</i> CAS of {@code rts} up to t, <i>(r2)</i> reading the lock word, <i>(r3)</i> reading the version,
 * no earlier than r2 ({@link LockAndVersion}), <i>(r4)</i> identity and record, at any time. The read holds if r2 finds no earlier writer, r3 finds a
 * version v before t, and the checksum fits all of it.
 * <ul>
 *   <li>From r2 on no earlier version is installed. An earlier writer takes the lock, <i>then</i> reads {@code rts}: if it missed r1, then r2 comes
 *       after its locking, and has met its lock or comes after its unlocking, when its version is there. The printed protocol reads first and raises
 *       {@code rts} last, so that reader and writer can miss each other.
 *   <li>So v is the latest version before t, and stays so.
 *   <li>No byte is of another version, or of another key that has had the slot: the checksum is v's.
 * </ul>
 *
 * <p><b>An older record</b> is needed if LOOK has found a version after t. Then no earlier writer can come any more, whatever {@code rts} is, since
 * it would find a later version; and all versions before the found one have been moved into the history, with their records. The next batch READs all
 * {@code wts}, the identity, and the record of x, whose {@code wts} was the latest before t when LOOK read them. A third batch READs x's {@code wts}.
 * The read holds if x was the latest before t in the second batch as well, and is still there in the third. Then x's record was complete, and not
 * overwritten, as its {@code wts} is overwritten first. No later version before t was missed: such versions were there by the second batch, and are
 * overwritten, or dropped by a delete, only after x. The identity is there until after the {@code wts} are dropped.
 *
 * <p><b>A missing key</b> is missing according to its leaf: READ of the leaf's version; in the next batch the leaf's lock word by a CAS that changes
 * nothing, then READ of all buckets; after the tuples that they name, r1 to r3 on the leaf. The two versions must be the same and before t, and there
 * must be no earlier writer at either time. Then the version's writer had unlocked before the buckets were read, and a transaction that came later
 * wrote the version before it changed anything. The leaf's depth is read with r3, so it is no less than when the version was written: if fewer
 * overflow segments have been read, all buckets are read again. If the version is after t, the key may have existed at t: this cannot be found out
 * any more.
 *
 * <p><b>A record that is going to be written</b> is read without raising {@code rts}, and in one round trip: one READ, whose checksum fits. Earlier
 * writers can still come; locking detects them, and {@link Confirmation} does where no lock is taken. Raising {@code rts} would only make writers of
 * the same record abort each other. A blind write reads the bytes before the record, which have no checksum: locking compares the identity, and
 * {@link Identities} does where the attempt ends before it locks.
 *
 * <pre>
 *   cached address --&gt; LOOK --(before t)--&gt; READ_CURRENT --(as above)--&gt; DONE
 *                      ^  | \--(after t)----&gt; READ_OLDER --(as above)--&gt; CHECK_OLDER --&gt; DONE
 *                      |  |
 *                      |  +---(another key: search on; from the cache: READ_HOME)
 *                      |
 *   READ_HOME --&gt; READ_ALL --(not found)--&gt; READ_LEAF --(leaf unchanged)--&gt; DONE
 *       ^                                       |
 *       +------------(leaf changed)-------------+   (deeper: READ_ALL)
 * </pre>
 *
 * READ_TO_WRITE takes the place of LOOK and READ_CURRENT for records that are going to be written. Each round appends the atomics of every unfinished
 * reading's step to the batch of its node, then its READs, and one await collects all.
 */
final class OneSidedReading {
    // A reading's scratch: result of a CAS; rts; leaf's version and depth; a wts; lock word, version and depth;
    // buckets.
    private static final int CAS_RESULT = 0;
    private static final int RTS = 8;
    private static final int LEAF_BEFORE = 16;
    private static final int WTS = LEAF_BEFORE + IndexProbe.LEAF_STATE_BYTES;
    private static final int LOCK_WORD = WTS + Memory.WORD_BYTES;
    private static final int BUCKETS = LOCK_WORD + LockAndVersion.BYTES;

    private static final int WORD = Memory.WORD_BYTES;

    private final Transaction txn;
    private final Readings readings;
    private final boolean asPrinted;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final IndexProbe probe;

    OneSidedReading(StageContext context, Readings readings, boolean asPrinted) {
        this.txn = context.txn();
        this.readings = readings;
        this.asPrinted = asPrinted;
        this.buffers = context.worker().buffers();
        this.addresses = context.worker().addresses();
        this.batches = context.batches();
        this.probe = new IndexProbe(buffers);
    }

    /** Carries out the readings from number {@code first} on; false if the attempt must abort, with the reason set. */
    boolean read(int first) {
        for (int i = first; i < readings.size(); i++) {
            if (readings.get(i).step != Step.DONE) {
                start(readings.get(i));
            }
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
        int depth = addresses.depth(access.table().id());
        reading.scratch = txn.buffer().allocate(BUCKETS + IndexProbe.bytes(depth));
        reading.buckets.place(reading.scratch + BUCKETS, depth);
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
                appendAtomics(reading, batches.to(reading.access.node()));
                any = true;
            }
        }
        for (int i = first; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            if (reading.posted) {
                appendReads(reading, batches.to(reading.access.node()));
            }
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    private void appendAtomics(Reading reading, Batch batch) {
        Access access = reading.access;
        switch (reading.step) {
            case READ_CURRENT -> {
                if (!asPrinted) {
                    raise(reading, access.tupleAddress(), batch);
                }
                LockAndVersion.first(batch, tupleLock(access), tupleVersion(access), reading.scratch + LOCK_WORD);
            }
            case RAISE -> raise(reading, access.tupleAddress(), batch);
            case READ_ALL -> LockAndVersion.readFirst(batch, leafLock(access), reading.scratch + LOCK_WORD);
            case READ_LEAF -> {
                if (!reading.writesIfAbsent()) {
                    reading.expectedRts = reading.leafRts;
                    raise(reading, IndexProbe.leafAddress(access), batch);
                }
                LockAndVersion.first(
                        batch, leafLock(access), IndexProbe.leafVersionAddress(access), reading.scratch + LOCK_WORD);
            }
            default -> {}
        }
    }

    private void appendReads(Reading reading, Batch batch) {
        Access access = reading.access;
        TupleLayout t = access.layout();
        long tuple = access.tupleAddress();
        long image = access.imageOffset();
        switch (reading.step) {
            case LOOK -> batch.read(tuple, t.contentOffset(), image);
            case READ_TO_WRITE, READ_CURRENT -> batch.read(tuple, access.fetchedBytes(), image);
            case RAISE -> {}
            case READ_OLDER ->
                batch.read(tuple, t.contentOffset(), image)
                        .read(tuple + t.historyRecordOffset(reading.slot), t.recordBytes(), image + t.recordOffset());
            case CHECK_OLDER -> batch.read(tuple + MvccLayout.wtsOffset(reading.slot), WORD, reading.scratch + WTS);
            case READ_HOME -> {
                IndexProbe.readLeafState(batch, access, reading.scratch + LEAF_BEFORE);
                batch.read(IndexProbe.leafAddress(access) + MvccLayout.RTS_OFFSET, WORD, reading.scratch + RTS);
                reading.buckets.readHome(batch, access);
            }
            case READ_ALL -> reading.buckets.readAll(batch, access);
            case READ_LEAF ->
                LockAndVersion.then(
                        batch,
                        leafLock(access),
                        IndexProbe.leafVersionAddress(access),
                        access.table().layout().leafStateBytes(),
                        reading.scratch + LOCK_WORD);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
    }

    private void raise(Reading reading, long address, Batch batch) {
        long expected = reading.expectedRts;
        batch.cas(address + MvccLayout.RTS_OFFSET, expected, readings.raised(expected), reading.scratch + CAS_RESULT);
    }

    private static long tupleLock(Access access) {
        return access.tupleAddress() + MvccLayout.LOCK_OFFSET;
    }

    private static long tupleVersion(Access access) {
        return access.tupleAddress() + access.layout().versionOffset();
    }

    private static long leafLock(Access access) {
        return IndexProbe.leafAddress(access) + MvccLayout.LOCK_OFFSET;
    }

    /** The lock word of a tuple whose image has been read. */
    private long lockWord(Reading reading) {
        Access access = reading.access;
        boolean inOneLine = LockAndVersion.inOneLine(tupleLock(access), tupleVersion(access));
        return inOneLine ? buffers.getLong(access.imageOffset() + MvccLayout.LOCK_OFFSET) : scratch(reading, LOCK_WORD);
    }

    /** The version in a tuple's image. */
    private long version(Reading reading) {
        Access access = reading.access;
        return buffers.getLong(access.imageOffset() + access.layout().versionOffset());
    }

    private boolean isWhole(Reading reading) {
        return reading.access.layout().isWhole(buffers, reading.access.imageOffset());
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
            case CHECK_OLDER -> takeInCheck(reading);
            case READ_HOME -> takeInHome(reading);
            case READ_ALL -> takeInAll(reading);
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
        long version = version(reading);
        readings.observe(version);
        if (Timestamp.isBefore(version, txn.id())) {
            reading.expectedRts = buffers.getLong(metadata + MvccLayout.RTS_OFFSET);
            reading.step = Step.READ_CURRENT;
            return;
        }
        reading.slot = MvccLayout.slotBefore(buffers, metadata, readings.historySlots(), txn.id());
        if (reading.slot == MvccLayout.NO_SLOT) {
            txn.abort(Mvcc.VERSION_GONE);
            return;
        }
        reading.olderVersion = buffers.getLong(metadata + MvccLayout.wtsOffset(reading.slot));
        reading.step = Step.READ_OLDER;
    }

    private void takeInToWrite(Reading reading) {
        long version = version(reading);
        long metadata = reading.access.imageOffset();
        if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else if (readings.isPending(buffers.getLong(metadata + MvccLayout.LOCK_OFFSET))) {
            waitThen(reading, Step.READ_TO_WRITE);
        } else if (!reading.access.isBlind() && !isWhole(reading)) {
            again(reading, Step.READ_TO_WRITE);
        } else {
            reading.expectedRts = buffers.getLong(metadata + MvccLayout.RTS_OFFSET);
            readings.observe(Timestamp.max(version, reading.expectedRts));
            if (readings.isBefore(version) || readings.isBefore(reading.expectedRts)) {
                txn.abort(Mvcc.WRITE_TOO_LATE);
            } else {
                found(reading);
            }
        }
    }

    private void takeInCurrent(Reading reading) {
        if (!asPrinted && !readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            again(reading, Step.READ_CURRENT);
        } else if (readings.isPending(lockWord(reading))) {
            waitThen(reading, Step.LOOK);
        } else if (!isWhole(reading) || readings.isBefore(version(reading))) {
            again(reading, Step.LOOK);
        } else if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else if (asPrinted) {
            reading.step = Step.RAISE;
        } else {
            reading.confirmed = true;
            found(reading);
        }
    }

    private void takeInRaise(Reading reading) {
        if (readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            reading.confirmed = true;
            found(reading);
        } else {
            again(reading, Step.RAISE);
        }
    }

    private void takeInOlder(Reading reading) {
        long metadata = reading.access.imageOffset();
        int slot = MvccLayout.slotBefore(buffers, metadata, readings.historySlots(), txn.id());
        if (!reading.access.imageHasIdentity()) {
            lookElsewhere(reading);
        } else if (slot != reading.slot
                || buffers.getLong(metadata + MvccLayout.wtsOffset(slot)) != reading.olderVersion) {
            again(reading, Step.LOOK);
        } else {
            reading.step = Step.CHECK_OLDER;
        }
    }

    private void takeInCheck(Reading reading) {
        if (scratch(reading, WTS) == reading.olderVersion) {
            Access access = reading.access;
            buffers.putLong(access.imageOffset() + access.layout().versionOffset(), reading.olderVersion);
            reading.confirmed = true;
            found(reading);
        } else {
            again(reading, Step.LOOK);
        }
    }

    /** The image holds the record that was to be read, and its version. */
    private void found(Reading reading) {
        Access access = reading.access;
        addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
        reading.step = Step.DONE;
        reading.entry.foundTuple(version(reading), MvccLayout.FREE);
    }

    /** The slot holds another key, or none. */
    private void lookElsewhere(Reading reading) {
        Access access = reading.access;
        if (reading.fromCache) {
            reading.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            reading.step = Step.READ_HOME;
        } else {
            search(reading);
        }
    }

    // ---- the index -------------------------------------------------------------------------------------------------

    private void takeInHome(Reading reading) {
        reading.leafRts = scratch(reading, RTS);
        deepen(reading, reading.scratch + LEAF_BEFORE);
        search(reading);
    }

    private void takeInAll(Reading reading) {
        if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.READ_HOME);
        } else {
            search(reading);
        }
    }

    /** Makes READ_ALL read the segments up to a leaf's depth, which lies behind its version. No work request is under way, and no lock is held. */
    private void deepen(Reading reading, long leafState) {
        int depth = IndexProbe.leafDepth(reading.access.table().layout(), buffers, leafState);
        reading.buckets.deepen(depth, txn.buffer());
        addresses.deepen(reading.access.table().id(), depth);
    }

    /** Goes on looking for the key in the buckets that have been read, and takes the next step. */
    private void search(Reading reading) {
        int place = reading.buckets.findNext(probe, reading.access);
        if (place != IndexProbe.NOWHERE) {
            lookAt(reading, IndexProbe.tupleAddress(reading.access, place));
        } else {
            reading.step = reading.buckets.covers(0) ? Step.READ_LEAF : Step.READ_ALL;
        }
    }

    private void takeInLeaf(Reading reading) {
        long version = scratch(reading, LEAF_BEFORE);
        if (!reading.writesIfAbsent() && !readings.isRaised(reading, scratch(reading, CAS_RESULT))) {
            reading.leafRts = reading.expectedRts;
            again(reading, Step.READ_LEAF);
        } else if (readings.isPending(scratch(reading, LOCK_WORD))) {
            waitThen(reading, Step.READ_HOME);
        } else if (version != buffers.getLong(leafStateRead(reading))) {
            again(reading, Step.READ_HOME);
        } else if (isDeeper(reading)) {
            reading.step = Step.READ_ALL;
        } else if (readings.isBefore(version)) {
            readings.observe(version);
            txn.abort(Mvcc.VERSION_GONE);
        } else {
            reading.expectedRts = reading.leafRts;
            reading.confirmed = !reading.writesIfAbsent();
            reading.step = Step.DONE;
            reading.entry.foundNothing(IndexProbe.leafAddress(reading.access), version, MvccLayout.FREE);
        }
    }

    /** Whether the leaf names more segments than have been read. */
    private boolean isDeeper(Reading reading) {
        deepen(reading, leafStateRead(reading));
        return !reading.buckets.covers(reading.buckets.depth());
    }

    /** Where the leaf's version lies as READ_LEAF has read it, with the depth behind it. */
    private long leafStateRead(Reading reading) {
        Access access = reading.access;
        return LockAndVersion.version(
                leafLock(access), IndexProbe.leafVersionAddress(access), reading.scratch + LOCK_WORD);
    }

    // ---- conflicts -------------------------------------------------------------------------------------------------

    private void again(Reading reading, Step step) {
        reading.step = step;
        if (!readings.mayTryAgain(reading)) {
            txn.abort(Mvcc.PENDING_WRITER);
        }
    }

    private void waitThen(Reading reading, Step step) {
        reading.step = step;
        if (!readings.mayWait(reading)) {
            txn.abort(Mvcc.PENDING_WRITER);
        }
    }
}
