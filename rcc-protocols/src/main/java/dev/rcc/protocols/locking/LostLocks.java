package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.PeerRetry;
import dev.rcc.protocols.common.RemoteWord;

/**
 * Finds the locks that an attempt may hold without knowing it: those that it asked for on a node from which it got no answer. Once
 * the node can be reached again, the attempt reads the words that it may have locked. An exclusive lock says whose it is, so it is
 * entered in {@link HeldLocks}, and the release stage drops it as any other. A shared lock does not: {@link SharedDoubt}.
 *
 * <p>What the lost requests were about to do has been done, or never will be, when the node answers a later one: fabrics promise that.
 */
final class LostLocks {
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Transaction txn;
    private final HeldLocks locks;
    private final boolean byRpc;
    private final PeerRetry retry;
    private final RemoteWord word;
    private final SharedDoubt doubt;
    private final PeerRetry.Debt findOn = this::findOn;
    private final int nodes;
    private final long endRequest;
    private boolean any;
    /** Room for a bucket of the index. */
    private long bucket;

    LostLocks(
            WorkerContext context,
            Transaction txn,
            HeldLocks locks,
            boolean byRpc,
            PeerRetry retry,
            RemoteWord word,
            SharedDoubt doubt) {
        this.endpoint = context.endpoint();
        this.buffers = context.buffers();
        this.txn = txn;
        this.locks = locks;
        this.byRpc = byRpc;
        this.retry = retry;
        this.word = word;
        this.doubt = doubt;
        this.nodes = context.shape().nodes();
        this.endRequest = txn.buffer().keep(Calls.HEADER_BYTES);
    }

    /** An attempt begins. */
    void begin() {
        any = false;
    }

    /** A lock call has failed: notes which of the requests from number {@code first} on it concerns. */
    void lostCall(int first) {
        for (int i = first; i < locks.requests(); i++) {
            lose(locks.request(i));
        }
    }

    /** A round of one-sided locking has failed: notes which of the requests from number {@code first} on it concerns. */
    void lostRound(int first) {
        for (int i = first; i < locks.requests(); i++) {
            LockRequest request = locks.request(i);
            if (request.posted || request.undoPosted) {
                lose(request);
            }
        }
    }

    private void lose(LockRequest request) {
        if (txn.completion().hasFailed(request.access.node())) {
            request.lost = true;
            request.undoLost |= request.undoPosted;
            any = true;
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
        for (int i = 0; i < locks.requests(); i++) {
            if (locks.request(i).lost && locks.request(i).access.node() == node) {
                return true;
            }
        }
        return false;
    }

    private boolean findOn(int node) {
        if (byRpc && !endWaiting(node)) {
            return false;
        }
        for (int i = 0; i < locks.requests(); i++) {
            LockRequest request = locks.request(i);
            boolean here = request.lost && request.access.node() == node;
            if (here && !(findLeaf(request) && (byRpc ? findByIndex(request) : findByAddress(request)))) {
                return false;
            }
        }
        return true;
    }

    /** Should a lost call still wait for a lock there, it gets it no more. */
    private boolean endWaiting(int node) {
        buffers.putLong(endRequest, 0);
        buffers.putLong(endRequest + Memory.WORD_BYTES, locks.owner());
        endpoint.call(node, LockingParticipant.FINISH, endRequest, Calls.HEADER_BYTES, endRequest, 0, txn.completion());
        return txn.completion().await();
    }

    private boolean findLeaf(LockRequest request) {
        LeafLock leaf = locks.leafOf(request.access);
        if (!word.read(leaf.address)) {
            return false;
        }
        if (word.found() == locks.owner()) {
            leaf.mode = LockMode.EXCLUSIVE;
            return true;
        }
        return leaf.mode != LockMode.NONE || doubt.look(leaf.address);
    }

    /** Where a participant has looked the key up: all entries of its buckets that may be the key's. */
    private boolean findByIndex(LockRequest request) {
        Access access = request.access;
        Table table = access.table();
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            long offset = table.layout().bucketOffset(access.keyHash(), choice);
            long address = table.address(access.node(), access.partition(), offset);
            endpoint.batch(access.node())
                    .read(address, TableLayout.BUCKET_BYTES, bucket)
                    .post(txn.completion());
            if (!txn.completion().await()) {
                return false;
            }
            for (int i = 0; i < TableLayout.BUCKET_ENTRIES; i++) {
                long entry = address + (long) i * Memory.WORD_BYTES;
                long content = buffers.getLong(bucket + (long) i * Memory.WORD_BYTES);
                boolean reserved = content == IndexEntry.reserved(access.keyHash());
                if ((reserved || content == IndexEntry.live(access.keyHash()))
                        && !findTuple(request, tupleOf(access, entry), reserved)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What the attempt was about to lock, or to unlock, itself. */
    private boolean findByAddress(LockRequest request) {
        Access access = request.access;
        if (access.tupleAddress() != RemoteAddress.NONE && !findTuple(request, access.tupleAddress(), false)) {
            return false;
        }
        if (request.undoLost && !dropTuple(request.undoAddress)) {
            return false;
        }
        return request.entryAddress == RemoteAddress.NONE || findEntry(request);
    }

    private boolean findTuple(LockRequest request, long tuple, boolean reserved) {
        if (isHeld(tuple)) {
            return true;
        }
        if (!word.read(tuple)) {
            return false;
        }
        if (word.found() == locks.owner()) {
            request.access.tupleAddress(tuple);
            request.held = LockMode.EXCLUSIVE;
            request.reserved = reserved;
            return true;
        }
        return doubt.look(tuple);
    }

    /** Drops a lock that is on no key of the attempt's. */
    private boolean dropTuple(long tuple) {
        return isHeld(tuple) || (word.cas(tuple, locks.owner(), LockRules.FREE) && doubt.look(tuple));
    }

    /**
     * Nobody else reserves an entry with this tag while the leaf is held. One without its slot is freed here, one with it by the release
     * stage.
     */
    private boolean findEntry(LockRequest request) {
        if (locks.leafOf(request.access).mode != LockMode.EXCLUSIVE) {
            return true;
        }
        long reserved = IndexEntry.reserved(request.access.keyHash());
        boolean slotHeld = request.held == LockMode.EXCLUSIVE
                && request.access.tupleAddress() == tupleOf(request.access, request.entryAddress);
        if (!slotHeld) {
            return word.cas(request.entryAddress, reserved, IndexEntry.EMPTY);
        }
        if (!word.read(request.entryAddress)) {
            return false;
        }
        request.reserved = word.found() == reserved;
        return true;
    }

    /** Whether the attempt knows already that it holds a tuple. */
    private boolean isHeld(long tuple) {
        for (int i = 0; i < locks.requests(); i++) {
            LockRequest request = locks.request(i);
            if (request.held != LockMode.NONE && request.access.tupleAddress() == tuple) {
                return true;
            }
        }
        return false;
    }

    private static long tupleOf(Access access, long entryAddress) {
        TableLayout layout = access.table().layout();
        return access.table()
                .address(access.node(), access.partition(), layout.tupleOfEntry(RemoteAddress.offset(entryAddress)));
    }
}
