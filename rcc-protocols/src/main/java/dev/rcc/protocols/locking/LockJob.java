package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.protocols.common.ServedItems;
import java.util.Arrays;

/**
 * A lock request that a participant serves, item after item, and how far it has come, so that the participant can go on
 * with it later. Reused from request to request; allocates nothing once it has met the largest request.
 */
public final class LockJob {
    final ServedItems items = new ServedItems();

    // The state of the item being served.
    LockMode tupleMode;
    LockMode leafMode;
    boolean reserved;
    long tuple;

    // The leaves that the request has locked, since two of its keys may share one.
    private long[] leafAddresses = new long[16];
    private LockMode[] leafModes = new LockMode[16];
    private int leafCount;

    /** The value of the requesting transaction in lock words. */
    public long owner() {
        return items.headerWord();
    }

    void begin(RpcRequest newRequest) {
        items.begin(newRequest);
        leafCount = 0;
        beginItem();
    }

    /** The item is done: the next item starts {@code itemBytes} further, and its reply {@code replyBytes} further. */
    void next(int itemBytes, int replyBytes) {
        items.next(itemBytes, replyBytes);
        beginItem();
    }

    private void beginItem() {
        tupleMode = LockMode.NONE;
        leafMode = LockMode.NONE;
        reserved = false;
        tuple = -1;
    }

    /** How a leaf is held: as this request has locked it, or as it was {@code before}. */
    LockMode leafMode(long leafAddress, LockMode before) {
        for (int i = 0; i < leafCount; i++) {
            if (leafAddresses[i] == leafAddress) {
                return leafModes[i];
            }
        }
        return before;
    }

    void lockedLeaf(long leafAddress, LockMode mode) {
        leafMode = mode;
        for (int i = 0; i < leafCount; i++) {
            if (leafAddresses[i] == leafAddress) {
                leafModes[i] = mode;
                return;
            }
        }
        if (leafCount == leafAddresses.length) {
            leafAddresses = Arrays.copyOf(leafAddresses, 2 * leafCount);
            leafModes = Arrays.copyOf(leafModes, 2 * leafCount);
        }
        leafAddresses[leafCount] = leafAddress;
        leafModes[leafCount++] = mode;
    }
}
