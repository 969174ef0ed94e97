package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TableLayout;

/**
 * A leaf that an attempt holds or is about to lock. A protocol defines how it is held. Reused from attempt to attempt; used on
 * one coroutine.
 */
public abstract class LeafLock {
    private TableLayout layout;
    private long address;
    private long versionAddress;
    private long version;
    private int depth;
    private boolean pending;
    private boolean lost;

    /** A lock that stands for no leaf yet. */
    protected LeafLock() {}

    /** Makes it stand for another leaf, which is not held. */
    public void reset(long leafAddress, TableLayout newLayout) {
        layout = newLayout;
        address = leafAddress;
        versionAddress = leafAddress + newLayout.leafVersionOffset();
        version = 0;
        depth = 0;
        pending = false;
        lost = false;
    }

    /** Whether the attempt holds it, alone or with other attempts. */
    public abstract boolean isHeld();

    /** Whether the attempt alone holds it. */
    public abstract boolean isHeldAlone();

    /** Notes that the attempt alone holds it, with this lock word. */
    protected abstract void hold(long word);

    /** Where the leaf lies. */
    public final long address() {
        return address;
    }

    /** Where its version lies. */
    public final long versionAddress() {
        return versionAddress;
    }

    /** The node that has the leaf. */
    public final int node() {
        return RemoteAddress.node(address);
    }

    /** Its version when it was locked. */
    public final long version() {
        return version;
    }

    /** Notes its version, once it is locked. */
    public final void version(long newVersion) {
        version = newVersion;
    }

    /** How many overflow segments its keys may be in. Only of a leaf that was locked one-sided. */
    public final int depth() {
        return depth;
    }

    /** Notes that this attempt raises its depth. */
    final void depth(int newDepth) {
        depth = newDepth;
    }

    /** Appends a READ of its version and depth behind the atomic that locks it, at most {@link IndexProbe#LEAF_STATE_BYTES}. */
    public final void readState(Batch batch, long target) {
        batch.read(versionAddress, layout.leafStateBytes(), target);
    }

    /** Notes the version and depth that were read, once it is locked. */
    public final void takeInState(Memory buffers, long target) {
        version = buffers.getLong(target);
        depth = IndexProbe.leafDepth(layout, buffers, target);
    }

    /** Whether a lock on it has been requested, and the result has not been taken in. */
    public final boolean isPending() {
        return pending;
    }

    /** Notes that a lock on it is requested, or that the result is known. */
    public final void pending(boolean isPending) {
        pending = isPending;
    }

    /** Whether it is unknown if the attempt holds it, because its node has not answered; see {@link LostLocks}. */
    public final boolean isLost() {
        return lost;
    }

    void lost(boolean isLost) {
        lost = isLost;
    }
}
