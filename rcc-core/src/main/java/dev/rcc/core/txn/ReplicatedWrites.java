package dev.rcc.core.txn;

import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * What one transaction writes to replicated tables. A record of such a table is a tuple in every partition. Who reads it accesses the tuple in
 * its node's own partition; who writes it accesses all of them, in one transaction. So a reader and a writer meet at the reader's tuple and two
 * writers at all, and every protocol makes serializable what it makes so for tuples that have nothing to do with each other.
 *
 * <p>The procedure knows one access, of the own partition. The others, its <em>copies</em>, are declared with it, for the same, and are fetched
 * and locked along with it. When the procedure is done they write what it has written.
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

    /** An access was declared, for the first time or for more: if it is to write a replicated record, declares its copies for the same. */
    Access declared(Access access) {
        Table table = access.table();
        if (!table.isReplicated() || access.intent() == Intent.READ) {
            return access;
        }
        for (int partition = 0; partition < txn.catalog().placement().partitions(); partition++) {
            if (partition != access.partition()) {
                int before = txn.size();
                Access copy = txn.copyOf(access, partition);
                if (txn.size() > before) {
                    remember(access, copy);
                }
            }
        }
        return access;
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
     * Has all copies write what the procedure has written. An attempt under an optimistic protocol may have seen tuples of which only some had
     * been written by another transaction: it ends.
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
