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
 * Finds the locks that an attempt may hold without a record of them: it requested them on a node that has not answered. Once the node can
 * be reached again, the attempt reads the words that it may have locked. A lock whose word shows that the attempt alone holds it is entered
 * in the {@link LockSet}, and the release stage drops it as any other. The {@link Holder} settles a lock whose word does not show that.
 *
 * <p>When the node answers a later request, the lost requests have been carried out or never will be: fabrics promise that, but of a lost call only
 * when the node answers a later call ({@link Holder#endCalls}).
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

    /** The meaning of lock words for the attempt that looks for its locks. */
    public interface Holder {
        /** Whether a word shows that the attempt holds the lock, and no other transaction does. */
        boolean isOwn(long found);

        /** The word that the attempt leaves in place of such a word when it drops the lock. */
        long dropped(long found);

        /**
         * Makes sure that no lock is left behind at {@code address} whose word does not show that the attempt holds it.
         *
         * @return false if its node was not reached
         */
        default boolean settleOthers(long address) {
            return true;
        }

        /** Whether participants have looked up the keys of lost calls, so that the attempt does not have the tuples' addresses. */
        default boolean isLookedUpByParticipants() {
            return false;
        }

        /**
         * Makes sure that a lost call takes no lock on {@code node} any more, whether it waits for the lock or is still to be served.
         *
         * @return false if the node was not reached
         */
        boolean endCalls(int node);
    }

    /** Finds the lost locks among {@code locks}, the locks of {@code txn}'s coroutine. */
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

    /** A lock call has failed: notes the tuples from number {@code first} on, and the pending leaves, that it concerns. */
    public void lostCall(int first) {
        for (int i = first; i < locks.size(); i++) {
            if (!locks.entry(i).isHeld()) {
                lose(locks.entry(i));
            }
        }
        loseLeaves();
    }

    /** A round of one-sided locking has failed: notes the tuples and leaves that it concerns, as {@link #lostCall}. */
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
     * Finds all lost locks, each as soon as its node can be reached; locks on nodes that are gone are gone with them. Takes room in the
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
        if (!reached || !holder.endCalls(node)) {
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

    /** Finds a lock that the attempt was about to take, or to drop, itself; then a lock that a participant may have taken for it. */
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

    /** Looks in all segments, whether they are in use or not: unused segments are empty. */
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
     * An entry that is reserved with the key's tag is the attempt's, as long as it holds the leaf. Its slot may be held or not. An entry
     * whose slot is not held is freed here; the release stage frees an entry whose slot is held.
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

    /** Drops a lock that is on none of the attempt's keys. */
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

    /** Whether the attempt has already recorded that it holds the tuple at an address. */
    private boolean isHeldAt(long address) {
        for (int i = 0; i < locks.size(); i++) {
            if (locks.entry(i).isHeld() && locks.entry(i).access().tupleAddress() == address) {
                return true;
            }
        }
        return false;
    }
}
