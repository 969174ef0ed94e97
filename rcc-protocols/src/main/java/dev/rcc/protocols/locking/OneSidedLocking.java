package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.LockAcquisition;
import dev.rcc.protocols.common.LockAcquisition.Progress;
import dev.rcc.protocols.common.LockTry;
import dev.rcc.protocols.common.LostLocks;
import dev.rcc.protocols.locking.LockRequest.Step;

/**
 * The lock stage by one-sided verbs. With the tuple's address in the cache it is as in the paper: CAS and READ in one batch, the READ's data
 * ignored when the CAS fails (rcc, 4.2). The index lookup before, and the leaf of a key that is not there, take a few more rounds.
 *
 * <p>In each round every unfinished request appends the atomics of its step to the batch of its node, then every request its READs. So no atomic of
 * a batch is behind a READ, for which a NIC would have to wait. One await collects all batches; then each request looks at its results and takes
 * its next step:
 *
 * <pre>
 *   cached address ---------------------------> LOCK_TUPLE --(the wanted key)--------> DONE
 *                                                ^      |  \--(delete)--> LOCK_LEAF --> DONE
 *   READ_HOME --> READ_ALTERNATES --(candidate)--+      |(another key: drop the lock, search on)
 *                       |                               v
 *                       +--(not found)--> LOCK_LEAF --(still not found)--> DONE, or insert: RESERVE --> DONE
 * </pre>
 *
 * In a table that is known to have overflowed, READ_HOME also reads the leaf's depth, and READ_ALTERNATES the buckets of the segments. The depth is
 * certain once the leaf is held: if there are more segments, READ_ALL follows LOCK_LEAF.
 *
 * <p>{@link LockingOptions} may have READ_TUPLE follow LOCK_TUPLE: the round trip that doorbell batching saves (rcc, 4.2).
 *
 * A conflict ends the stage after the round: the locks that were taken stay recorded, and the release stage drops them. Where the rules let a
 * request wait, it sits the rounds out until the other requests have taken all their steps. Then the coroutine sleeps, longer each time, and the
 * waiting requests try their steps again (rcc, 4.3). The rules decide anew on the lock word that a try finds.
 */
final class OneSidedLocking {
    /** CAS retries on words that only other transactions' shared locks or reservations changed, before that counts as conflict. */
    private static final int MAX_RETRIES = 64;

    /** The result of an index entry's CAS until the CAS has written it: no entry. */
    private static final long NO_RESULT = -1;

    /** The first wait for a lock's holder, about a round trip; each further one is twice as long, up to the limit. */
    private static final long BACKOFF_NANOS_MIN = 4_000;

    private static final long BACKOFF_NANOS_MAX = 64_000;

    // A request's scratch: results of two atomics, the leaf's version and depth, the slot's version, buckets.
    private static final int FIRST_RESULT = 0;
    private static final int SECOND_RESULT = 8;
    private static final int LEAF_STATE = 16;
    private static final int SLOT_VERSION = LEAF_STATE + IndexProbe.LEAF_STATE_BYTES;
    private static final int BUCKETS = SLOT_VERSION + Memory.WORD_BYTES;

    private final Transaction txn;
    private final LockRules rules;
    private final boolean isReadApart;
    private final HeldLocks locks;
    private final LostLocks lost;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final IndexProbe index;
    private final LockAcquisition acquisition;
    private final long undoResult;

    /** Requests that wait for a lock's holder. */
    private int waiting;
    /** Whether the stage has waited already, and until when it may. */
    private boolean hasWaited;

    private long deadlineNanos;
    private long backoffNanos;

    OneSidedLocking(
            WorkerContext context,
            Transaction txn,
            LockRules rules,
            boolean isReadApart,
            HeldLocks locks,
            LostLocks lost) {
        this.txn = txn;
        this.lost = lost;
        this.rules = rules;
        this.isReadApart = isReadApart;
        this.locks = locks;
        this.buffers = context.buffers();
        this.addresses = context.addresses();
        this.batches =
                new Batches(context.endpoint(), context.catalog().placement().nodes());
        this.index = new IndexProbe(buffers);
        this.acquisition = rules.acquisition(context, txn);
        this.undoResult = txn.buffer().keep(Memory.WORD_BYTES);
    }

    /** Locks and fetches the requests from number {@code first} on; see {@link LockingStages#lock}. */
    boolean lock(int first) {
        waiting = 0;
        hasWaited = false;
        for (int i = first; i < locks.size(); i++) {
            start(locks.entry(i));
        }
        while (postRound(first) || waitForHolders(first)) {
            boolean reached = txn.completion().await();
            if (!reached) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                lost.lostRound(first);
            }
            for (int i = first; i < locks.size(); i++) {
                if (locks.entry(i).isPosted() && !locks.entry(i).isLost()) {
                    takeIn(locks.entry(i));
                }
            }
        }
        return txn.abortReason() == null;
    }

    /** Sleeps and posts the round of the waiting requests; false if no request waits, or the attempt must abort, perhaps for a timeout. */
    private boolean waitForHolders(int first) {
        if (waiting == 0 || txn.abortReason() != null) {
            return false;
        }
        AbortReason overdue = rules.overdue(txn);
        if (overdue != null) {
            txn.abort(overdue);
            return false;
        }
        long now = txn.coroutine().worker().nanoTime();
        if (!hasWaited) {
            hasWaited = true;
            deadlineNanos = now + rules.waitNanosMax();
            backoffNanos = BACKOFF_NANOS_MIN;
        } else if (now - deadlineNanos >= 0) {
            txn.abort(ConflictReasons.WAIT_TIMEOUT);
            return false;
        }
        txn.coroutine().sleep(backoffNanos);
        backoffNanos = Math.min(2 * backoffNanos, BACKOFF_NANOS_MAX);
        for (int i = first; i < locks.size(); i++) {
            locks.entry(i).waiting = false;
        }
        waiting = 0;
        return postRound(first);
    }

    private void start(LockRequest request) {
        Access access = request.access();
        int depth = addresses.depth(access.table().id());
        request.scratch = txn.buffer().allocate(BUCKETS + IndexProbe.bytes(depth));
        request.buckets.place(request.scratch + BUCKETS, depth);
        long cached = addresses.get(access.table().id(), access.keyHash());
        if (cached != RemoteAddress.NONE) {
            request.fromCache = true;
            lockTupleNext(request, cached);
        }
    }

    // ---- posting a round -------------------------------------------------------------------------------------------

    private boolean postRound(int first) {
        boolean aborting = txn.abortReason() != null;
        boolean any = false;
        for (int i = first; i < locks.size(); i++) {
            LockRequest request = locks.entry(i);
            request.undoPosted(appendUndo(request));
            any |= request.isUndoPosted();
            boolean leaving = appendLeave(request, aborting);
            any |= leaving;
            boolean goesOn = !aborting && !leaving && request.step != Step.DONE && !request.waiting;
            request.posted(goesOn && appendAtomics(request));
            any |= request.isPosted();
        }
        for (int i = first; i < locks.size(); i++) {
            if (locks.entry(i).isPosted()) {
                appendReads(locks.entry(i));
            }
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    /** Leaves locks that are not wanted any more: all open ones if the attempt aborts, or that of a slot whose entry another transaction has. */
    private boolean appendLeave(LockRequest request, boolean aborting) {
        boolean leaving = aborting && request.lock.isOpen() && acquisition.leave(batches, request.lock);
        boolean slotUnwanted = aborting || request.step == Step.READ_ALL;
        return (slotUnwanted && request.slot.isOpen() && acquisition.leave(batches, request.slot)) || leaving;
    }

    private boolean appendUndo(LockRequest request) {
        boolean undoLock = request.undoMode != LockMode.NONE;
        boolean undoResidue = request.undoResidue != LockRules.FREE;
        boolean undo = undoLock || undoResidue || request.undoEntry;
        if (undo) {
            Batch batch = batches.to(request.access().node());
            if (undoLock) {
                Unlocking.unlock(rules, locks.owner(), batch, request.undoAddress(), request.undoMode, undoResult);
            } else if (undoResidue) {
                batch.cas(request.undoAddress(), request.undoResidue, LockRules.FREE, undoResult);
            }
            if (request.undoEntry) {
                batch.writeWord(IndexEntry.EMPTY, request.entryAddress);
            }
            request.undoMode = LockMode.NONE;
            request.undoResidue = LockRules.FREE;
            request.undoEntry = false;
        }
        return undo;
    }

    /** Appends the atomics of a request's step, if it has any; false if it has to sit this round out. */
    private boolean appendAtomics(LockRequest request) {
        Access access = request.access();
        switch (request.step) {
            case READ_HOME, READ_ALTERNATES, READ_ALL, READ_TUPLE -> {}
            case LOCK_TUPLE -> acquisition.append(batches, request.lock);
            case LOCK_LEAF -> {
                return appendLeaf(request);
            }
            case RESERVE -> {
                buffers.putLong(request.scratch + FIRST_RESULT, NO_RESULT);
                Batch batch = batches.to(access.node());
                IndexProbe.deepen(batch, access, locks.leafOf(access), segment(request.entryAddress, access));
                batch.cas(
                        request.entryAddress,
                        IndexEntry.EMPTY,
                        IndexEntry.reserved(access.keyHash()),
                        request.scratch + FIRST_RESULT);
                acquisition.append(batches, request.slot);
            }
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
        return true;
    }

    /** Appends the READs of a request's step, once the atomics of all requests are there: then no atomic has to wait for a READ. */
    private void appendReads(LockRequest request) {
        Access access = request.access();
        Batch batch = batches.to(access.node());
        switch (request.step) {
            case READ_HOME -> {
                request.buckets.readHome(batch, access);
                if (request.buckets.room() > 0) {
                    IndexProbe.readLeafState(batch, access, request.scratch + LEAF_STATE);
                }
            }
            case READ_ALTERNATES -> request.buckets.readOthers(batch, access);
            case READ_ALL -> request.buckets.readAll(batch, access);
            case LOCK_TUPLE -> {
                if (!isReadApart) {
                    readTuple(batch, access);
                }
            }
            case READ_TUPLE -> readTuple(batch, access);
            case LOCK_LEAF -> {
                locks.leafOf(access).readState(batch, request.scratch + LEAF_STATE);
                if (request.held == LockMode.NONE) {
                    request.buckets.readAll(batch, access);
                }
            }
            case RESERVE ->
                batch.read(
                        access.tupleAddress() + access.layout().versionOffset(),
                        Memory.WORD_BYTES,
                        request.scratch + SLOT_VERSION);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
    }

    private static void readTuple(Batch batch, Access access) {
        batch.read(access.tupleAddress(), access.fetchedBytes(), access.imageOffset());
    }

    private boolean appendLeaf(LockRequest request) {
        SharableLeaf leaf = locks.leafOf(request.access());
        if (leaf.isPending()) {
            return false; // another access of this transaction is locking it in this round
        }
        LockMode wanted = leafMode(request);
        if (leaf.mode.covers(wanted)) {
            request.step = Step.READ_ALL; // another access has locked it in the previous round
            return true;
        }
        leaf.pending(true);
        LockTry.Wish wish = leaf.mode == LockMode.SHARED ? LockTry.Wish.UPGRADE : wish(wanted);
        request.lock.begin(leaf.address(), wish, request.lock.seen(), request.scratch + FIRST_RESULT);
        acquisition.append(batches, request.lock);
        return true;
    }

    private static int segment(long entryAddress, Access access) {
        return access.table().layout().segmentOf(RemoteAddress.offset(entryAddress));
    }

    // ---- taking in its results -------------------------------------------------------------------------------------

    private void takeIn(LockRequest request) {
        switch (request.step) {
            case READ_HOME -> takeInHome(request);
            case READ_ALTERNATES -> search(request);
            case READ_ALL -> takeInAllBuckets(request);
            case LOCK_TUPLE -> takeInTupleLock(request);
            case READ_TUPLE -> takeInTuple(request);
            case LOCK_LEAF -> takeInLeaf(request);
            case RESERVE -> takeInReservation(request);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    /** The depth may be out of date: an entry that is not found is looked for once more, with the leaf held. */
    private void takeInHome(LockRequest request) {
        TableLayout layout = request.access().table().layout();
        boolean isDepthRead = request.buckets.room() > 0;
        int depth = isDepthRead ? IndexProbe.leafDepth(layout, buffers, request.scratch + LEAF_STATE) : 0;
        if (hasRoom(request, depth)) {
            search(request);
        }
    }

    /** Has all buckets of {@code depth} segments read, if there is room for them. If not, the attempt aborts, and the next one has the room. */
    private boolean hasRoom(LockRequest request, int depth) {
        if (depth > request.buckets.room()) {
            addresses.deepen(request.access().table().id(), depth);
            txn.abort(AbortReason.INDEX_CHANGED);
            return false;
        }
        request.buckets.depth(depth);
        return true;
    }

    /**
     * The leaf was held when the buckets were read, so a key that is not in them does not exist, unless the leaf's depth shows more buckets.
     */
    private void takeInAllBuckets(LockRequest request) {
        if (request.held == LockMode.NONE) {
            searchWithLeafHeld(request);
        } else {
            request.access().foundTuple();
            request.step = Step.DONE;
        }
    }

    private void takeInTupleLock(LockRequest request) {
        Access access = request.access();
        if (!isLocked(request)) {
            if (request.fromCache && isOfAnotherKey(request)) {
                // Perhaps the attempt's own lock on the key that is there now: a retry must not come here
                // again.
                addresses.remove(access.table().id(), access.keyHash());
                if (request.waiting) {
                    searchInsteadOfWaiting(request);
                }
            }
            return;
        }
        request.held = LockRequest.tupleMode(rules, access.declaredIntent());
        if (isReadApart) {
            request.step = Step.READ_TUPLE;
        } else {
            takeInTuple(request);
        }
    }

    /** Whether the tuple that could not be locked is known to be another key's: by its READ or, if it was not read, by the attempt's locks. */
    private boolean isOfAnotherKey(LockRequest request) {
        Access access = request.access();
        if (!isReadApart) {
            return !access.imageHasIdentity();
        }
        for (int i = 0; i < locks.size(); i++) {
            LockRequest other = locks.entry(i);
            if (other != request && other.isHeld() && other.access().tupleAddress() == access.tupleAddress()) {
                return true;
            }
        }
        return false;
    }

    private void takeInTuple(LockRequest request) {
        Access access = request.access();
        if (access.imageHasIdentity()) {
            addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
            if (access.declaredIntent() == Intent.DELETE) {
                lockLeafNext(request);
            } else {
                access.foundTuple();
                request.step = Step.DONE;
            }
            return;
        }
        request.undoAddress(access.tupleAddress());
        request.undoMode = request.held;
        request.held = LockMode.NONE;
        access.tupleAddress(RemoteAddress.NONE);
        if (request.fromCache) {
            request.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            request.step = Step.READ_HOME;
        } else {
            search(request);
        }
    }

    /** The lock is probably that of another key, for which no transaction should wait. */
    private void searchInsteadOfWaiting(LockRequest request) {
        request.waiting = false;
        waiting--;
        request.fromCache = false;
        request.access().tupleAddress(RemoteAddress.NONE);
        request.step = Step.READ_HOME;
    }

    private void takeInLeaf(LockRequest request) {
        SharableLeaf leaf = locks.leafOf(request.access());
        leaf.pending(false);
        LockMode wanted = leafMode(request);
        if (!isLocked(request)) {
            return;
        }
        leaf.mode = wanted;
        leaf.takeInState(buffers, request.scratch + LEAF_STATE);
        if (request.held != LockMode.NONE) {
            request.access().foundTuple();
            request.step = Step.DONE;
        } else {
            searchWithLeafHeld(request);
        }
    }

    private void searchWithLeafHeld(LockRequest request) {
        int depth = locks.leafOf(request.access()).depth();
        if (request.buckets.covers(depth)) {
            request.authoritative = true;
            search(request);
        } else if (hasRoom(request, depth)) {
            request.step = Step.READ_ALL;
        }
    }

    private void takeInReservation(LockRequest request) {
        boolean entryTaken = buffers.getLong(request.scratch + FIRST_RESULT) == IndexEntry.EMPTY;
        boolean slotLocked = acquisition.takeIn(request.slot) == Progress.HELD;
        long slotFound = request.slot.seen();
        if (entryTaken && slotLocked) {
            request.held = LockMode.EXCLUSIVE;
            request.reserved(true);
            request.access().slotVersion(buffers.getLong(request.scratch + SLOT_VERSION));
            request.access().foundNothing();
            request.step = Step.DONE;
            return;
        }
        request.undoAddress(request.access().tupleAddress());
        request.access().tupleAddress(RemoteAddress.NONE);
        request.undoEntry = entryTaken;
        request.step = Step.READ_ALL;
        if (slotLocked) {
            request.undoMode = LockMode.EXCLUSIVE;
        }
        if (slotLocked || !entryTaken) {
            countRetry(request); // another transaction took the entry
        } else if (rules.isFree(slotFound)) {
            request.undoResidue = slotFound;
            countRetry(request);
        } else {
            refused(request, slotFound); // a transaction with an old address locks the empty slot for a moment
        }
    }

    /** Whether the lock of the step is held; if not, notes that the request has to wait, or why the attempt must abort. */
    private boolean isLocked(LockRequest request) {
        Progress progress = acquisition.takeIn(request.lock);
        if (progress == Progress.TAKEN) {
            refused(request, request.lock.seen());
        } else if (progress == Progress.AGAIN) {
            countRetry(request);
        }
        return progress == Progress.HELD;
    }

    private static LockTry.Wish wish(LockMode mode) {
        return mode == LockMode.SHARED ? LockTry.Wish.SHARED : LockTry.Wish.EXCLUSIVE;
    }

    private void refused(LockRequest request, long word) {
        AbortReason reason = rules.refusal(word, locks.owner());
        if (reason == null) {
            request.waiting = true;
            waiting++;
        } else {
            txn.abort(reason);
        }
    }

    private void countRetry(LockRequest request) {
        if (request.lock.countRetry() > MAX_RETRIES) {
            txn.abort(AbortReason.LOCK_CONFLICT);
        }
    }

    /** Goes on looking for the key in the buckets that have been read, and takes the next step. */
    private void search(LockRequest request) {
        Access access = request.access();
        int place = request.buckets.findNext(index, access);
        if (place != IndexProbe.NOWHERE) {
            lockTupleNext(request, IndexProbe.tupleAddress(access, place));
            return;
        }
        if (!request.buckets.covers(0)) {
            request.step = Step.READ_ALTERNATES;
        } else if (!request.authoritative) {
            lockLeafNext(request);
        } else if (access.declaredIntent() == Intent.INSERT) {
            reserveNext(request);
        } else {
            access.foundNothing();
            request.step = Step.DONE;
        }
    }

    private void lockTupleNext(LockRequest request, long tupleAddress) {
        LockTry.Wish wish = wish(LockRequest.tupleMode(rules, request.access().declaredIntent()));
        request.access().tupleAddress(tupleAddress);
        request.lock.begin(tupleAddress, wish, LockRules.FREE, request.scratch + FIRST_RESULT);
        request.step = Step.LOCK_TUPLE;
    }

    private void lockLeafNext(LockRequest request) {
        SharableLeaf leaf = locks.leafOf(request.access());
        request.lock.seen(LockRules.FREE);
        if (!leaf.mode.covers(leafMode(request))) {
            request.step = Step.LOCK_LEAF;
        } else if (request.held == LockMode.NONE) {
            request.step = Step.READ_ALL;
        } else {
            request.access().foundTuple();
            request.step = Step.DONE;
        }
    }

    private void reserveNext(LockRequest request) {
        int place = request.buckets.chooseEmpty(index);
        if (place == IndexProbe.NOWHERE) {
            reserveDeeper(request);
            return;
        }
        request.entryAddress = IndexProbe.entryAddress(request.access(), place);
        request.access().tupleAddress(IndexProbe.tupleAddress(request.access(), place));
        request.slot.begin(
                request.access().tupleAddress(),
                LockTry.Wish.EXCLUSIVE,
                LockRules.FREE,
                request.scratch + SECOND_RESULT);
        request.step = Step.RESERVE;
    }

    /** All buckets that were read are full: the next segment may have room. */
    private void reserveDeeper(LockRequest request) {
        int next = request.buckets.segmentsRead() + 1;
        if (next > request.access().table().layout().segments()) {
            txn.abort(AbortReason.TABLE_FULL);
        } else if (hasRoom(request, Math.max(next, request.buckets.room()))) {
            request.step = Step.READ_ALL;
        }
    }

    private static LockMode leafMode(LockRequest request) {
        return request.held == LockMode.NONE
                ? LockRequest.absenceMode(request.access().declaredIntent())
                : LockMode.EXCLUSIVE; // of a key that is to be deleted
    }
}
