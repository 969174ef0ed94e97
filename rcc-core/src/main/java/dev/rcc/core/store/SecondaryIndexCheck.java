package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Checks a secondary index at rest: it must have the entries of its base's records, and no other entries. Looks at the primary copies. */
public final class SecondaryIndexCheck {
    private static final int MAX_VIOLATIONS = 10;

    private final Catalog catalog;
    private final IntFunction<Memstore> memstores;
    private final Table index;
    private final KeySlot slot;
    private final Memory identity;
    private final Memory record;
    private final List<String> violations = new ArrayList<>();

    /**
     * Prepares a check.
     *
     * @param memstores finds a node's memstore
     * @param index a secondary index
     */
    public SecondaryIndexCheck(Catalog catalog, IntFunction<Memstore> memstores, Table index) {
        this.catalog = catalog;
        this.memstores = memstores;
        this.index = index;
        this.slot = index.indexNodeLayout().keys();
        this.identity = Memory.allocate(Arena.ofAuto(), index.secondaryLayout().identityBytes());
        this.record = Memory.allocate(Arena.ofAuto(), index.layout().tuple().recordBytes());
    }

    /** All violations, each a sentence; at most {@value #MAX_VIOLATIONS}. */
    public List<String> violations() {
        TupleLayout base = index.base().layout().tuple();
        Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
        forEachTuple(index.base(), (memory, tuple) -> {
            long from = tuple + base.identityOffset();
            record.zero(0, record.size());
            index.secondaryLayout().putIdentity(memory, from, memory, tuple + base.recordOffset(), identity, 0);
            index.secondaryLayout().putRecord(memory, from, record, 0);
            if (expected.put(bytes(identity, 0, (int) identity.size()), bytes(record, 0, (int) record.size()))
                    != null) {
                report("two records of table " + index.base() + " have the entry " + slot.describe(identity, 0));
            }
        });
        TupleLayout entry = index.layout().tuple();
        forEachTuple(index, (memory, tuple) -> {
            long from = tuple + entry.identityOffset();
            byte[] wanted = expected.remove(bytes(memory, from, (int) identity.size()));
            if (wanted == null) {
                report("no record belongs to the entry " + slot.describe(memory, from));
            } else if (!Arrays.equals(wanted, bytes(memory, tuple + entry.recordOffset(), (int) record.size()))) {
                report("the entry " + slot.describe(memory, from) + " names another record");
            }
        });
        for (byte[] each : expected.keySet()) {
            identity.putBytes(0, each, 0, each.length);
            report("the entry " + slot.describe(identity, 0) + " is missing");
        }
        return violations;
    }

    private interface TupleVisitor {
        void visit(Memory memory, long tuple);
    }

    private void forEachTuple(Table table, TupleVisitor visitor) {
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            TablePartition copy =
                    memstores.apply(catalog.placement().primary(partition)).partition(table.id(), partition);
            copy.forEachTuple(tuple -> visitor.visit(copy.memory(), tuple));
        }
    }

    private static byte[] bytes(Memory memory, long offset, int length) {
        byte[] bytes = new byte[length];
        memory.getBytes(offset, bytes, 0, length);
        return bytes;
    }

    private void report(String what) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add("secondary index " + index + ": " + what);
        }
    }
}
