package dev.rcc.bench.workload.churn;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A few keys of a hashed and of an ordered table come and go. The first half of the hashed table's keys are pairs, which come,
 * change and go together: a transaction that reads both keys at once verifies that. The hashed table also holds records that no transaction
 * touches. They are so many that keys are found in all places where they may be, in overflow segments, too, if the table may grow; its keys may
 * share leaves. The ordered index has the smallest nodes, which split and merge. There may be a replicated table, whose records some
 * transactions read or write last.
 */
public final class Churn implements Workload {
    static final Option KEYS = Option.integer("keys", 12, 4, 1_000_000, "keys", "keys of each table that come and go");
    static final Option FILL_PERCENT = Option.decimal(
            "fill-percent",
            65,
            0,
            250,
            "percent",
            "how full the hashed table is of records that no transaction uses; above 70 it has to grow");
    static final Option GROWTH = Option.integer(
            "growth",
            0,
            0,
            TableSchema.MAX_GROWTH,
            "times",
            "additional room in overflow segments, in multiples of the tables' capacity");
    static final Option LEAVES = Option.integer(
            "leaves",
            0,
            0,
            8,
            "leaves",
            "leaves of each partition that all keys of the hashed table share; 0 for whichever they have by chance");
    static final Option BLIND_PERCENT = Option.integer(
            "blind-percent",
            0,
            0,
            100,
            "percent",
            "how many of the updates are blind writes, which do not read what they replace");
    static final Option READ_FIRST_PERCENT = Option.integer(
            "read-first-percent",
            0,
            0,
            100,
            "percent",
            "how many of the updates, inserts and deletes, and of the scans to read, come to write only when they have read");
    static final Option SCAN_LENGTH = Option.integer("scan-length", 4, 1, 100, "records", "most records of a scan");

    static final Option PREFIX_KEYS = Option.integer(
            "prefix-keys",
            0,
            0,
            256,
            "keys",
            "keys in a row of the ordered table that have a prefix in common, which decides on their partition; 0 for keys by"
                    + " their hashes");
    static final Option REPLICATED_PERCENT = Option.integer(
            "replicated-percent",
            0,
            0,
            100,
            "percent",
            "how many of the transactions read or write a record of a replicated table, too; there is such a table if it is not 0");
    /** The highest fill percentage of a table that does not grow. */
    private static final int FULLEST_PERCENT = 70;

    private static final String HASHED = "churned";
    private static final String ORDERED = "sorted";
    private static final String REPLICATED = "everywhere";
    /** The first key that no transaction touches: larger than all keys that come and go. */
    private static final long FIRST_UNTOUCHED = 1L << 40;

    private static final int NODE_BYTES = IndexNodeLayout.minNodeBytes(KeyKind.LONG, Long.BYTES);
    /** The path from the root, and a split on every level. */
    private static final int NODES_OF_A_CHANGE = 8;
    /** Two leaves, their parent and the root. */
    private static final int NODES_OF_A_SPLIT = 4;
    /** A key whose prefix has no leaf yet may split twice, once in another prefix's leaf. */
    private static final int SPLITS_OF_A_PREFIX = 2;

    private static final int PREFIX_BYTES = Long.BYTES - 1;

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "churn",
            "Few keys of a hashed and an ordered table come and go; made to find anomalies about which keys exist.",
            new OptionTable(
                    WorkloadType.PREFIX,
                    List.of(
                            KEYS,
                            FILL_PERCENT,
                            GROWTH,
                            LEAVES,
                            BLIND_PERCENT,
                            READ_FIRST_PERCENT,
                            SCAN_LENGTH,
                            PREFIX_KEYS,
                            REPLICATED_PERCENT)),
            Churn::new);

    private final OptionValues values;
    private final int keys;

    Churn(OptionValues values) {
        this.values = values;
        this.keys = values.intValue(KEYS);
        if (values.intValue(GROWTH) == 0 && values.decimal(FILL_PERCENT) > FULLEST_PERCENT) {
            throw values.refuse(FILL_PERCENT, "at most " + FULLEST_PERCENT + " while " + GROWTH + " is 0");
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
        return "no record lost or left behind, pairs whole";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        TableSchema ordered = TableSchema.ofLongKeys(1, ORDERED, ChurnRecord.BYTES, keys)
                .growing(values.intValue(GROWTH))
                .ordered(NODE_BYTES);
        List<TableSchema> tables = new ArrayList<>(List.of(
                TableSchema.ofLongKeys(0, HASHED, ChurnRecord.BYTES, keys).growing(values.intValue(GROWTH)),
                hasPrefixes() ? ordered.modulo(PREFIX_BYTES) : ordered));
        if (hasReplicated()) {
            tables.add(TableSchema.ofLongKeys(2, REPLICATED, ChurnRecord.BYTES, keys)
                    .replicated());
        }
        return tables;
    }

    private boolean hasPrefixes() {
        return values.intValue(PREFIX_KEYS) > 0;
    }

    private int splits() {
        return hasPrefixes() ? SPLITS_OF_A_PREFIX : 1;
    }

    private boolean hasReplicated() {
        return values.intValue(REPLICATED_PERCENT) > 0;
    }

    private List<Table> tables(Catalog catalog) {
        List<Table> tables = new ArrayList<>(List.of(catalog.table(HASHED), catalog.table(ORDERED)));
        if (hasReplicated()) {
            tables.add(catalog.table(REPLICATED));
        }
        return tables;
    }

    @Override
    public int maxAccesses() {
        return records() + changes() * splits() * NODES_OF_A_CHANGE * Math.ceilDiv(NODE_BYTES, ChurnRecord.BYTES);
    }

    /** The records, their leaves, and some nodes for splits and merges. */
    @Override
    public int maxWrites() {
        return records() + (changes() + NODES_OF_A_SPLIT) * splits() * Math.ceilDiv(NODE_BYTES, ChurnRecord.BYTES);
    }

    @Override
    public int maxReplicatedWrites() {
        return hasReplicated() ? 1 : 0;
    }

    private int records() {
        return maxReplicatedWrites() + 2 * ChurnTransaction.MAX_OPERATIONS + values.intValue(SCAN_LENGTH);
    }

    /** The most keys of the ordered table that a transaction changes. */
    private int changes() {
        return ChurnTransaction.MAX_OPERATIONS + values.intValue(SCAN_LENGTH);
    }

    /** Loads every other pair and key, and all keys of the replicated table. */
    @Override
    public void load(Loader loader) {
        Table hashed = loader.catalog().table(HASHED);
        Table ordered = loader.catalog().table(ORDERED);
        long[] hashedKeys = hashedKeys(hashed);
        for (int key = 0; key < keys; key++) {
            if ((key & 2) == 0) {
                load(loader, hashed, hashedKeys[key]);
            }
            if ((key & 1) == 0) {
                load(loader, ordered, ChurnTransaction.orderedKey(key, values.intValue(PREFIX_KEYS)));
            }
        }
        if (hasReplicated()) {
            for (int key = 0; key < keys; key++) {
                load(loader, loader.catalog().table(REPLICATED), key);
            }
        }
        fill(loader, hashed);
    }

    private void fill(Loader loader, Table hashed) {
        Placement placement = loader.catalog().placement();
        long[] room = new long[placement.partitions()];
        Arrays.fill(room, (long) (hashed.layout().slots(0) * values.decimal(FILL_PERCENT) / 100));
        long left = Arrays.stream(room).sum();
        for (long key = FIRST_UNTOUCHED; left > 0; key++) {
            int partition = placement.partition(KeyHash.of(key));
            if (room[partition] > 0) {
                room[partition]--;
                left--;
                load(loader, hashed, key);
            }
        }
    }

    private long[] hashedKeys(Table hashed) {
        return hashedKeys(hashed, keys, values.intValue(LEAVES));
    }

    /** The hashed table's keys by their numbers: the numbers themselves, or the first keys whose leaves are among the first ones. */
    static long[] hashedKeys(Table hashed, int keys, int leaves) {
        long[] hashedKeys = new long[keys];
        long key = 0;
        for (int i = 0; i < keys; i++) {
            while (leaves > 0 && !hasLeafBelow(leaves, key, hashed.layout())) {
                key++;
            }
            hashedKeys[i] = key++;
        }
        return hashedKeys;
    }

    private static boolean hasLeafBelow(int leaves, long key, TableLayout layout) {
        return layout.leafOffset(KeyHash.of(key)) < layout.leafOffsetAt(leaves);
    }

    private static void load(Loader loader, Table table, long key) {
        loader.load(table, key, record -> ChurnRecord.write(record, 0, table.id(), key, ChurnRecord.LOADED_TAG));
    }

    /**
     * Three choices were added later: which updates are blind, the use of the replicated table, and which writes read first. They are drawn from
     * random numbers of their own, so that the other draws of a seed stay the same.
     */
    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        List<SplittableRandom> plans =
                Stream.generate(random::split).limit(count).toList();
        List<SplittableRandom> blindness =
                Stream.generate(random::split).limit(count).toList();
        long[] hashedKeys = hashedKeys(catalog.table(HASHED));
        List<ChurnGenerator> generators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ChurnGenerator generator = new ChurnGenerator(
                    transaction(catalog, hashedKeys),
                    keys,
                    values.intValue(SCAN_LENGTH),
                    values.intValue(BLIND_PERCENT),
                    plans.get(i),
                    blindness.get(i));
            if (hasReplicated()) {
                generator.useReplicated(values.intValue(REPLICATED_PERCENT), random.split());
            }
            generators.add(generator);
        }
        if (values.intValue(READ_FIRST_PERCENT) > 0) {
            generators.forEach(generator -> generator.readsFirst(values.intValue(READ_FIRST_PERCENT), random.split()));
        }
        return List.copyOf(generators);
    }

    private ChurnTransaction transaction(Catalog catalog, long[] hashedKeys) {
        return new ChurnTransaction(tables(catalog), hashedKeys, pairedKeys(), values.intValue(PREFIX_KEYS));
    }

    @Override
    public List<FragmentType> fragments() {
        return List.of(new FragmentType(
                ChurnTransaction.NAME, catalog -> transaction(catalog, hashedKeys(catalog.table(HASHED)))));
    }

    private int pairedKeys() {
        return keys / 2 & -2;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        List<String> violations = new ArrayList<>();
        Map<Long, Long> pairs = new HashMap<>();
        long found = 0;
        for (Table table : tables(catalog)) {
            Map<Long, Long> tags = tags(table, inspection, violations);
            found += tags.keySet().stream().filter(key -> key < FIRST_UNTOUCHED).count();
            if (table == catalog.table(HASHED)) {
                pairs = tags;
            }
        }
        long[] hashedKeys = hashedKeys(catalog.table(HASHED));
        for (int key = 0; key < pairedKeys(); key += 2) {
            Long even = pairs.get(hashedKeys[key]);
            Long odd = pairs.get(hashedKeys[key + 1]);
            if (even == null ? odd != null : !even.equals(odd)) {
                violations.add(
                        "keys " + key + " and " + (key + 1) + " are written together only, and are not the same");
            }
        }
        long expected =
                loadedKeys() + clients.stream().mapToLong(Account::tally).sum();
        if (found != expected && Account.areComplete(clients)) {
            violations.add("there are " + found + " records, but the load, inserts and deletes leave " + expected);
        }
        return violations;
    }

    private long loadedKeys() {
        long loaded = hasReplicated() ? keys : 0;
        for (long key = 0; key < keys; key++) {
            loaded += ((key & 2) == 0 ? 1 : 0) + ((key & 1) == 0 ? 1 : 0);
        }
        return loaded;
    }

    private static Map<Long, Long> tags(Table table, ClusterInspection inspection, List<String> violations) {
        Map<Long, Long> tags = new HashMap<>();
        inspection.forEachTuple(table, (memory, keyOffset, record) -> {
            long key = memory.getLong(keyOffset);
            if (!ChurnRecord.isWhole(memory, record, table.id(), key)) {
                violations.add(
                        "key " + key + " of table " + table + " has a damaged record or a record of another key");
            }
            tags.put(key, ChurnRecord.tag(memory, record));
        });
        return tags;
    }
}
