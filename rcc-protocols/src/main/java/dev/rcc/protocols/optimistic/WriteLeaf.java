package dev.rcc.protocols.optimistic;

import dev.rcc.core.store.TableLayout;
import dev.rcc.protocols.common.LeafLock;
import dev.rcc.protocols.common.LockTry;

/** A leaf that the attempt locks since it inserts or deletes below it. */
public final class WriteLeaf extends LeafLock {
    /** The word of its lock, while it is held. */
    long held;
    /** Whether a key below it comes or goes: then a commit writes it, and does not only drop the lock. */
    boolean written;
    /** Whether the holder's age has been written, where holders write it. */
    boolean aged;
    /** Where its metadata land in the buffers. */
    long metadataOffset;
    /** Where its results land in the buffers. */
    long scratch;
    /** How far taking the lock has come. */
    final LockTry lock = new LockTry();

    @Override
    public void reset(long leafAddress, TableLayout layout) {
        super.reset(leafAddress, layout);
        held = LockRules.NOT_HELD;
        written = false;
        aged = false;
        lock.reset();
    }

    @Override
    public boolean isHeld() {
        return held != LockRules.NOT_HELD;
    }

    @Override
    public boolean isHeldAlone() {
        return isHeld();
    }

    @Override
    protected void hold(long word) {
        held = word;
    }

    /** Whether a key below it comes or goes, as {@link WriteSet#markWritten} has found. */
    public boolean isWritten() {
        return written;
    }

    /** The lock word that is held. */
    public long held() {
        return held;
    }

    /** Where, in the buffers, its metadata lie as they were once it was locked; all except the lock word, which is first. */
    public long metadataOffset() {
        return metadataOffset;
    }
}
