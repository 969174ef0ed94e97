package dev.rcc.protocols.locking;

import dev.rcc.core.memory.RemoteAddress;

/** A leaf that the transaction holds or is about to lock; reused from attempt to attempt. */
final class LeafLock {
    /** Where the leaf lies. */
    long address;
    /** Where its version lies. */
    long versionAddress;
    /** How it is held. */
    LockMode mode;
    /** Its version when it was locked. */
    long version;
    /** Whether a request of this round is locking it, so that others wait for the result. */
    boolean pending;
    /** Whether the transaction inserts or deletes below it. */
    boolean written;

    void reset(long leafAddress, int versionOffset) {
        address = leafAddress;
        versionAddress = leafAddress + versionOffset;
        mode = LockMode.NONE;
        version = 0;
        pending = false;
        written = false;
    }

    int node() {
        return RemoteAddress.node(address);
    }
}
