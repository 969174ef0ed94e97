package dev.rcc.core.txn;

import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * One transaction's writes to replicated tables. A record of such a table is a tuple in every partition. A reader accesses the tuple in its node's
 * own partition; a writer accesses the tuples of all partitions, in one transaction. So a reader and a writer meet at the reader's tuple, and two
 * writers at all tuples. Every protocol makes such transactions serializable as it does for unrelated tuples.
 *
 * <p>The procedure sees one access, of its node's own partition. The accesses of the other partitions, its <em>copies</em>, are declared with it and
 * with the same intent, and are fetched and locked along with it. When the procedure is done, the copies write the record that it has written.
 */
final class ReplicatedWrites {
    private final Transaction txn;
    /** By copy: the access that it copies. */
    private Access[] originals = {};

    private Access[] copies = {};
    private int size;

    ReplicatedWrites(Transaction txn) {
        this.txn = txn;
    }

    /** The transaction's procedure runs from the start. */
    void restart() {
        size = 0;
    }

    /**
     * An access was declared, for the first time or with another intent: if it is to write a replicated record, declares its copies with that intent.
     */
    Access declared(Access access) {
        Table table = access.table();
        if (!table.isReplicated() || access.intent() == Intent.READ) {
            return access;
        }
        try {
            declareCopies(access);
        } catch (RuntimeException | Error e) {
            txn.leaveHalfDone(e);
            throw e;
        }
        return access;
    }

    private void declareCopies(Access access) {
        for (int partition = 0; partition < txn.catalog().placement().partitions(); partition++) {
            if (partition != access.partition()) {
                int before = txn.size();
                Access copy = txn.copyOf(access, partition);
                if (txn.size() > before) {
                    remember(access, copy);
                }
            }
        }
    }

    private void remember(Access original, Access copy) {
        if (size == copies.length) {
            originals = Arrays.copyOf(originals, Math.max(16, 2 * size));
            copies = Arrays.copyOf(copies, originals.length);
        }
        originals[size] = original;
        copies[size] = copy;
        size++;
    }

    /**
     * Has all copies write the records that the procedure has written. An attempt under an optimistic protocol may have seen tuples of which another
     * transaction had written only some: such an attempt ends.
     */
    void complete() {
        if (size == 0) {
            return;
        }
        txn.fetch();
        for (int i = 0; i < size; i++) {
            if (originals[i].exists() != copies[i].exists()) {
                txn.abort(AbortReason.COPIES_DIFFER);
                throw Rollback.INSTANCE;
            }
            if (originals[i].isWrite()) {
                copies[i].writeAs(originals[i]);
            }
        }
    }
}
