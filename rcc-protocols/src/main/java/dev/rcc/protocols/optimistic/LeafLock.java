package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.RemoteAddress;

/** A leaf that the attempt locks since it inserts or deletes below it; reused from attempt to attempt. */
public final class LeafLock {
    long address;
    int versionOffset;
    /** The word of its lock, while it is held. */
    long held;

    /** Whether the holder's age has been told, where holders tell it. */
    boolean aged;

    long version;
    /** Where its metadata land in the buffers. */
    long metadataOffset;
    /** Whether the round that is under way has work requests of this leaf. */
    boolean posted;
    /** Whether it is not known to be held, as its node has not answered. */
    boolean lost;
    /** Where its results land in the buffers. */
    long scratch;
    /** The lock word that the next CAS expects. */
    long expected;
    /** How often a CAS found something else that was no conflict. */
    int retries;

    void reset(long newAddress, int newVersionOffset) {
        address = newAddress;
        versionOffset = newVersionOffset;
        held = LockRules.NOT_HELD;
        aged = false;
        version = 0;
        expected = 0;
        retries = 0;
        posted = false;
        lost = false;
    }

    int node() {
        return RemoteAddress.node(address);
    }

    /** Where the leaf lies. */
    public long address() {
        return address;
    }

    /** Where its version lies, from {@link #address} on. */
    public int versionOffset() {
        return versionOffset;
    }

    /** Whether it is locked. */
    public boolean isHeld() {
        return held != LockRules.NOT_HELD;
    }

    /** The lock word that is held. */
    public long held() {
        return held;
    }

    /** Its version when it was locked. */
    public long version() {
        return version;
    }

    /** Where, in the buffers, its metadata lie as they were once it was locked; all but the lock word, which is first. */
    public long metadataOffset() {
        return metadataOffset;
    }
}
