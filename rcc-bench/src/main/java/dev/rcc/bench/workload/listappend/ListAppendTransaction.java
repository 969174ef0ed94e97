package dev.rcc.bench.workload.listappend;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;

/** Reads some lists and appends an element to some other lists. */
final class ListAppendTransaction implements Procedure {
    private final Table table;
    private final long[] keys;
    private final long[] elements;
    private final Access[] accesses;
    private int operations;

    ListAppendTransaction(Table table, int maxOperations) {
        this.table = table;
        this.keys = new long[maxOperations];
        this.elements = new long[maxOperations];
        this.accesses = new Access[maxOperations];
    }

    void clear() {
        operations = 0;
    }

    boolean hasKey(long key) {
        for (int i = 0; i < operations; i++) {
            if (keys[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** Adds an operation on another list: appends {@code element}, or reads if {@code element} is 0. */
    void add(long key, long element) {
        keys[operations] = key;
        elements[operations++] = element;
    }

    int appends() {
        int appends = 0;
        for (int i = 0; i < operations; i++) {
            appends += elements[i] == 0 ? 0 : 1;
        }
        return appends;
    }

    @Override
    public void declare(Transaction txn) {
        for (int i = 0; i < operations; i++) {
            accesses[i] = elements[i] == 0 ? txn.read(table, keys[i]) : txn.update(table, keys[i]);
        }
    }

    @Override
    public void execute(Transaction txn) {
        for (int i = 0; i < operations; i++) {
            if (elements[i] != 0) {
                ListLayout.append(accesses[i], elements[i]);
            }
        }
    }
}
