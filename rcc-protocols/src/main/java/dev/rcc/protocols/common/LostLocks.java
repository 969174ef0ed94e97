package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;

/**
 * Finds the locks that an attempt may hold without knowing it: those that it asked for on a node from which it got no answer. Once
 * the node can be reached again, the attempt reads the words that it may have locked. One that says that the attempt alone holds it is
 * entered in the {@link LockSet}, and the release stage drops it as any other. What a word does not say is for the {@link Holder} to
 * settle.
 *
 * <p>What the lost requests were about to do has been done, or never will be, when the node answers a later one: fabrics promise that.
 */
public final class LostLocks {
    private final Endpoint endpoint;
    private final Transaction txn;
    private final LockSet<?, ?> locks;
    private final Holder holder;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final IndexProbe index;
    private final PeerRetry.Debt findOn = this::findOn;
    private final int nodes;
    private boolean any;
    /** Room for copies of a key's buckets. */
    private long buckets;

    /** What lock words say to the attempt that looks for its locks. */
    public interface Holder {
        /** Whether a word says that the attempt holds the lock, and no other transaction. */
        boolean isOwn(long found);

        /** What the attempt leaves in such a word when it drops the lock. */
        long dropped(long found);

        /**
         * Sees to it that no lock is left behind at {@code address} whose word does not say that the attempt holds it.
         *
         * @return false if its node was not reached
         */
        default boolean settleOthers(long address) {
            return true;
        }

        /** Whether participants have looked up the keys of lost calls, so that the attempt does not know the tuples' addresses. */
        default boolean isLookedUpByParticipants() {
            return false;
        }

        /**
         * Sees to it that a lost call which still waits for a lock on {@code node} gets it no more.
         *
         * @return false if the node was not reached
         */
        default boolean endWaiting(int node) {
            return true;
        }
    }

    /** Finds those of {@code locks}, which are of {@code txn}'s coroutine. */
    public LostLocks(
            WorkerContext context,
            Transaction txn,
            LockSet<?, ?> locks,
            Holder holder,
            PeerRetry retry,
            RemoteWord word) {
        this.endpoint = context.endpoint();
        this.txn = txn;
        this.locks = locks;
        this.holder = holder;
        this.retry = retry;
        this.word = word;
        this.index = new IndexProbe(context.buffers());
        this.nodes = context.catalog().placement().nodes();
    }

    /** An attempt begins. */
    public void begin() {
        any = false;
    }

    /** A lock call has failed: notes which of the tuples from number {@code first} on, and of the pending leaves, it concerns. */
    public void lostCall(int first) {
        for (int i = first; i < locks.size(); i++) {
            if (!locks.entry(i).isHeld()) {
                lose(locks.entry(i));
            }
        }
        loseLeaves();
    }

    /** A round of one-sided locking has failed: notes as {@link #lostCall} what it concerns. */
    public void lostRound(int first) {
        for (int i = first; i < locks.size(); i++) {
            if (locks.entry(i).isPosted() || locks.entry(i).isUndoPosted()) {
                lose(locks.entry(i));
            }
        }
        loseLeaves();
    }

    private void lose(TupleLock tuple) {
        if (txn.completion().hasFailed(tuple.access().node())) {
            tuple.lose();
            any = true;
        }
    }

    private void loseLeaves() {
        for (int i = 0; i < locks.leaves(); i++) {
            LeafLock leaf = locks.leaf(i);
            if (leaf.isPending() && txn.completion().hasFailed(leaf.node())) {
                leaf.lost(true);
                any = true;
            }
        }
    }

    /**
     * Finds all that was lost, as soon as its node can be reached; what is on nodes that are gone is gone with them. Takes room in the
     * buffer for a while.
     */
    public void find() {
        if (!any) {
            return;
        }
        any = false;
        buckets = txn.buffer().allocate(IndexProbe.bytes(0));
        for (int node = 0; node < nodes; node++) {
            if (isLostOn(node)) {
                retry.settle(node, findOn);
            }
        }
        txn.buffer().giveBack(buckets);
    }

    private boolean isLostOn(int node) {
        for (int i = 0; i < locks.leaves(); i++) {
            if (locks.leaf(i).isLost() && locks.leaf(i).node() == node) {
                return true;
            }
        }
        for (int i = 0; i < locks.size(); i++) {
            if (locks.entry(i).isLost() && locks.entry(i).access().node() == node) {
                return true;
            }
        }
        return false;
    }

    private boolean findOn(int node) {
        boolean reached =
                word.read(RemoteAddress.of(node, Catalog.BUFFERS_REGION, 0)); // there may be nothing to look at
        if (!reached || !holder.endWaiting(node)) {
            return false;
        }
        for (int i = 0; i < locks.leaves(); i++) {
            LeafLock leaf = locks.leaf(i);
            if (leaf.isLost() && leaf.node() == node && !findLeaf(leaf)) {
                return false;
            }
        }
        for (int i = 0; i < locks.size(); i++) {
            TupleLock tuple = locks.entry(i);
            if (tuple.isLost() && tuple.access().node() == node && !find(tuple)) {
                return false;
            }
        }
        return true;
    }

    private boolean findLeaf(LeafLock leaf) {
        if (!word.read(leaf.address())) {
            return false;
        }
        if (holder.isOwn(word.found())) {
            leaf.hold(word.found());
            return true;
        }
        return leaf.isHeld() || holder.settleOthers(leaf.address());
    }

    /** What the attempt was about to lock, or to unlock, itself; then what a participant may have locked for it. */
    private boolean find(TupleLock tuple) {
        Access access = tuple.access();
        if (access.tupleAddress() != RemoteAddress.NONE && !findAt(tuple, access.tupleAddress())) {
            return false;
        }
        boolean mayHoldAnother =
                tuple.isUndoLost() && tuple.undoAddress() != RemoteAddress.NONE; // else only an entry was to be freed
        if (mayHoldAnother && !drop(tuple.undoAddress())) {
            return false;
        }
        boolean byParticipant = holder.isLookedUpByParticipants();
        boolean mayHaveReserved =
                access.declaredIntent() == Intent.INSERT && locks.leafOf(access).isHeldAlone();
        return !(byParticipant || mayHaveReserved) || findByIndex(tuple, byParticipant, mayHaveReserved);
    }

    /** In all segments: which of them are in use is no matter, as the others are empty. */
    private boolean findByIndex(TupleLock tuple, boolean byParticipant, boolean mayHaveReserved) {
        for (int segment = 0; segment <= tuple.access().table().layout().segments(); segment++) {
            if (!findInSegment(segment, tuple, byParticipant, mayHaveReserved)) {
                return false;
            }
        }
        return true;
    }

    private boolean findInSegment(int segment, TupleLock tuple, boolean byParticipant, boolean mayHaveReserved) {
        Access access = tuple.access();
        long copies = buckets - (long) segment * IndexProbe.bytes(0); // where those of the first part would be
        int first = segment * TableLayout.CHOICES;
        Batch batch = endpoint.batch(access.node());
        IndexProbe.read(batch, access, first, first + TableLayout.CHOICES, copies);
        batch.post(txn.completion());
        if (!txn.completion().await()) {
            return false;
        }
        int start = first * TableLayout.BUCKET_ENTRIES;
        int end = start + TableLayout.CHOICES * TableLayout.BUCKET_ENTRIES;
        long live = IndexEntry.live(access.keyHash());
        for (int place = index.next(copies, start, end, live);
                byParticipant && place != IndexProbe.NOWHERE;
                place = index.next(copies, place + 1, end, live)) {
            if (!findAt(tuple, IndexProbe.tupleAddress(access, place))) {
                return false;
            }
        }
        long reserved = IndexEntry.reserved(access.keyHash());
        for (int place = index.next(copies, start, end, reserved);
                mayHaveReserved && place != IndexProbe.NOWHERE;
                place = index.next(copies, place + 1, end, reserved)) {
            if (!findReserved(tuple, place)) {
                return false;
            }
        }
        return true;
    }

    private boolean findAt(TupleLock tuple, long address) {
        if (isHeldAt(address)) {
            return true;
        }
        if (!word.read(address)) {
            return false;
        }
        if (holder.isOwn(word.found())) {
            tuple.access().tupleAddress(address);
            tuple.hold(word.found());
            return true;
        }
        return holder.settleOthers(address);
    }

    /**
     * An entry that is reserved with the key's tag is the attempt's, as long as it holds the leaf. Its slot may be held or not: one without
     * its slot is freed here, one with it by the release stage.
     */
    private boolean findReserved(TupleLock tuple, int place) {
        Access access = tuple.access();
        long slot = IndexProbe.tupleAddress(access, place);
        if (!tuple.isHeld() && !findAt(tuple, slot)) {
            return false;
        }
        if (tuple.isHeld() && access.tupleAddress() == slot) {
            tuple.reserved(true);
            return true;
        }
        return word.cas(
                IndexProbe.entryAddress(access, place), IndexEntry.reserved(access.keyHash()), IndexEntry.EMPTY);
    }

    /** Drops a lock that is on no key of the attempt's. */
    private boolean drop(long address) {
        if (isHeldAt(address)) {
            return true;
        }
        if (!word.read(address)) {
            return false;
        }
        long found = word.found();
        return holder.isOwn(found) ? word.cas(address, found, holder.dropped(found)) : holder.settleOthers(address);
    }

    /** Whether the attempt knows already that it holds a tuple. */
    private boolean isHeldAt(long address) {
        for (int i = 0; i < locks.size(); i++) {
            if (locks.entry(i).isHeld() && locks.entry(i).access().tupleAddress() == address) {
                return true;
            }
        }
        return false;
    }
}
