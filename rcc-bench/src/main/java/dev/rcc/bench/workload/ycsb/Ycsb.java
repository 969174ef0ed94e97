package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.HotArea;
import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workload.Zipfian;
import dev.rcc.bench.workload.ycsb.YcsbTransaction.WriteKind;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * YCSB as in RCC (6.1): records of 64 bytes, transactions of 10 operations of which 20 % write, and 5 us of
 * computation. 10 % of the operations go to a hot area of 0.1 % of the records; or all follow Zipf's law.
 * As in Sundial (6.1), a client may stay on its own node, except for some of its operations.
 *
 * <p>No update is lost: a read-modify-write counts in the record, and at the end the counters add up to the committed
 * updates. And a record is whole: its words are equal, always, for every committed reader.
 */
public final class Ycsb implements Workload {
    private static final String ZIPFIAN = "zipfian";
    private static final String ANYWHERE = "anywhere";

    static final Option RECORDS_PER_NODE = Option.integer(
            "records-per-node", 100_000, 1, 1_000_000_000, "records", "records, in proportion to the cluster's size");
    static final Option RECORD_BYTES = Option.integer(
            "record-bytes", 64, 8, TableSchema.MAX_RECORD_BYTES, "bytes", "size of a record, a multiple of 8");
    static final Option OPERATIONS = Option.integer(
            "operations", 10, 1, 100, "operations", "operations of a transaction, each on another record");
    static final Option WRITE_PERCENT =
            Option.decimal("write-percent", 20, 0, 100, "percent", "how many of the operations write");
    static final Option WRITE_KIND = Option.choice(
            "write-kind",
            WriteKind.READ_MODIFY_WRITE.label,
            List.of(WriteKind.READ_MODIFY_WRITE.label, WriteKind.BLIND.label),
            "whether a write depends on what was there; lost updates show if so");
    static final Option DISTRIBUTION = Option.choice(
            "distribution", "hot", List.of("hot", ZIPFIAN), "how records are drawn: with a hot area, or by Zipf's law");
    static final Option HOT_AREA_PERCENT = Option.decimal(
            "hot-area-percent",
            0.1,
            0,
            100,
            "percent",
            "for the distribution hot: how many of the records are hot, at least one");
    static final Option HOT_ACCESS_PERCENT = Option.decimal(
            "hot-access-percent",
            10,
            0,
            100,
            "percent",
            "for the distribution hot: how many of the operations go to the hot area; 0 is uniform");
    static final Option THETA =
            Option.decimal("theta", 0.99, 0, 0.9999, "", "for the distribution zipfian: its skew; 0 is uniform");
    static final Option COMPUTE_MICROS =
            Option.decimal("compute-us", 5, 0, 1_000_000, "microseconds", "computation of each transaction");

    static final Option REMOTE_PERCENT = Option.decimalOr(
            ANYWHERE,
            "remote-percent",
            0,
            100,
            "percent",
            "how many of the operations go to records of other nodes, any of them; the others go to the client's"
                    + " node's, and every node's records are drawn by the distribution alone");

    private static final String TABLE = "usertable";

    private static final List<Option> OPTIONS = List.of(
            RECORDS_PER_NODE,
            RECORD_BYTES,
            OPERATIONS,
            WRITE_PERCENT,
            WRITE_KIND,
            DISTRIBUTION,
            HOT_AREA_PERCENT,
            HOT_ACCESS_PERCENT,
            THETA,
            REMOTE_PERCENT,
            COMPUTE_MICROS);

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "ycsb",
            "One table, transactions of reads and writes, contention at will (YCSB).",
            new OptionTable(WorkloadType.PREFIX, OPTIONS),
            values -> new Ycsb("ycsb", values));

    /** The settings that Sundial's evaluation (6.1) changes. */
    private static final Map<Option, String> SUNDIAL_DEFAULTS = Map.of(
            RECORD_BYTES, "1024",
            OPERATIONS, "16",
            WRITE_PERCENT, "10",
            DISTRIBUTION, ZIPFIAN,
            THETA, "0.9",
            REMOTE_PERCENT, "10",
            COMPUTE_MICROS, "0");

    /** The same workload with the settings of Sundial's evaluation. */
    public static final WorkloadType SUNDIAL_TYPE = new WorkloadType(
            "ycsb-sundial",
            "The same with Sundial's settings: 16 operations on records of 1 KB, 10 % remote, by Zipf's law with 0.9.",
            new OptionTable(
                    WorkloadType.PREFIX,
                    OPTIONS.stream()
                            .map(option -> SUNDIAL_DEFAULTS.containsKey(option)
                                    ? option.withDefault(SUNDIAL_DEFAULTS.get(option))
                                    : option)
                            .toList()),
            values -> new Ycsb("ycsb-sundial", values));

    private final String name;
    private final OptionValues values;
    private final long recordsPerNode;
    private final int recordBytes;
    private final int operations;
    private final WriteKind writeKind;

    private Ycsb(String name, OptionValues values) {
        this.name = name;
        this.values = values;
        this.recordsPerNode = values.integer(RECORDS_PER_NODE);
        this.recordBytes = values.intValue(RECORD_BYTES);
        this.operations = values.intValue(OPERATIONS);
        this.writeKind =
                values.text(WRITE_KIND).equals(WriteKind.BLIND.label) ? WriteKind.BLIND : WriteKind.READ_MODIFY_WRITE;
        if (recordBytes % Long.BYTES != 0) {
            throw values.refuse(RECORD_BYTES, "a multiple of 8");
        }
        if (operations > recordsPerNode) {
            throw values.refuse(OPERATIONS, "at most as many as there are records per node, " + recordsPerNode);
        }
        values.refuseGiven(
                isZipfian() ? List.of(HOT_AREA_PERCENT, HOT_ACCESS_PERCENT) : List.of(THETA),
                "nothing with " + DISTRIBUTION + "=" + values.text(DISTRIBUTION));
    }

    private boolean isZipfian() {
        return values.text(DISTRIBUTION).equals(ZIPFIAN);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, String> options() {
        return values.asMap();
    }

    @Override
    public String promise() {
        return writeKind == WriteKind.BLIND ? "records whole" : "no update lost, records whole";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        long records = recordsPerNode * nodes;
        return List.of(TableSchema.ofLongKeys(0, TABLE, recordBytes, PartitionCapacity.of(records, nodes)));
    }

    @Override
    public int maxAccesses() {
        return operations;
    }

    /** The mean and three standard deviations of the number of writes. */
    @Override
    public int maxWrites() {
        double share = values.decimal(WRITE_PERCENT) / 100;
        double usual = operations * share + 3 * Math.sqrt(operations * share * (1 - share));
        return Math.clamp((int) Math.ceil(usual), 1, operations);
    }

    @Override
    public void load(Loader loader) {
        Table table = loader.catalog().table(TABLE);
        long records = records(loader.catalog());
        for (long key = 0; key < records; key++) {
            loader.load(table, key, record -> {});
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        List<Generator> generators = new ArrayList<>();
        RecordSet[] sets = recordSets(catalog);
        for (int i = 0; i < count; i++) {
            generators.add(generator(transaction(catalog), sets, i * sets.length / count, random.split()));
        }
        return generators;
    }

    @Override
    public List<FragmentType> fragments() {
        return List.of(new FragmentType(YcsbTransaction.NAME, this::transaction));
    }

    private YcsbTransaction transaction(Catalog catalog) {
        return new YcsbTransaction(catalog.table(TABLE), operations, writeKind, computeNanos());
    }

    private long computeNanos() {
        return (long) (values.decimal(COMPUTE_MICROS) * TimeUnit.MICROSECONDS.toNanos(1));
    }

    private YcsbGenerator generator(YcsbTransaction transaction, RecordSet[] sets, int own, SplittableRandom random) {
        return new YcsbGenerator(
                transaction,
                sets[own],
                othersThan(sets, own),
                values.text(REMOTE_PERCENT).equals(ANYWHERE) ? 0 : values.decimal(REMOTE_PERCENT) / 100,
                values.decimal(WRITE_PERCENT) / 100,
                random);
    }

    @Override
    public boolean hasClients() {
        return true;
    }

    @Override
    public List<StoredProcedure<?, ?>> procedures() {
        return List.of(procedure(false), procedure(true));
    }

    private YcsbProcedure procedure(boolean readOnly) {
        return new YcsbProcedure(TABLE, recordBytes, operations, writeKind, computeNanos(), readOnly);
    }

    @Override
    public List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
        List<ClientGenerator> clients = new ArrayList<>();
        RecordSet[] sets = recordSets(catalog);
        YcsbProcedure writer = procedure(false);
        YcsbProcedure reader = procedure(true);
        for (int i = 0; i < count; i++) {
            YcsbTransaction drawn = transaction(catalog);
            YcsbGenerator generator = generator(drawn, sets, (int) ((long) i * sets.length / count), random.split());
            clients.add(new YcsbClient(generator, drawn, writer, reader));
        }
        return clients;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        long[] count = {0};
        long[] sum = {0};
        long[] torn = {0};
        inspection.forEachTuple(catalog.table(TABLE), (memory, keyOffset, recordOffset) -> {
            long first = memory.getLong(recordOffset);
            count[0]++;
            sum[0] += first;
            for (int offset = Long.BYTES; offset < recordBytes; offset += Long.BYTES) {
                if (memory.getLong(recordOffset + offset) != first) {
                    torn[0]++;
                    break;
                }
            }
        });
        List<String> violations = new ArrayList<>();
        long updates = clients.stream().mapToLong(Account::tally).sum();
        long tornReads = clients.stream().mapToLong(Account::anomalies).sum();
        if (count[0] != records(catalog)) {
            violations.add("there are " + count[0] + " records, but no transaction adds or removes any of the "
                    + records(catalog) + " at the start");
        }
        if (writeKind == WriteKind.READ_MODIFY_WRITE && !Account.explain(clients, sum[0], updates)) {
            violations.add("updates are lost or repeated: the records count " + sum[0]
                    + ", but committed transactions made " + updates);
        }
        if (torn[0] > 0) {
            violations.add(torn[0] + " records are not whole: parts of them come from different updates");
        }
        if (tornReads > 0) {
            violations.add("committed transactions read " + tornReads
                    + " records that were not whole: parts of them came from different updates");
        }
        return violations;
    }

    private long records(Catalog catalog) {
        return recordsPerNode * catalog.placement().nodes();
    }

    /** The record sets of every node, or a single set for all. */
    private RecordSet[] recordSets(Catalog catalog) {
        long records = records(catalog);
        if (values.text(REMOTE_PERCENT).equals(ANYWHERE)) {
            return new RecordSet[] {RecordSet.all(records, chooser(records))};
        }
        RecordSet[] sets = RecordSet.byNode(catalog.home(), records, this::chooser);
        for (RecordSet set : sets) {
            if (set.size() < operations) {
                throw values.refuse(OPERATIONS, "at most as many as a node has records, here " + set.size());
            }
        }
        return sets;
    }

    private static RecordSet[] othersThan(RecordSet[] sets, int own) {
        RecordSet[] others = new RecordSet[sets.length - 1];
        System.arraycopy(sets, 0, others, 0, own);
        System.arraycopy(sets, own + 1, others, own, others.length - own);
        return others;
    }

    private KeyChooser chooser(long records) {
        if (isZipfian()) {
            return new Zipfian(records, values.decimal(THETA));
        }
        long hotRecords = Math.clamp((long) (records * values.decimal(HOT_AREA_PERCENT) / 100), 1, records);
        return new HotArea(records, hotRecords, values.decimal(HOT_ACCESS_PERCENT) / 100);
    }
}
