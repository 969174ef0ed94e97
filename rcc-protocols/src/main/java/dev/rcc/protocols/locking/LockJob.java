package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.common.Calls;
import java.util.Arrays;

/**
 * A lock request that a participant serves, item after item, and how far it has come: what it takes to go on with it
 * later. Reused from request to request; allocates nothing once it has met the largest.
 */
public final class LockJob {
    RpcRequest request;
    private long owner;
    int items;
    /** Items that are done. */
    int served;
    /** Where the item being served starts in the payload. */
    long item;
    /** Where its reply goes in the response. */
    long reply;

    // What became of the item being served so far.
    LockMode tupleMode;
    LockMode leafMode;
    boolean reserved;
    long tuple;

    // The leaves that the request has locked, since two of its keys may share one.
    private long[] leafAddresses = new long[16];
    private LockMode[] leafModes = new LockMode[16];
    private int leafCount;

    /** Who asks, as lock words know it. */
    public long owner() {
        return owner;
    }

    void begin(RpcRequest newRequest) {
        Memory payload = newRequest.payload();
        request = newRequest;
        owner = Calls.headerWord(payload, newRequest.payloadOffset());
        items = Calls.items(payload, newRequest.payloadOffset());
        served = 0;
        item = newRequest.payloadOffset() + Calls.HEADER_BYTES;
        reply = newRequest.responseOffset() + Memory.WORD_BYTES;
        leafCount = 0;
        beginItem();
    }

    /** The item is done: the next one starts so much further. */
    void next(int itemBytes, int replyBytes) {
        item += itemBytes;
        reply += replyBytes;
        served++;
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
