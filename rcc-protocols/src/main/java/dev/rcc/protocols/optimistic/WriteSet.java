package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.LockSet;

/** What an attempt writes: an entry for each access that changes something, and the leaves of the keys that come or go. */
public final class WriteSet extends LockSet<WriteEntry, WriteLeaf> {
    /** An empty write set. */
    public WriteSet() {}

    @Override
    protected WriteEntry newTuple() {
        return new WriteEntry();
    }

    @Override
    protected WriteLeaf newLeaf() {
        return new WriteLeaf();
    }

    /** Makes an entry for each access of the read set that changes something. Called once an attempt. */
    public void collect(ReadSet reads) {
        assert isEmpty() : "collected twice";
        for (int i = 0; i < reads.size(); i++) {
            if (reads.entry(i).access().isWrite()) {
                add(reads.entry(i));
            }
        }
    }

    private void add(ReadEntry read) {
        boolean staysInLeaf =
                read.access().intent() == Intent.UPDATE || read.access().isBlind();
        add().reset(read, staysInLeaf ? null : leafOf(read.access()));
    }
}
