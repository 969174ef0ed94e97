package dev.rcc.protocols.locking;

import dev.rcc.core.store.TableLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import java.util.Arrays;

/**
 * What an attempt holds: a {@link LockRequest} for each access, and the leaves, of which several accesses may share one.
 * Reused from attempt to attempt; allocates nothing once it has met the largest.
 */
final class HeldLocks {
    private final Transaction txn;
    private LockRequest[] requests = {};
    private LeafLock[] leaves = {};
    private int requestCount;
    private int leafCount;
    private long owner;

    HeldLocks(Transaction txn) {
        this.txn = txn;
    }

    /** Forgets the attempt before; {@code newOwner} is what stands for the transaction in lock words. */
    void begin(long newOwner) {
        owner = newOwner;
        requestCount = 0;
        leafCount = 0;
    }

    /** What stands for the transaction in lock words. */
    long owner() {
        return owner;
    }

    /** Makes requests for the accesses that have none yet, and returns the number of the first. */
    int admitNew() {
        int first = requestCount;
        if (txn.size() > requests.length) {
            int old = requests.length;
            requests = Arrays.copyOf(requests, Math.max(16, 2 * txn.size()));
            for (int i = old; i < requests.length; i++) {
                requests[i] = new LockRequest();
            }
        }
        while (requestCount < txn.size()) {
            requests[requestCount].reset(txn.access(requestCount));
            requestCount++;
        }
        return first;
    }

    int requests() {
        return requestCount;
    }

    LockRequest request(int i) {
        return requests[i];
    }

    int leaves() {
        return leafCount;
    }

    LeafLock leaf(int i) {
        return leaves[i];
    }

    /** The leaf that covers an access's key, held or not. */
    LeafLock leafOf(Access access) {
        TableLayout layout = access.table().layout();
        long address = access.table().address(access.node(), access.partition(), layout.leafOffset(access.keyHash()));
        for (int i = 0; i < leafCount; i++) {
            if (leaves[i].address == address) {
                return leaves[i];
            }
        }
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, Math.max(8, 2 * leafCount));
            for (int i = leafCount; i < leaves.length; i++) {
                leaves[i] = new LeafLock();
            }
        }
        LeafLock leaf = leaves[leafCount++];
        leaf.reset(address, layout.leafVersionOffset());
        return leaf;
    }
}
