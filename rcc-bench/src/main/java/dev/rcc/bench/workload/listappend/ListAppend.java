package dev.rcc.bench.workload.listappend;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Transactions that read some lists and append unique elements to other lists. No append is lost or repeated: at the end the
 * lists are together as long as the committed transactions made them, and no element occurs twice.
 */
public final class ListAppend implements Workload {
    static final Option KEYS = Option.integer("keys", 100, 1, 1_000_000_000, "lists", "lists in all");
    static final Option OPERATIONS =
            Option.integer("operations", 4, 1, 100, "operations", "operations of a transaction at most, at least one");
    static final Option APPEND_PERCENT =
            Option.decimal("append-percent", 50, 0, 100, "percent", "how many of the operations append");

    private static final String TABLE = "lists";

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "list-append",
            "Transactions read lists and append to lists; made to find anomalies (Elle).",
            new OptionTable(WorkloadType.PREFIX, List.of(KEYS, OPERATIONS, APPEND_PERCENT)),
            ListAppend::new);

    private final OptionValues values;

    ListAppend(OptionValues values) {
        this.values = values;
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
        return "no append lost or repeated";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        return List.of(TableSchema.ofLongKeys(
                0, TABLE, ListLayout.RECORD_BYTES, PartitionCapacity.of(values.integer(KEYS), nodes)));
    }

    @Override
    public int maxAccesses() {
        return values.intValue(OPERATIONS);
    }

    @Override
    public void load(Loader loader) {
        Table table = loader.catalog().table(TABLE);
        for (long key = 0; key < values.integer(KEYS); key++) {
            loader.load(table, key, record -> {});
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        List<Generator> generators = new ArrayList<>();
        for (int client = 0; client < count; client++) {
            generators.add(new ListAppendGenerator(
                    new ListAppendTransaction(catalog.table(TABLE), values.intValue(OPERATIONS)),
                    client,
                    values.intValue(OPERATIONS),
                    values.integer(KEYS),
                    values.decimal(APPEND_PERCENT) / 100,
                    random.split()));
        }
        return generators;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        long[] appended = {0};
        Set<Long> elements = new HashSet<>();
        List<String> violations = new ArrayList<>();
        inspection.forEachTuple(catalog.table(TABLE), (memory, keyOffset, record) -> {
            long count = ListLayout.count(memory, record);
            appended[0] += count;
            for (long i = Math.max(0, count - ListLayout.KEPT); i < count; i++) {
                long element = ListLayout.element(memory, record, i);
                if (element == 0 || !elements.add(element)) {
                    violations.add("element " + i + " of list " + memory.getLong(keyOffset) + " is "
                            + (element == 0 ? "missing" : element + ", which is in the lists twice"));
                }
            }
        });
        long committed = clients.stream().mapToLong(Account::tally).sum();
        if (!Account.explain(clients, appended[0], committed)) {
            violations.add("appends are lost or repeated: the lists have " + appended[0]
                    + " elements, but committed transactions appended " + committed);
        }
        return violations;
    }
}
