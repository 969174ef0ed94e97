package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.EmptyCall;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.common.LockAcquisition;
import dev.rcc.protocols.common.LockAcquisition.Progress;
import dev.rcc.protocols.common.LockAndVersion;
import dev.rcc.protocols.common.LockTry;
import dev.rcc.protocols.common.LostLocks;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.common.RemoteWord;
import dev.rcc.protocols.optimistic.WriteEntry.Step;

/**
 * The lock stage: locks the write set, and makes sure that each locked tuple or leaf still is as it was read. An update locks its tuple; an insert
 * locks the key's leaf, claims an index entry and locks its slot; a delete locks its tuple and the key's leaf. A tuple or leaf whose version is the
 * fetched one has not changed; under an unchanged leaf that is locked, a key that was missing still is. A blind write locks its tuple as an update
 * does, but accepts any version, as long as the tuple is still the key's.
 *
 * <p>A lock that another transaction holds is a conflict: the attempt aborts, or the protocol's {@link LockRules#conflict} lets it wait. Then the
 * coordinator looks again after a growing pause, for a limited time, and only as long as the record that it has read is there; so every wait
 * has an end. Locks taken before a conflict stay recorded in the write set for the release stage; a claim that failed is undone here.
 *
 * <p>One-sided, the leaves and tuples are locked in one round (a try of each {@link LockAcquisition}, such as a CAS, then READ of the versions, in
 * one batch to each node), in which inserts READ their buckets; a second round claims entries and slots. More rounds are needed where another
 * transaction was faster without being a conflict.
 */
public final class Locking {
    /** CAS retries on words that changed without being locked, and on entries that other transactions claimed. */
    private static final int MAX_RETRIES = 64;
    /** How long a lock stage waits in all before it gives up. */
    private static final long PATIENCE_NANOS = 5_000_000;

    private static final long FIRST_PAUSE_NANOS = 5_000;
    private static final long MAX_PAUSE_NANOS = 200_000;

    // The scratch of an entry or leaf: results of two CAS, the version (and a leaf's depth), buckets of an insert.
    private static final int LOCK_RESULT = 0;
    private static final int ENTRY_RESULT = 8;
    private static final int VERSION = 16;
    private static final int BUCKETS = VERSION + IndexProbe.LEAF_STATE_BYTES;

    private final Transaction txn;
    private final WriteSet writes;
    private final LockRules rules;
    private final Primitive primitive;
    private final Memory buffers;
    private final AddressCache addresses;
    private final Batches batches;
    private final Calls calls;
    private final IndexProbe probe;
    private final LostLocks lost;
    private final EmptyCall laterCall;
    private final LockAcquisition acquisition;
    private final AbortReasons reasons;
    private final int otherMetadataBytes;
    /** Whether the attempt waits for some lock of the round that has ended. */
    private boolean waiting;
    /** A hash of the words of the locks that it waits for. */
    private long holders;

    private long holdersBefore;
    private long waitsSinceNanos;
    /** The pause before the next look; 0 if it has not waited yet. */
    private long pauseNanos;

    /** The lock stage of a coroutine's transaction. */
    public Locking(StageContext context, Primitive primitive, LockTime time) {
        WorkerContext worker = context.worker();
        this.txn = context.txn();
        this.writes = context.writes();
        this.rules = context.rules();
        this.primitive = primitive;
        this.buffers = worker.buffers();
        this.addresses = worker.addresses();
        this.batches = context.batches();
        this.calls = context.calls();
        this.probe = new IndexProbe(buffers);
        this.lost = new LostLocks(
                worker,
                txn,
                writes,
                new Holder(time.mayBeAccess() && primitive == Primitive.RPC),
                new PeerRetry(worker, txn),
                new RemoteWord(worker, txn));
        this.laterCall = new EmptyCall(worker, txn, OptimisticParticipant.FINISH);
        this.acquisition = rules.acquisition(buffers, txn);
        this.reasons = worker.abortReasons();
        this.otherMetadataBytes = rules.metadataBytes() - Memory.WORD_BYTES;
    }

    /** Whether locks are requested by RPC. */
    boolean isByRpc() {
        return primitive == Primitive.RPC;
    }

    /**
     * Locks the tuples and leaves of the write set that are wanted and not held.
     *
     * @return true if all are locked, and each is as it was read or is to be fetched again; false if the attempt must abort, with the reason set
     */
    public boolean lock() {
        if (writes.isEmpty()) {
            return true;
        }
        waiting = false;
        holders = 0;
        pauseNanos = 0;
        allocate();
        if (primitive == Primitive.RPC) {
            lockByRpc();
        } else {
            lockOneSided();
        }
        if (txn.abortReason() == null) {
            checkLeaves();
        }
        return txn.abortReason() == null;
    }

    /** An attempt begins. */
    public void begin() {
        lost.begin();
    }

    /** A call that locks the entries from number {@code first} on has failed: its locks are found before the release stage. */
    void lostCall(int first) {
        lost.lostCall(first);
    }

    /**
     * Finds, before the release stage, the locks on nodes that have not answered, and waits until these can be reached. Takes room in the buffer for
     * a while.
     */
    public void findLost() {
        lost.find();
    }

    /** A lock word identifies its holder; a tuple that was locked by its key may be anywhere. */
    private final class Holder implements LostLocks.Holder {
        private final boolean isLookedUpByParticipants;

        Holder(boolean isLookedUpByParticipants) {
            this.isLookedUpByParticipants = isLookedUpByParticipants;
        }

        @Override
        public boolean isOwn(long found) {
            return rules.isHeldBy(found, txn.id());
        }

        @Override
        public long dropped(long found) {
            return rules.released(found);
        }

        @Override
        public boolean isLookedUpByParticipants() {
            return isLookedUpByParticipants;
        }

        @Override
        public boolean endCalls(int node) {
            return !isByRpc() || laterCall.await(node, txn.id());
        }
    }

    private void allocate() {
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            if (leaf.isHeld()) {
                continue;
            }
            leaf.metadataOffset = txn.buffer().allocate(rules.metadataBytes());
            if (primitive == Primitive.ONE_SIDED) {
                leaf.scratch = txn.buffer().allocate(BUCKETS);
                begin(leaf, 0); // the transaction has not read the leaf of a key to be deleted
            }
        }
        for (int i = 0; i < writes.size() && primitive == Primitive.ONE_SIDED; i++) {
            WriteEntry entry = writes.entry(i);
            if (!entry.isOpen()) {
                continue;
            }
            boolean inserts = entry.step == Step.READ_BUCKETS;
            int depth = addresses.depth(entry.access().table().id());
            entry.scratch = txn.buffer().allocate(inserts ? BUCKETS + IndexProbe.bytes(depth) : BUCKETS);
            if (inserts) {
                entry.buckets.place(entry.scratch + BUCKETS, depth);
                entry.buckets.depth(depth);
                begin(entry.leaf, entry.read.lockWord);
            } else {
                begin(entry, entry.read.lockWord);
            }
        }
    }

    private static void begin(WriteLeaf leaf, long seen) {
        leaf.lock.begin(leaf.address(), LockTry.Wish.EXCLUSIVE, seen, leaf.scratch + LOCK_RESULT);
    }

    private static void begin(WriteEntry entry, long seen) {
        entry.lock.begin(entry.access().tupleAddress(), LockTry.Wish.EXCLUSIVE, seen, entry.scratch + LOCK_RESULT);
    }

    /** A tuple, or an insert's slot, is locked. */
    private void locked(WriteEntry entry, long held, long version) {
        entry.held = held;
        if (entry.isReserved()) {
            entry.access().slotVersion(version);
        } else if (entry.access().isBlind()) {
            entry.access().slotVersion(version);
        } else if (version != entry.read.version) {
            outdated(entry);
        }
    }

    /** A locked tuple or leaf is not as it was read any more. If the procedure has not seen it, this is no conflict: it is fetched again. */
    private void outdated(WriteEntry entry) {
        if (entry.shown) {
            txn.abort(ConflictReasons.VALIDATION_FAILED);
        } else {
            entry.outdated = true;
        }
    }

    private void checkLeaves() {
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.leaf != null && entry.access().exists()) {
                entry.access().leafVersion(entry.leaf.version());
            } else if (entry.leaf != null && entry.leaf.version() != entry.read.version) {
                outdated(entry);
            }
        }
    }

    /**
     * A lock is held: aborts, or notes that the attempt waits for the holder. If this attempt is the holder, it aborts: a record was deleted since it
     * was read, and its slot is now that of a record which the attempt inserts.
     *
     * @param entry the entry whose lock it is, or null for a leaf's
     * @param version what was found behind the lock: to wait for a record that has changed since it was read is in vain
     */
    private void conflict(long word, long holderAge, WriteEntry entry, long version) {
        boolean isOwn = rules.isHeldBy(word, txn.id());
        AbortReason reason = isOwn ? ConflictReasons.VALIDATION_FAILED : rules.conflict(word, holderAge, txn.age());
        if (reason != null) {
            txn.abort(reason);
        } else if (entry != null && entry.shown && entry.hasReadRecord() && version != entry.read.version) {
            txn.abort(ConflictReasons.VALIDATION_FAILED);
        } else {
            waiting = true;
            holders = holders * 31 + word;
        }
    }

    /**
     * Sleeps if a lock of the round that has ended is to be waited for; true if there is a next round. Pauses grow as long as the holders stay the
     * same. If a lock has changed hands meanwhile, the next pause is short again: otherwise transactions that have just come would always be faster
     * than one that has waited long.
     */
    private boolean waitForHolders() {
        if (!waiting || txn.abortReason() != null) {
            return false;
        }
        waiting = false;
        Worker worker = txn.coroutine().worker();
        if (pauseNanos == 0) {
            waitsSinceNanos = worker.nanoTime();
        } else if (worker.nanoTime() - waitsSinceNanos > PATIENCE_NANOS) {
            txn.abort(ConflictReasons.WAIT_TIMEOUT);
            return false;
        }
        boolean sameHolders = pauseNanos > 0 && holders == holdersBefore;
        pauseNanos = sameHolders ? Math.min(2 * pauseNanos, MAX_PAUSE_NANOS) : FIRST_PAUSE_NANOS;
        holdersBefore = holders;
        holders = 0;
        txn.coroutine().sleep(pauseNanos);
        return true;
    }

    // ---- by RPC ----------------------------------------------------------------------------------------------------

    private void lockByRpc() {
        long messages = txn.buffer().allocate(0);
        do {
            callForLocks();
            txn.buffer().giveBack(messages);
        } while (waitForHolders());
    }

    private void callForLocks() {
        int replyBytes = LockMessage.replyBytes(rules.metadataBytes());
        for (int i = 0; i < writes.leaves(); i++) {
            if (!writes.leaf(i).isHeld()) {
                calls.measure(writes.leaf(i).node(), LockMessage.requestBytes(LockMessage.LEAF, null), replyBytes);
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            if (writes.entry(i).isOpen()) {
                Access access = writes.entry(i).access();
                calls.measure(access.node(), LockMessage.requestBytes(kind(access), access.layout()), replyBytes);
            }
        }
        calls.begin(rules.agesHolders() ? txn.age() : txn.id());
        for (int i = 0; i < writes.leaves(); i++) {
            writes.leaf(i).pending(!writes.leaf(i).isHeld());
            if (writes.leaf(i).isPending()) {
                long item = calls.item(writes.leaf(i).node(), LockMessage.requestBytes(LockMessage.LEAF, null));
                LockMessage.encode(
                        buffers, item, LockMessage.LEAF, writes.leaf(i).address());
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            Access access = writes.entry(i).access();
            if (!writes.entry(i).isOpen()) {
                continue;
            }
            int kind = kind(access);
            long item = calls.item(access.node(), LockMessage.requestBytes(kind, access.layout()));
            if (kind == LockMessage.RESERVE) {
                int region = access.table().region(access.partition());
                LockMessage.encode(buffers, item, kind, region, access.keyHash());
            } else {
                LockMessage.encode(buffers, item, kind, access.tupleAddress());
            }
            if (kind == LockMessage.TUPLE_OF_KEY) {
                LockMessage.encodeIdentity(buffers, item, access);
            }
        }
        if (!calls.callAndAwait(OptimisticParticipant.LOCK, txn.completion())) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
            lost.lostCall(0);
        }
        for (int i = 0; i < calls.targets(); i++) {
            readReply(calls.target(i), replyBytes);
        }
        calls.clear();
    }

    private static int kind(Access access) {
        if (!access.exists()) {
            return LockMessage.RESERVE;
        }
        return access.isBlind() ? LockMessage.TUPLE_OF_KEY : LockMessage.TUPLE;
    }

    /** Takes in a participant's results; if it was not reached, they are lost, and the reply has no items. */
    private void readReply(int node, int replyBytes) {
        long reply = calls.replyOffset(node);
        int served = (int) buffers.getLong(reply);
        long item = reply + Memory.WORD_BYTES;
        for (int i = 0; i < writes.leaves() && served > 0; i++) {
            if (writes.leaf(i).node() == node && !writes.leaf(i).isHeld()) {
                decode(item, writes.leaf(i));
                item += replyBytes;
                served--;
            }
        }
        for (int i = 0; i < writes.size() && served > 0; i++) {
            if (writes.entry(i).access().node() == node && writes.entry(i).isOpen()) {
                decode(item, writes.entry(i));
                item += replyBytes;
                served--;
            }
        }
    }

    private void decode(long item, WriteLeaf leaf) {
        if (succeeded(item, null)) {
            leaf.held = LockMessage.held(buffers, item);
            leaf.version(LockMessage.version(buffers, item));
            copyOtherMetadata(item, leaf.metadataOffset);
        }
    }

    private void decode(long item, WriteEntry entry) {
        if (succeeded(item, entry)) {
            Access access = entry.access();
            if (!access.exists()) {
                entry.reserved(true);
                access.tupleAddress(
                        access.table().address(access.node(), access.partition(), LockMessage.offset(buffers, item)));
            }
            copyOtherMetadata(item, access.imageOffset());
            locked(entry, LockMessage.held(buffers, item), LockMessage.version(buffers, item));
        }
    }

    private boolean succeeded(long item, WriteEntry entry) {
        int result = LockMessage.result(buffers, item);
        switch (result) {
            case LockMessage.LOCKED -> {
                return true;
            }
            case LockMessage.LOCKED_ANOTHER -> {
                txn.abort(ConflictReasons.VALIDATION_FAILED);
                return true;
            }
            case LockMessage.TAKEN -> {
                long age = otherMetadataBytes > 0 ? buffers.getLong(LockMessage.metadataOffset(item)) : 0;
                conflict(LockMessage.held(buffers, item), age, entry, LockMessage.version(buffers, item));
            }
            default -> txn.abort(Refusal.reason(result, reasons));
        }
        return false;
    }

    private void copyOtherMetadata(long item, long target) {
        buffers.copy(LockMessage.metadataOffset(item), buffers, target + Memory.WORD_BYTES, otherMetadataBytes);
    }

    // ---- one-sided -------------------------------------------------------------------------------------------------

    private void lockOneSided() {
        while (postRound()) {
            if (!txn.completion().await()) {
                txn.abort(AbortReason.PEER_UNREACHABLE);
                lost.lostRound(0);
            }
            for (int i = 0; i < writes.leaves(); i++) {
                if (writes.leaf(i).isPending() && !writes.leaf(i).isLost()) {
                    takeIn(writes.leaf(i));
                }
            }
            for (int i = 0; i < writes.size(); i++) {
                if (writes.entry(i).isPosted() && !writes.entry(i).isLost()) {
                    takeIn(writes.entry(i));
                }
            }
            tellAge();
            waitForHolders();
        }
    }

    /**
     * Writes the age for the transactions that meet the locks, unless the attempt is about to drop them. No transaction waits for this batch: the
     * next await, be it another stage's, collects it, and one comes before the locks are dropped ({@link Finishing#finish}).
     */
    private void tellAge() {
        if (!rules.agesHolders() || txn.abortReason() != null) {
            return;
        }
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            if (leaf.isHeld() && !leaf.aged && !isBesideNextDepth(leaf)) {
                batches.to(leaf.node()).writeWord(txn.age(), leaf.address() + Memory.WORD_BYTES);
                leaf.aged = true;
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.isHeld() && !entry.aged) {
                batches.to(entry.access().node())
                        .writeWord(txn.age(), entry.access().tupleAddress() + Memory.WORD_BYTES);
                entry.aged = true;
            }
        }
        batches.postAtOnce(txn.completion());
    }

    /**
     * Whether the next round writes a depth to the leaf's cache line, its own or a neighbour's: the batch that writes its age has no order with that
     * round's batch, and is to come after it.
     */
    private boolean isBesideNextDepth(WriteLeaf leaf) {
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.step == Step.RESERVE
                    && entry.leaf.isHeld()
                    && segment(entry.access()) > entry.leaf.depth()
                    && LockAndVersion.inOneLine(entry.leaf.address(), leaf.address())) {
                return true;
            }
        }
        return false;
    }

    /** The overflow segment of the slot that an insert has chosen, or 0. */
    private static int segment(Access access) {
        return access.table().layout().segmentOf(RemoteAddress.offset(access.tupleAddress()));
    }

    private boolean postRound() {
        boolean aborting = txn.abortReason() != null;
        boolean any = false;
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            leaf.pending(!aborting && !leaf.isHeld());
            if (leaf.isPending()) {
                acquisition.append(batches, leaf.lock);
                any = true;
            } else if (aborting && leaf.lock.isOpen()) {
                any |= acquisition.leave(batches, leaf.lock);
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            entry.undoPosted(appendUndo(entry, aborting));
            any |= entry.isUndoPosted();
            boolean leaving = appendLeave(entry, aborting);
            any |= leaving;
            entry.posted(!aborting && !leaving && appendAtomics(entry));
            any |= entry.isPosted();
        }
        appendReads();
        if (any) {
            batches.post(txn.completion());
        }
        return any;
    }

    /** Leaves a lock that is not wanted any more: an open one if the attempt aborts, or that of a slot whose entry another transaction has. */
    private boolean appendLeave(WriteEntry entry, boolean aborting) {
        boolean unwanted = aborting || entry.step == Step.READ_BUCKETS;
        return unwanted && entry.lock.isOpen() && acquisition.leave(batches, entry.lock);
    }

    /** Undoes a slot without its entry or, if the attempt aborts, an entry without its slot. */
    private boolean appendUndo(WriteEntry entry, boolean aborting) {
        boolean slot = entry.undoHeld != LockRules.NOT_HELD;
        boolean index = aborting && entry.isReserved() && !entry.isHeld();
        if (slot) {
            batches.to(entry.access().node()).writeWord(rules.released(entry.undoHeld), entry.undoAddress());
            entry.undoHeld = LockRules.NOT_HELD;
        }
        if (index) {
            batches.to(entry.access().node()).writeWord(IndexEntry.EMPTY, IndexProbe.entryOfTuple(entry.access()));
            entry.reserved(false);
        }
        return slot || index;
    }

    /** Appends the atomics of an entry's step, if it has any; false if it is done, or has to sit this round out. */
    private boolean appendAtomics(WriteEntry entry) {
        Access access = entry.access();
        switch (entry.step) {
            case LOCK_TUPLE -> acquisition.append(batches, entry.lock);
            case READ_BUCKETS -> {}
            case RESERVE -> {
                if (!entry.leaf.isHeld()) {
                    return false;
                }
                buffers.putLong(entry.scratch + ENTRY_RESULT, LockRules.NO_WORD);
                Batch batch = batches.to(access.node());
                IndexProbe.deepen(batch, access, entry.leaf, segment(access));
                batch.cas(
                        IndexProbe.entryOfTuple(access),
                        IndexEntry.EMPTY,
                        IndexEntry.reserved(access.keyHash()),
                        entry.scratch + ENTRY_RESULT);
                acquisition.append(batches, entry.lock);
            }
            case DONE -> {
                return false;
            }
        }
        return true;
    }

    /** Appends the READs of the whole round, after its atomics: no atomic has to wait for a READ. */
    private void appendReads() {
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            if (leaf.isPending()) {
                readOtherMetadata(leaf.address(), leaf.metadataOffset);
                leaf.readState(batches.to(leaf.node()), leaf.scratch + VERSION);
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            Access access = entry.access();
            if (entry.isPosted() && entry.step == Step.READ_BUCKETS) {
                entry.buckets.readAll(batches.to(access.node()), access);
            } else if (entry.isPosted() && access.isBlind()) {
                readLockedBlindly(entry, batches.to(access.node()));
            } else if (entry.isPosted()) {
                readOtherMetadata(access.tupleAddress(), access.imageOffset());
                long version = access.tupleAddress() + access.layout().versionOffset();
                batches.to(access.node()).read(version, Memory.WORD_BYTES, entry.scratch + VERSION);
            }
        }
    }

    /** Reads all bytes before the record, and the record for a protocol that keeps the replaced one. */
    private void readLockedBlindly(WriteEntry entry, Batch batch) {
        Access access = entry.access();
        TupleLayout t = access.layout();
        batch.read(
                access.tupleAddress() + Memory.WORD_BYTES,
                t.contentOffset() - Memory.WORD_BYTES,
                access.imageOffset() + Memory.WORD_BYTES);
        if (entry.replacedRecord != WriteEntry.NOT_KEPT) {
            batch.read(access.tupleAddress() + t.recordOffset(), t.recordBytes(), entry.replacedRecord);
        }
    }

    private void readOtherMetadata(long address, long target) {
        if (otherMetadataBytes > 0) {
            batches.to(RemoteAddress.node(address))
                    .read(address + Memory.WORD_BYTES, otherMetadataBytes, target + Memory.WORD_BYTES);
        }
    }

    private void takeIn(WriteLeaf leaf) {
        Progress progress = acquisition.takeIn(leaf.lock);
        if (progress == Progress.HELD) {
            leaf.held = leaf.lock.held();
            leaf.takeInState(buffers, leaf.scratch + VERSION);
        } else {
            retry(progress, leaf.lock, null, leaf.metadataOffset, leaf.scratch);
        }
    }

    private void takeIn(WriteEntry entry) {
        switch (entry.step) {
            case LOCK_TUPLE -> takeInLock(entry, acquisition.takeIn(entry.lock));
            case READ_BUCKETS -> takeInBuckets(entry);
            case RESERVE -> takeInReservation(entry);
            case DONE -> throw new IllegalStateException("nothing was posted");
        }
    }

    private void takeInLock(WriteEntry entry, Progress progress) {
        Access access = entry.access();
        if (progress == Progress.HELD) {
            boolean blind = access.isBlind();
            long version = blind
                    ? buffers.getLong(access.imageOffset() + access.layout().versionOffset())
                    : buffers.getLong(entry.scratch + VERSION);
            entry.step = Step.DONE;
            locked(entry, entry.lock.held(), version);
            if (blind && !access.imageHasIdentity()) {
                txn.abort(ConflictReasons.VALIDATION_FAILED);
            }
        } else {
            retry(progress, entry.lock, entry, access.imageOffset(), entry.scratch);
        }
    }

    private void takeInBuckets(WriteEntry entry) {
        if (txn.abortReason() != null) {
            return; // the buckets may not have arrived
        }
        int place = entry.buckets.chooseEmpty(probe);
        if (place == IndexProbe.NOWHERE) {
            overflow(entry.access().table(), entry.buckets.depth());
        } else {
            entry.access().tupleAddress(IndexProbe.tupleAddress(entry.access(), place));
            begin(entry, 0);
            entry.step = Step.RESERVE;
        }
    }

    /** A key finds no room in {@code depth} segments: the next attempt has room for copies of one more, if there is one. */
    private void overflow(Table table, int depth) {
        if (depth < table.layout().segments()) {
            addresses.deepen(table.id(), depth + 1);
            txn.abort(AbortReason.INDEX_CHANGED);
        } else {
            txn.abort(AbortReason.TABLE_FULL);
        }
    }

    private void takeInReservation(WriteEntry entry) {
        Progress slot = acquisition.takeIn(entry.lock);
        if (buffers.getLong(entry.scratch + ENTRY_RESULT) == IndexEntry.EMPTY) {
            entry.reserved(true);
            entry.step = Step.LOCK_TUPLE; // the step that is left, if a transaction with an old address holds the slot
            takeInLock(entry, slot);
            return;
        }
        if (slot == Progress.HELD) {
            entry.undoAddress(entry.access().tupleAddress());
            entry.undoHeld = entry.lock.held();
        }
        entry.step = Step.READ_BUCKETS; // another transaction took the entry
        countRetry(entry.lock);
    }

    private void retry(Progress progress, LockTry lock, WriteEntry entry, long metadata, long scratch) {
        if (progress == Progress.AGAIN) {
            countRetry(lock);
            return;
        }
        long age = otherMetadataBytes > 0 ? buffers.getLong(metadata + Memory.WORD_BYTES) : 0;
        conflict(lock.seen(), age, entry, buffers.getLong(scratch + VERSION));
    }

    private void countRetry(LockTry lock) {
        if (lock.countRetry() > MAX_RETRIES) {
            txn.abort(AbortReason.LOCK_CONFLICT);
        }
    }
}
