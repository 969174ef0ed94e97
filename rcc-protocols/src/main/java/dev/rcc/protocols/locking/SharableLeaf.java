package dev.rcc.protocols.locking;

import dev.rcc.core.store.TableLayout;
import dev.rcc.protocols.common.LeafLock;

/** A leaf that is locked shared or exclusively. */
final class SharableLeaf extends LeafLock {
    /** How it is held. */
    LockMode mode = LockMode.NONE;
    /** Whether the transaction inserts or deletes below it. */
    boolean written;

    @Override
    public void reset(long leafAddress, TableLayout layout) {
        super.reset(leafAddress, layout);
        mode = LockMode.NONE;
        written = false;
    }

    @Override
    public boolean isHeld() {
        return mode != LockMode.NONE;
    }

    @Override
    public boolean isHeldAlone() {
        return mode == LockMode.EXCLUSIVE;
    }

    @Override
    protected void hold(long word) {
        mode = LockMode.EXCLUSIVE;
    }
}
