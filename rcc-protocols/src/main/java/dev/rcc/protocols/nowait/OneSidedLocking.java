package dev.rcc.protocols.nowait;

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
import dev.rcc.protocols.nowait.LockRequest.Step;

/**
 * NOWAIT's lock stage by one-sided verbs. With the tuple's address in the cache it is what the paper prints: CAS and READ
 * in one batch, the READ's data ignored when the CAS fails (rcc, 4.2). Everything else, the index lookup before, and the
 * leaf of a key that is not there, makes it a few rounds more.
 *
 * <p>In each round every unfinished request appends the work requests of its step to the batch of its node; one await
 * collects all batches; then each request looks at its results and takes its next step:
 *
 * <pre>
 *   cached address ---------------------------> LOCK_TUPLE --(the wanted key)--------> DONE
 *                                                ^      |  \--(delete)--> LOCK_LEAF --> DONE
 *   READ_HOME --> READ_ALTERNATES --(candidate)--+      |(another key: drop the lock, search on)
 *                       |                               v
 *                       +--(not found)--> LOCK_LEAF --(still not found)--> DONE, or insert: RESERVE --> DONE
 * </pre>
 *
 * A conflict ends it after the round: what was locked stays recorded and is released by the release stage.
 */
final class OneSidedLocking {
    /** CAS retries on words that only others' shared locks or reservations changed, before that counts as conflict. */
    private static final int MAX_RETRIES = 64;

    /** What a result holds until a CAS has written it; read as a lock word, somebody else's exclusive lock. */
    private static final long NO_RESULT = -1;

    // A request's scratch: results of two CAS, the leaf's and the slot's version, three buckets.
    private static final int FIRST_RESULT = 0;
    private static final int SECOND_RESULT = 8;
    private static final int LEAF_VERSION = 16;
    private static final int SLOT_VERSION = 24;
    private static final int BUCKETS = 32;
    private static final int SCRATCH_BYTES = BUCKETS + TableLayout.CHOICES * TableLayout.BUCKET_BYTES;

    private final Transaction txn;
    private final HeldLocks locks;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final long[] bucketOffsets = new long[TableLayout.CHOICES];
    private final long undoResult;

    OneSidedLocking(WorkerContext context, Transaction txn, HeldLocks locks) {
        this.txn = txn;
        this.locks = locks;
        this.buffers = context.buffers();
        this.addresses = context.addresses();
        this.batches =
                new Batches(context.endpoint(), context.catalog().placement().nodes());
        this.undoResult = txn.buffer().keep(Memory.WORD_BYTES);
    }

    /** Locks and fetches from the request with number {@code first} on; see {@link NowaitStages#lock}. */
    boolean lock(int first) {
        for (int i = first; i < locks.requests(); i++) {
            start(locks.request(i));
        }
        while (postRound(first)) {
            boolean reached = txn.completion().await();
            if (!reached) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
            }
            for (int i = first; i < locks.requests(); i++) {
                if (locks.request(i).posted) {
                    takeIn(locks.request(i));
                }
            }
        }
        return txn.abortReason() == null;
    }

    private void start(LockRequest request) {
        Access access = request.access;
        request.scratch = txn.buffer().allocate(SCRATCH_BYTES);
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
        for (int i = first; i < locks.requests(); i++) {
            LockRequest request = locks.request(i);
            any |= appendUndo(request);
            request.posted = !aborting && request.step != Step.DONE && append(request);
            any |= request.posted;
        }
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    private boolean appendUndo(LockRequest request) {
        boolean undo = request.undoMode != LockMode.NONE || request.undoEntry;
        if (undo) {
            Batch batch = batches.to(request.access.node());
            switch (request.undoMode) {
                case EXCLUSIVE -> batch.writeWord(NowaitLayout.FREE, request.undoAddress);
                case SHARED -> batch.fetchAdd(request.undoAddress, -1, undoResult);
                case NONE -> {}
            }
            if (request.undoEntry) {
                batch.writeWord(IndexEntry.EMPTY, request.entryAddress);
            }
            request.undoMode = LockMode.NONE;
            request.undoEntry = false;
        }
        return undo;
    }

    /** Appends the work requests of a request's step; false if it has to sit this round out. */
    private boolean append(LockRequest request) {
        Access access = request.access;
        buffers.putLong(request.scratch + FIRST_RESULT, NO_RESULT);
        buffers.putLong(request.scratch + SECOND_RESULT, NO_RESULT);
        switch (request.step) {
            case READ_HOME -> readBuckets(request, 0, 1);
            case READ_ALTERNATES -> readBuckets(request, 1, TableLayout.CHOICES);
            case READ_ALL -> readBuckets(request, 0, TableLayout.CHOICES);
            case LOCK_TUPLE ->
                batches.to(access.node())
                        .cas(
                                access.tupleAddress(),
                                request.expected,
                                desired(LockRequest.tupleMode(access.intent()), request.expected),
                                request.scratch + FIRST_RESULT)
                        .read(access.tupleAddress(), access.layout().tupleBytes(), access.imageOffset());
            case LOCK_LEAF -> {
                return appendLeaf(request);
            }
            case RESERVE ->
                batches.to(access.node())
                        .cas(
                                request.entryAddress,
                                IndexEntry.EMPTY,
                                IndexEntry.reserved(access.keyHash()),
                                request.scratch + FIRST_RESULT)
                        .cas(access.tupleAddress(), NowaitLayout.FREE, txn.id(), request.scratch + SECOND_RESULT)
                        .read(
                                access.tupleAddress() + access.layout().versionOffset(),
                                Memory.WORD_BYTES,
                                request.scratch + SLOT_VERSION);
            case DONE -> throw new IllegalStateException("nothing is left to do");
        }
        return true;
    }

    private boolean appendLeaf(LockRequest request) {
        LeafLock leaf = locks.leafOf(request.access);
        if (leaf.pending) {
            return false; // another access of this transaction is locking it in this round
        }
        LockMode wanted = leafMode(request);
        if (leaf.mode.covers(wanted)) {
            readBuckets(request, 0, TableLayout.CHOICES); // another access has locked it in the round before
            request.step = Step.READ_ALL;
            return true;
        }
        leaf.pending = true;
        long expected = leaf.mode == LockMode.SHARED ? 1 : request.expected; // an upgrade: we must be the only one
        batches.to(leaf.node())
                .cas(leaf.address, expected, desired(wanted, expected), request.scratch + FIRST_RESULT)
                .read(leaf.versionAddress, Memory.WORD_BYTES, request.scratch + LEAF_VERSION);
        if (request.held == LockMode.NONE) {
            readBuckets(request, 0, TableLayout.CHOICES);
        }
        request.expected = expected;
        return true;
    }

    private void readBuckets(LockRequest request, int from, int to) {
        Access access = request.access;
        Batch batch = batches.to(access.node());
        for (int choice = from; choice < to; choice++) {
            long bucket = access.table().layout().bucketOffset(access.keyHash(), choice);
            long address = access.table().address(access.node(), access.partition(), bucket);
            batch.read(address, TableLayout.BUCKET_BYTES, bucketOffset(request, choice));
        }
        request.bucketsRead = to;
    }

    private long desired(LockMode mode, long expected) {
        return mode == LockMode.EXCLUSIVE ? txn.id() : expected + 1;
    }

    // ---- taking in its results -------------------------------------------------------------------------------------

    private void takeIn(LockRequest request) {
        switch (request.step) {
            case READ_HOME -> search(request, 0);
            case READ_ALTERNATES -> search(request, TableLayout.BUCKET_ENTRIES);
            case READ_ALL -> takeInAllBuckets(request);
            case LOCK_TUPLE -> takeInTuple(request);
            case LOCK_LEAF -> takeInLeaf(request);
            case RESERVE -> takeInReservation(request);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    /** The leaf was held when the buckets were read, so what is not in them does not exist. */
    private void takeInAllBuckets(LockRequest request) {
        if (request.held == LockMode.NONE) {
            request.authoritative = true;
            search(request, 0);
        } else {
            request.access.foundTuple();
            request.step = Step.DONE;
        }
    }

    private void takeInTuple(LockRequest request) {
        Access access = request.access;
        LockMode mode = LockRequest.tupleMode(access.intent());
        if (!casSucceeded(request, mode)) {
            if (request.fromCache && !access.imageHasIdentity()) {
                // Perhaps our own lock on the key that is there now: a retry must not come here again.
                addresses.remove(access.table().id(), access.keyHash());
            }
            return;
        }
        if (access.imageHasIdentity()) {
            request.held = mode;
            addresses.put(access.table().id(), access.keyHash(), access.tupleAddress());
            if (access.intent() == Intent.DELETE) {
                lockLeafNext(request);
            } else {
                access.foundTuple();
                request.step = Step.DONE;
            }
            return;
        }
        request.undoAddress = access.tupleAddress();
        request.undoMode = mode;
        access.tupleAddress(RemoteAddress.NONE);
        if (request.fromCache) {
            request.fromCache = false;
            addresses.remove(access.table().id(), access.keyHash());
            request.step = Step.READ_HOME;
        } else {
            search(request, request.searchFrom);
        }
    }

    private void takeInLeaf(LockRequest request) {
        LeafLock leaf = locks.leafOf(request.access);
        leaf.pending = false;
        LockMode wanted = leafMode(request);
        if (!casSucceeded(request, wanted)) {
            return;
        }
        leaf.mode = wanted;
        leaf.version = buffers.getLong(request.scratch + LEAF_VERSION);
        if (request.held != LockMode.NONE) {
            request.access.foundTuple();
            request.step = Step.DONE;
        } else {
            request.authoritative = true;
            search(request, 0);
        }
    }

    private void takeInReservation(LockRequest request) {
        boolean entryTaken = buffers.getLong(request.scratch + FIRST_RESULT) == IndexEntry.EMPTY;
        boolean slotLocked = buffers.getLong(request.scratch + SECOND_RESULT) == NowaitLayout.FREE;
        if (entryTaken && slotLocked) {
            request.held = LockMode.EXCLUSIVE;
            request.reserved = true;
            request.access.slotVersion(buffers.getLong(request.scratch + SLOT_VERSION));
            request.access.foundNothing();
            request.step = Step.DONE;
            return;
        }
        if (slotLocked) {
            request.undoAddress = request.access.tupleAddress();
            request.undoMode = LockMode.EXCLUSIVE;
        }
        request.access.tupleAddress(RemoteAddress.NONE);
        if (entryTaken) {
            request.undoEntry = true; // somebody with an old address locks the empty slot for a moment
            txn.abort(AbortReason.LOCK_CONFLICT);
        } else {
            countRetry(request); // somebody else took the entry
            request.step = Step.READ_ALL;
        }
    }

    /** Whether the CAS of a lock took place; if not, notes the conflict, or what to expect in the next round. */
    private boolean casSucceeded(LockRequest request, LockMode mode) {
        long found = buffers.getLong(request.scratch + FIRST_RESULT);
        if (found == request.expected) {
            return true;
        }
        if (mode == LockMode.SHARED && NowaitLayout.canShare(found)) {
            request.expected = found;
            countRetry(request);
        } else {
            txn.abort(AbortReason.LOCK_CONFLICT);
        }
        return false;
    }

    private void countRetry(LockRequest request) {
        if (++request.retries > MAX_RETRIES) {
            txn.abort(AbortReason.LOCK_CONFLICT);
        }
    }

    /** Looks for the key, from entry {@code from} on, in the buckets that have been read, and takes the next step. */
    private void search(LockRequest request, int from) {
        Access access = request.access;
        for (int i = from; i < request.bucketsRead * TableLayout.BUCKET_ENTRIES; ) {
            int choice = i / TableLayout.BUCKET_ENTRIES;
            int found = TableLayout.find(
                    buffers, bucketOffset(request, choice), access.keyHash(), i % TableLayout.BUCKET_ENTRIES);
            if (found >= 0) {
                request.searchFrom = choice * TableLayout.BUCKET_ENTRIES + found + 1;
                lockTupleNext(request, tupleAddress(access, choice, found));
                return;
            }
            i = (choice + 1) * TableLayout.BUCKET_ENTRIES;
        }
        if (request.bucketsRead < TableLayout.CHOICES) {
            request.step = Step.READ_ALTERNATES;
        } else if (!request.authoritative) {
            lockLeafNext(request);
        } else if (access.intent() == Intent.INSERT) {
            reserveNext(request);
        } else {
            access.foundNothing();
            request.step = Step.DONE;
        }
    }

    private void lockTupleNext(LockRequest request, long tupleAddress) {
        request.access.tupleAddress(tupleAddress);
        request.expected = NowaitLayout.FREE;
        request.step = Step.LOCK_TUPLE;
    }

    private void lockLeafNext(LockRequest request) {
        LeafLock leaf = locks.leafOf(request.access);
        request.expected = NowaitLayout.FREE;
        if (!leaf.mode.covers(leafMode(request))) {
            request.step = Step.LOCK_LEAF;
        } else if (request.held == LockMode.NONE) {
            request.step = Step.READ_ALL;
        } else {
            request.access.foundTuple();
            request.step = Step.DONE;
        }
    }

    private void reserveNext(LockRequest request) {
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            bucketOffsets[choice] = bucketOffset(request, choice);
        }
        int chosen = TableLayout.chooseEmpty(buffers, bucketOffsets);
        if (chosen < 0) {
            txn.abort(AbortReason.TABLE_FULL);
            return;
        }
        int choice = chosen / TableLayout.BUCKET_ENTRIES;
        int entry = chosen % TableLayout.BUCKET_ENTRIES;
        request.entryAddress = entryAddress(request.access, choice, entry);
        request.access.tupleAddress(tupleAddress(request.access, choice, entry));
        request.step = Step.RESERVE;
    }

    private static LockMode leafMode(LockRequest request) {
        return request.held == LockMode.NONE
                ? LockRequest.absenceMode(request.access.intent())
                : LockMode.EXCLUSIVE; // of a key that is to be deleted
    }

    private static long bucketOffset(LockRequest request, int choice) {
        return request.scratch + BUCKETS + (long) choice * TableLayout.BUCKET_BYTES;
    }

    private static long entryAddress(Access access, int choice, int entry) {
        long bucket = access.table().layout().bucketOffset(access.keyHash(), choice);
        return access.table().address(access.node(), access.partition(), bucket + (long) entry * Memory.WORD_BYTES);
    }

    private static long tupleAddress(Access access, int choice, int entry) {
        long entryOffset = RemoteAddress.offset(entryAddress(access, choice, entry));
        TableLayout layout = access.table().layout();
        return access.table().address(access.node(), access.partition(), layout.tupleOfEntry(entryOffset));
    }
}
