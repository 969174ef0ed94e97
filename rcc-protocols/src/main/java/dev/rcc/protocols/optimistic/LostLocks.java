package dev.rcc.protocols.optimistic;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;

/**
 * Finds the locks that an attempt may hold without knowing it: those that it asked for on a node from which it got no answer. Once
 * the node can be reached again, the attempt reads the words that it may have locked; they say whose they are. What is its own is
 * entered in the write set, and the release stage drops it as any other.
 *
 * <p>What the lost requests were about to do has been done, or never will be, when the node answers a later one: fabrics promise that.
 */
final class LostLocks {
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Transaction txn;
    private final WriteSet writes;
    private final LockRules rules;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final PeerRetry.Debt findOn = this::findOn;
    private final int nodes;
    private boolean any;
    /** Room for a bucket of the index. */
    private long bucket;

    LostLocks(WorkerContext context, Transaction txn, WriteSet writes, LockRules rules) {
        this.endpoint = context.endpoint();
        this.buffers = context.buffers();
        this.txn = txn;
        this.writes = writes;
        this.rules = rules;
        this.retry = new PeerRetry(context, txn);
        this.word = new RemoteWord(context, txn);
        this.nodes = context.catalog().placement().nodes();
    }

    /** Requests for locks have failed: notes what on the nodes that were not reached is not known to be held. */
    void note() {
        for (int i = 0; i < writes.leaves(); i++) {
            LeafLock leaf = writes.leaf(i);
            boolean failed = !leaf.isHeld() && txn.completion().hasFailed(leaf.node());
            leaf.lost |= failed;
            any |= failed;
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            boolean failed = txn.completion().hasFailed(entry.access.node());
            entry.undoLost |= failed && entry.undoPosted;
            entry.lost |= failed;
            any |= failed;
        }
    }

    /** Finds all that was lost, as soon as its node can be reached; what is on nodes that are gone is gone with them. */
    void find() {
        if (!any) {
            return;
        }
        any = false;
        bucket = txn.buffer().allocate(TableLayout.BUCKET_BYTES);
        for (int node = 0; node < nodes; node++) {
            if (isLostOn(node)) {
                retry.settle(node, findOn);
            }
        }
        txn.buffer().giveBack(bucket);
    }

    private boolean isLostOn(int node) {
        for (int i = 0; i < writes.leaves(); i++) {
            if (writes.leaf(i).lost && writes.leaf(i).node() == node) {
                return true;
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            if (writes.entry(i).lost && writes.entry(i).access.node() == node) {
                return true;
            }
        }
        return false;
    }

    private boolean findOn(int node) {
        for (int i = 0; i < writes.leaves(); i++) {
            LeafLock leaf = writes.leaf(i);
            if (leaf.lost && leaf.node() == node && !findLeaf(leaf)) {
                return false;
            }
        }
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.lost && entry.access.node() == node && !findTuple(entry)) {
                return false;
            }
        }
        return true;
    }

    private boolean findLeaf(LeafLock leaf) {
        if (!word.read(leaf.address)) {
            return false;
        }
        if (rules.isHeldBy(word.found(), txn.id())) {
            leaf.held = word.found();
        }
        return true;
    }

    private boolean findTuple(WriteEntry entry) {
        if (entry.access.intent() == Intent.INSERT && !entry.access.exists()) {
            return !entry.leaf.isHeld() || findClaims(entry); // nothing is claimed below a leaf that is not held
        }
        return entry.isHeld() || findHeld(entry, entry.access.tupleAddress());
    }

    private boolean findHeld(WriteEntry entry, long tuple) {
        if (!word.read(tuple)) {
            return false;
        }
        if (rules.isHeldBy(word.found(), txn.id())) {
            entry.access.tupleAddress(tuple);
            entry.held = word.found();
        }
        return true;
    }

    /**
     * An entry that is reserved with the key's tag is the attempt's, as long as it holds the leaf. Its slot may be held or not; and
     * a slot may be held whose entry somebody else was faster to take.
     */
    private boolean findClaims(WriteEntry entry) {
        Access access = entry.access;
        if (entry.undoLost && !dropSlot(entry, entry.undoAddress)) {
            return false;
        }
        long reserved = IndexEntry.reserved(access.keyHash());
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            long offset = access.table().layout().bucketOffset(access.keyHash(), choice);
            long address = access.table().address(access.node(), access.partition(), offset);
            endpoint.batch(access.node())
                    .read(address, TableLayout.BUCKET_BYTES, bucket)
                    .post(txn.completion());
            if (!txn.completion().await()) {
                return false;
            }
            for (int i = 0; i < TableLayout.BUCKET_ENTRIES; i++) {
                boolean mine = buffers.getLong(bucket + (long) i * Memory.WORD_BYTES) == reserved;
                if (mine && !findClaim(entry, address + (long) i * Memory.WORD_BYTES)) {
                    return false;
                }
            }
        }
        boolean chosen = access.tupleAddress() != RemoteAddress.NONE && !entry.isHeld();
        return !chosen || dropSlot(entry, access.tupleAddress());
    }

    private boolean findClaim(WriteEntry entry, long entryAddress) {
        Access access = entry.access;
        TableLayout layout = access.table().layout();
        long slot = access.table()
                .address(access.node(), access.partition(), layout.tupleOfEntry(RemoteAddress.offset(entryAddress)));
        if (!entry.isHeld() && !findHeld(entry, slot)) {
            return false;
        }
        if (entry.isHeld() && access.tupleAddress() == slot) {
            entry.reserved = true;
            return true;
        }
        return word.cas(entryAddress, IndexEntry.reserved(access.keyHash()), IndexEntry.EMPTY);
    }

    /** Drops the lock of a slot whose entry somebody else has. */
    private boolean dropSlot(WriteEntry entry, long slot) {
        if (entry.isHeld() && entry.access.tupleAddress() == slot) {
            return true;
        }
        if (!word.read(slot)) {
            return false;
        }
        long found = word.found();
        return !rules.isHeldBy(found, txn.id()) || word.cas(slot, found, rules.released(found));
    }
}
