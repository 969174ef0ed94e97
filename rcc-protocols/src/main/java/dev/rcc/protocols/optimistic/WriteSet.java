package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.LockSet;

/** The writes of an attempt: an entry for each access that changes a record, and the leaves of the keys that come or go. */
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

    /** Makes an entry for each access of the read set that changes a record. Called once an attempt. */
    public void collect(ReadSet reads) {
        assert isEmpty() : "collected twice";
        for (int i = 0; i < reads.size(); i++) {
            if (reads.entry(i).access().isWrite()) {
                add(reads.entry(i));
            }
        }
    }

    private void add(ReadEntry read) {
        WriteEntry entry = add();
        entry.reset(read, true);
        entry.want();
        if (comesOrGoes(read.access())) {
            entry.leaf = leafOf(read.access());
            entry.leaf.written = true;
        }
    }

    /**
     * Makes an entry for an access that is locked when it is accessed, unless it only reads. The lock to take is known once the access is
     * fetched, see {@link #wantWhatIsThere}.
     *
     * @param isShown whether the procedure has seen the record that was read
     */
    void admit(ReadEntry read, boolean isShown) {
        if (read.write == null && read.access().declaredIntent() != Intent.READ) {
            read.write = add();
            read.write.reset(read, isShown);
        }
    }

    /**
     * The fetch has found whether the key has a record: wants the lock of the record if it is to be updated or deleted, of a slot if it is to
     * be inserted, and of the leaf below which the key comes or goes. A record that is to be inserted and is there already, or is to be
     * changed and is missing, is only read.
     */
    void wantWhatIsThere(WriteEntry entry) {
        Access access = entry.access();
        Intent declared = access.declaredIntent();
        boolean isInserted = declared == Intent.INSERT && !access.exists();
        if (isInserted || (access.exists() && declared != Intent.INSERT)) {
            entry.want();
            if (isInserted || declared == Intent.DELETE) {
                entry.leaf = leafOf(access);
            }
        }
    }

    /**
     * Takes the records that are updated as locked, though their lock words don't show it: another mechanism keeps other transactions away.
     *
     * @param word the word to record in place of a holder's word
     */
    public void takeUpdatesAsHeld(long word) {
        for (int i = 0; i < size(); i++) {
            WriteEntry entry = entry(i);
            if (!comesOrGoes(entry.access())) {
                entry.held = word;
                entry.step = WriteEntry.Step.DONE;
                if (entry.access().isBlind()) {
                    entry.access().slotVersion(entry.read.version());
                }
            }
        }
    }

    /** Finds out which leaves a commit writes, and notes their versions. Returns whether it writes anything. */
    public boolean markWritten() {
        boolean any = false;
        for (int i = 0; i < leaves(); i++) {
            leaf(i).written = false;
        }
        for (int i = 0; i < size(); i++) {
            Access access = entry(i).access();
            any |= access.isWrite();
            if (access.isWrite() && comesOrGoes(access)) {
                entry(i).leaf.written = true;
                access.leafVersion(entry(i).leaf.version());
            }
        }
        return any;
    }

    /** Whether a write makes a record come or go. */
    private static boolean comesOrGoes(Access write) {
        return write.intent() == Intent.INSERT || write.intent() == Intent.DELETE;
    }

    /** Whether the attempt holds any lock. */
    public boolean holdsAny() {
        for (int i = 0; i < size(); i++) {
            if (entry(i).isHeld()) {
                return true;
            }
        }
        for (int i = 0; i < leaves(); i++) {
            if (leaf(i).isHeld()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the attempt holds the record that was read. */
    public boolean holdsRecord(ReadEntry read) {
        for (int i = 0; i < size(); i++) {
            if (entry(i).read == read) {
                return entry(i).isHeld();
            }
        }
        return false;
    }

    /** Whether the attempt holds the leaf at this address. */
    public boolean holdsLeaf(long address) {
        for (int i = 0; i < leaves(); i++) {
            if (leaf(i).address() == address) {
                return leaf(i).isHeld();
            }
        }
        return false;
    }
}
