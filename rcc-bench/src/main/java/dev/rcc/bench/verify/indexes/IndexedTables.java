package dev.rcc.bench.verify.indexes;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The data of transactions on indexed records: few records, each in a group and with a name. One index is by group; another one, by name,
 * is unique. The index nodes are as small as possible, so that they split and merge.
 *
 * @param keys maximum number of records
 */
public record IndexedTables(int keys) implements Workload {
    /** The workload's name. */
    public static final String NAME = "indexes";

    static final int BASE = 0;
    static final int BY_GROUP = 1;
    static final int BY_NAME = 2;

    private static final int MAX_ACCESSES = 128;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("keys", Integer.toString(keys));
    }

    @Override
    public String promise() {
        return "each record is found, and no name is given twice";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        TableSchema base = TableSchema.ofLongKeys(BASE, "people", IndexedRecord.BYTES, keys);
        return List.of(
                base,
                small(TableSchema.index(BY_GROUP, "by_group", base, false, List.of(Part.ofLong(IndexedRecord.GROUP)))),
                small(TableSchema.index(BY_NAME, "by_name", base, true, List.of(Part.ofLong(IndexedRecord.NAME)))));
    }

    private static TableSchema small(TableSchema index) {
        return index.ordered(IndexNodeLayout.minNodeBytes(KeyKind.BYTES, index.keyBytes()));
    }

    @Override
    public int maxAccesses() {
        return MAX_ACCESSES;
    }

    /** Every other key has a record at the start. */
    @Override
    public void load(Loader loader) {
        for (long key = 0; key < keys; key += 2) {
            long number = key;
            loader.load(
                    loader.catalog().table(BASE),
                    key,
                    record -> IndexedRecord.write(record, number, number % IndexedTransaction.GROUPS, number));
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        List<Generator> generators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            generators.add(new IndexedGenerator(new IndexedTransaction(catalog), keys, random.split()));
        }
        return generators;
    }

    /** Checks that the records are whole. The inspection of every cluster checks that the index entries match the records. */
    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        List<String> violations = new ArrayList<>();
        inspection.forEachTuple(catalog.table(BASE), (Memory memory, long keyOffset, long record) -> {
            if (!IndexedRecord.isWhole(memory, record, memory.getLong(keyOffset))) {
                violations.add("key " + memory.getLong(keyOffset) + " has a damaged record or a record of another key");
            }
        });
        return violations;
    }
}
