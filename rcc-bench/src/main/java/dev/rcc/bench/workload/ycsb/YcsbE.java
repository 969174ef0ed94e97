package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workload.Zipfian;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * YCSB's workload E: 95 % of the transactions scan up to 100 records, from an existing record, 5 % insert a record. The keys are
 * the hashes of the records' numbers, as in YCSB by default, so that inserts go everywhere; as 64-bit keys, or as strings.
 *
 * <p>Every word of a record is the hash of its key. A scan begins with the record that was requested, which no transaction
 * removes, and goes up. At the end there are as many records as were loaded and inserted.
 */
public final class YcsbE implements Workload {
    static final Option RECORDS_PER_NODE = Option.integer(
            "records-per-node", 100_000, 1, 1_000_000_000, "records", "records, in proportion to the cluster's size");
    static final Option RECORD_BYTES = Option.integer(
            "record-bytes", 64, 8, TableSchema.MAX_RECORD_BYTES, "bytes", "size of a record, a multiple of 8");
    static final Option INSERT_PERCENT =
            Option.decimal("insert-percent", 5, 0, 100, "percent", "how many of the transactions insert; others scan");
    static final Option SCAN_LENGTH = Option.integer(
            "scan-length", 100, 1, 1_000, "records", "most records of a scan; how many is drawn uniformly");
    static final Option THETA = Option.decimal(
            "theta", 0.99, 0, 0.9999, "", "skew of the zipfian distribution of where scans begin; 0 is uniform");
    static final Option GROWTH_PERCENT = Option.decimal(
            "growth-percent", 200, 0, 10_000, "percent", "room for inserts; inserts beyond it abort with TABLE_FULL");

    static final Option KEYS = Option.choice(
            "keys",
            YcsbEKeys.NUMBERS,
            YcsbEKeys.KINDS,
            "what keys are: 64-bit numbers, or strings of up to 24 bytes as YCSB's");

    private static final String TABLE = "usertable";
    /** The path from the root, and a split on every level. */
    private static final int NODES_OF_AN_INSERT = 16;

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "ycsb-e",
            "One ordered table, range scans and inserts (YCSB's workload E).",
            new OptionTable(
                    WorkloadType.PREFIX,
                    List.of(RECORDS_PER_NODE, RECORD_BYTES, INSERT_PERCENT, SCAN_LENGTH, THETA, GROWTH_PERCENT, KEYS)),
            YcsbE::new);

    private final OptionValues values;
    private final int recordBytes;
    private final int scanLength;

    YcsbE(OptionValues values) {
        this.values = values;
        this.recordBytes = values.intValue(RECORD_BYTES);
        this.scanLength = values.intValue(SCAN_LENGTH);
        if (recordBytes % Long.BYTES != 0) {
            throw values.refuse(RECORD_BYTES, "a multiple of 8");
        }
    }

    @Override
    public String name() {
        return TYPE.name();
    }

    @Override
    public Map<String, String> options() {
        return values.asMap();
    }

    @Override
    public String promise() {
        return "no record lost, scans complete";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        long records =
                (long) ((double) values.integer(RECORDS_PER_NODE) * nodes * (1 + values.decimal(GROWTH_PERCENT) / 100));
        return List.of(keys().schema(TABLE, recordBytes, PartitionCapacity.of(records, nodes)));
    }

    /** A leaf counts as many records as would fit into its bytes. */
    @Override
    public int maxAccesses() {
        TableSchema table = tables(1).getFirst();
        int nodes = NODES_OF_AN_INSERT + scanLength / keys().keysOfALeaf();
        return scanLength + nodes * Math.ceilDiv(table.indexNodeBytes(), recordBytes);
    }

    /** The record, its leaf, and a node for a split; a split of several levels is rare, and fits too. */
    @Override
    public int maxWrites() {
        return 1 + 2 * Math.ceilDiv(tables(1).getFirst().indexNodeBytes(), recordBytes);
    }

    @Override
    public void load(Loader loader) {
        Table table = loader.catalog().table(TABLE);
        long records = records(loader.catalog());
        YcsbEKeys keys = keys();
        for (long number = 0; number < records; number++) {
            long key = KeyHash.mix(number);
            long word = KeyHash.mix(key);
            keys.load(loader, table, key, record -> {
                for (int offset = 0; offset < recordBytes; offset += Long.BYTES) {
                    record.putLong(offset, word);
                }
            });
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        long records = records(catalog);
        Zipfian chooser = new Zipfian(records, values.decimal(THETA));
        List<Generator> generators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            generators.add(new YcsbEGenerator(
                    new YcsbETransaction(catalog.table(TABLE), keys()),
                    chooser,
                    records + i,
                    count,
                    scanLength,
                    values.decimal(INSERT_PERCENT) / 100,
                    random.split()));
        }
        return generators;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        long[] count = {0};
        long[] wrong = {0};
        YcsbEKeys keys = keys();
        inspection.forEachTuple(catalog.table(TABLE), (memory, keyOffset, recordOffset) -> {
            count[0]++;
            long word = KeyHash.mix(keys.key(memory, keyOffset));
            for (int offset = 0; offset < recordBytes; offset += Long.BYTES) {
                if (memory.getLong(recordOffset + offset) != word) {
                    wrong[0]++;
                    break;
                }
            }
        });
        List<String> violations = new ArrayList<>();
        long inserts = clients.stream().mapToLong(Account::tally).sum();
        long expected = records(catalog) + inserts;
        if (!Account.explain(clients, count[0], expected)) {
            violations.add("there are " + count[0] + " records, but " + records(catalog) + " at the start and "
                    + inserts + " committed inserts");
        }
        if (wrong[0] > 0) {
            violations.add(wrong[0] + " records differ from the records inserted under their keys");
        }
        long anomalies = clients.stream().mapToLong(Account::anomalies).sum();
        if (anomalies > 0) {
            violations.add("committed transactions made " + anomalies
                    + " scans that missed their first record, or returned records out of order or torn");
        }
        return violations;
    }

    private YcsbEKeys keys() {
        return YcsbEKeys.of(values.text(KEYS));
    }

    private long records(Catalog catalog) {
        return values.integer(RECORDS_PER_NODE) * catalog.placement().nodes();
    }
}
