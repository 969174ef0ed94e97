package dev.rcc.protocols.common;

import dev.rcc.core.txn.Access;
import java.util.ArrayList;
import java.util.List;

/**
 * The locks of an attempt: tuples, one for each access that needs it, and the leaves of keys that come, go or are missing, of which
 * several accesses may share one. Reused from attempt to attempt; allocates nothing once it has met the largest attempt. Used on one
 * coroutine.
 *
 * @param <T> how a protocol holds a tuple
 * @param <L> how it holds a leaf
 */
public abstract class LockSet<T extends TupleLock, L extends LeafLock> {
    private final List<T> tuples = new ArrayList<>();
    private final List<L> leaves = new ArrayList<>();
    private int size;
    private int leafCount;

    /** An empty set. */
    protected LockSet() {}

    /** Makes a tuple's lock. */
    protected abstract T newTuple();

    /** Makes a leaf's lock. */
    protected abstract L newLeaf();

    /** Forgets the previous attempt. */
    public final void clear() {
        size = 0;
        leafCount = 0;
    }

    /** Whether nothing is locked. */
    public final boolean isEmpty() {
        return size == 0;
    }

    /** Number of tuples. */
    public final int size() {
        return size;
    }

    /** The tuple with this number. */
    public final T entry(int i) {
        assert i < size : i;
        return tuples.get(i);
    }

    /** Number of leaves. */
    public final int leaves() {
        return leafCount;
    }

    /** The leaf with this number. */
    public final L leaf(int i) {
        assert i < leafCount : i;
        return leaves.get(i);
    }

    /** Adds a tuple, to be reset to its access. */
    protected final T add() {
        if (size == tuples.size()) {
            tuples.add(newTuple());
        }
        return tuples.get(size++);
    }

    /** The leaf that covers an access's key, held or not. */
    public final L leafOf(Access access) {
        long address = IndexProbe.leafAddress(access);
        for (int i = 0; i < leafCount; i++) {
            if (leaves.get(i).address() == address) {
                return leaves.get(i);
            }
        }
        if (leafCount == leaves.size()) {
            leaves.add(newLeaf());
        }
        L leaf = leaves.get(leafCount++);
        leaf.reset(address, access.table().layout());
        return leaf;
    }
}
