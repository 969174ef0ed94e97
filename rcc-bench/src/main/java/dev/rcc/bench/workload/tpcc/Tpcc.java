package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.ClientPlace;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.ReportLine;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadRun;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * TPC-C. Warehouse {@code w} is in partition {@code w} modulo the number of nodes, with all its rows; a node's clients are at
 * terminals of its own warehouses.
 *
 * <p>At the end the twelve consistency conditions hold, and the rows that committed transactions added are there.
 */
public final class Tpcc implements Workload {
    static final Option WAREHOUSES_PER_NODE =
            Option.integer("warehouses-per-node", 1, 1, 10_000, "warehouses", "warehouses of each node");
    static final Option DISTRICTS = Option.integer(
            "districts",
            TpccScale.MAX_DISTRICTS,
            1,
            TpccScale.MAX_DISTRICTS,
            "districts",
            "districts of each warehouse; less is not TPC-C's scale, but good for tests");
    static final Option CUSTOMERS = Option.integer(
            "customers",
            TpccScale.MAX_CUSTOMERS,
            1,
            TpccScale.MAX_CUSTOMERS,
            "customers",
            "customers of each district, each with an order at the start; less is not TPC-C's scale");
    static final Option ITEMS = Option.integer(
            "items",
            TpccScale.MAX_ITEMS,
            1,
            TpccScale.MAX_ITEMS,
            "items",
            "number of items; less is not TPC-C's scale");
    static final Option ITEM = Option.choice(
            "item",
            "replicated",
            List.of("replicated", "hashed"),
            "whether each node has all items, or the items are spread over the nodes, so that a NewOrder reads most of"
                    + " them from other nodes");
    static final Option GROWTH_PERCENT = Option.decimal(
            "growth-percent",
            200,
            0,
            1_000_000,
            "percent",
            "room for orders and payments beyond those at the start; transactions beyond it abort with TABLE_FULL");
    static final Option POPULATION_SEED =
            Option.integer("population-seed", 1, 0, Long.MAX_VALUE, "", "seed of the data at the start");

    static final Option MIX = Option.choice(
            "mix",
            "cards",
            List.of("cards", "weights"),
            "how transactions are drawn: by decks of 23 cards (5.2.4.2), or by weights");
    /** The weight of each kind. */
    static final Map<Kind, Option> WEIGHTS = weightOptions();

    static final Option ONLY = Option.text(
            "only",
            "all",
            "all, or some of " + String.join(", ", Kind.labels()) + " with commas",
            "the transactions that run");
    static final Option REMOTE_LINES = Option.decimal(
            "remote-lines-percent", 1, 0, 100, "percent", "how many order lines another warehouse supplies");
    static final Option REMOTE_PAYMENTS = Option.decimal(
            "remote-payments-percent",
            15,
            0,
            100,
            "percent",
            "how many payments are for customers of another warehouse");
    static final Option BY_NAME = Option.decimal(
            "by-name-percent", 60, 0, 100, "percent", "how many customers are given by their last names");
    static final Option ROLLBACKS = Option.decimal(
            "rollback-percent", 1, 0, 100, "percent", "how many NewOrders end with an item that does not exist");
    static final Option DELIVERY = Option.choice(
            "deliveries",
            "whole",
            List.of("whole", "parts"),
            "whether Delivery is one transaction, or one after the other for each district (2.7.2)");
    static final Option THINK_TIMES = Option.choice(
            "think-times",
            "none",
            List.of("none", "spec"),
            "whether users take their time to type and read (5.2.5), at ten terminals for each warehouse");
    static final Option HOME = Option.choice(
            "home",
            "terminal",
            List.of("terminal", "node", "cluster"),
            "where a client is at work: at one warehouse of its node, or any time at any of its node's, or of the cluster's");
    static final Option CLIENTS_PER_HOME = Option.integer(
            "clients-per-home",
            1,
            1,
            1_000_000,
            "clients",
            "number of consecutive clients of a node that share a home warehouse, if they have one; the number of"
                    + " a worker's coroutines gives each worker one warehouse");

    /** StockLevel's reads of all tables, counted in customers' records, and the leaves of an index. */
    private static final int MAX_ACCESSES = 256;

    private static final int MAX_WRITES = 128;
    /** The terminals of each warehouse (4.2.2). */
    private static final int TERMINALS = 10;

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "tpcc",
            "Wholesale suppliers: nine tables, five transactions, twelve consistency conditions (TPC-C 5.11).",
            new OptionTable(WorkloadType.PREFIX, optionList()),
            Tpcc::new);

    private final OptionValues values;
    private final Set<Kind> kinds;

    Tpcc(OptionValues values) {
        this.values = values;
        this.kinds = kinds(values);
        if (isWeighted() && Arrays.stream(weights()).sum() == 0) {
            throw values.refuse(WEIGHTS.get(kinds.iterator().next()), "more than 0, for all other weights are 0");
        }
        WEIGHTS.forEach(this::refuseWithoutEffect);
        if (waits()) {
            refuseSharedTerminals();
        }
    }

    private void refuseWithoutEffect(Kind kind, Option weight) {
        if (!isWeighted() && values.isGiven(weight)) {
            throw values.refuse(weight, "none without " + WorkloadType.PREFIX + "mix=weights");
        }
        if (!kinds.contains(kind) && values.isGiven(weight)) {
            throw values.refuse(
                    weight,
                    "none with " + WorkloadType.PREFIX + ONLY + "=" + values.text(ONLY) + ", which leaves it out");
        }
    }

    /** With the standard's waiting times, each terminal has a district of one warehouse (2.8.1.1). */
    private void refuseSharedTerminals() {
        String why = " with " + WorkloadType.PREFIX + THINK_TIMES
                + "=spec, as each of the ten terminals of a warehouse has its own district";
        if (!values.text(HOME).equals(HOME.defaultValue())) {
            throw values.refuse(HOME, HOME.defaultValue() + why);
        }
        if (values.intValue(CLIENTS_PER_HOME) != 1) {
            throw values.refuse(CLIENTS_PER_HOME, "1" + why);
        }
    }

    private static Set<Kind> kinds(OptionValues values) {
        String only = values.text(ONLY);
        Set<Kind> kinds = new LinkedHashSet<>();
        for (String label : only.split(",", -1)) {
            Arrays.stream(Kind.values())
                    .filter(kind ->
                            only.equals(ONLY.defaultValue()) || kind.label().equals(label))
                    .forEach(kinds::add);
            if (!only.equals(ONLY.defaultValue()) && !Kind.labels().contains(label)) {
                throw values.refuse(ONLY, ONLY.allowed());
            }
        }
        return kinds;
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
        return "conditions 3.3.2.1 to 3.3.2.12; all committed orders and payments are there";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        TpccScale scale = scale(nodes);
        long moreOrders = (long) Math.ceil(scale.orders() * values.decimal(GROWTH_PERCENT) / 100);
        return TpccTables.schemas(scale, moreOrders, nodes, values.text(ITEM).equals("replicated"));
    }

    @Override
    public int maxAccesses() {
        return MAX_ACCESSES;
    }

    @Override
    public int maxWrites() {
        return MAX_WRITES;
    }

    @Override
    public List<String> kinds() {
        return Kind.labels();
    }

    @Override
    public List<ReportLine> report(WorkloadRun run) {
        return TpccReport.of(run, scale(run.nodes()), waits());
    }

    @Override
    public void load(Loader loader) {
        Catalog catalog = loader.catalog();
        TpccScale scale = scale(catalog.placement().nodes());
        TpccTables tables = new TpccTables(catalog);
        long seed = values.integer(POPULATION_SEED);
        new Population(loader, tables, scale, seed).loadItems();
        List<Consumer<Loader>> tasks = new ArrayList<>();
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            int[] warehouses = warehousesOf(catalog.placement(), partition, scale);
            tasks.add(each -> {
                Population population = new Population(each, tables, scale, seed);
                Arrays.stream(warehouses).forEach(population::loadWarehouse);
            });
        }
        loader.inParallel(tasks);
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        TpccTables tables = new TpccTables(catalog);
        TpccRules rules = rules(catalog, random);
        List<Generator> generators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            generators.add(new TpccGenerator(
                    tables, catalog, rules.scale(), terminal(catalog, rules, i, count, random.split())));
        }
        return generators;
    }

    @Override
    public boolean hasClients() {
        return true;
    }

    @Override
    public List<StoredProcedure<?, ?>> procedures() {
        return List.of(new TpccCall.Stored(TpccCall.WRITER), new TpccCall.Stored(TpccCall.READER));
    }

    @Override
    public List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
        TpccRules rules = rules(catalog, random);
        List<ClientGenerator> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(new TpccClient(rules.scale(), terminal(catalog, rules, i, count, random.split())));
        }
        return clients;
    }

    private TpccRules rules(Catalog catalog, SplittableRandom random) {
        return new TpccRules(
                scale(catalog.placement().nodes()),
                Nurand.draw(Nurand.loadedLastName(values.integer(POPULATION_SEED)), random),
                mix(),
                values.decimal(REMOTE_LINES),
                values.decimal(REMOTE_PAYMENTS),
                values.decimal(BY_NAME),
                values.decimal(ROLLBACKS),
                waits(),
                values.text(DELIVERY).equals("parts"));
    }

    private boolean waits() {
        return values.text(THINK_TIMES).equals("spec");
    }

    @Override
    public void checkClients(int nodes, int clients) {
        int terminals = TERMINALS * scale(nodes).warehouses();
        if (waits() && clients != terminals) {
            throw values.refuse(
                    THINK_TIMES,
                    "none, or " + terminals + " clients in all, ten for each warehouse, in place of " + clients);
        }
    }

    private Supplier<Mix> mix() {
        if (isWeighted()) {
            Mix mix = Mix.weights(weights());
            return () -> mix;
        }
        return () -> Mix.cards(kinds);
    }

    private boolean isWeighted() {
        return values.text(MIX).equals("weights");
    }

    private double[] weights() {
        double[] weights = new double[Kind.values().length];
        kinds.forEach(kind -> weights[kind.number()] = values.decimal(WEIGHTS.get(kind)));
        return weights;
    }

    /** The terminal of a client, one of {@code count} clients, of which each node has the same number. */
    private Terminal terminal(Catalog catalog, TpccRules rules, int client, int count, SplittableRandom random) {
        Placement placement = catalog.placement();
        ClientPlace place = ClientPlace.of(client, count, placement.nodes());
        int[] local = warehousesOf(placement, place.node(), rules.scale());
        int home = place.number() / values.intValue(CLIENTS_PER_HOME);
        int[] homes = switch (values.text(HOME)) {
            case "terminal" -> new int[] {local[home % local.length]};
            case "node" -> local;
            default -> allWarehouses(rules.scale());
        };
        int district = 1 + home / local.length % rules.scale().districts();
        return new Terminal(rules, homes, district, random);
    }

    private static int[] warehousesOf(Placement placement, int node, TpccScale scale) {
        return Arrays.stream(allWarehouses(scale))
                .filter(warehouse -> warehouse % placement.partitions() == node)
                .toArray();
    }

    private static int[] allWarehouses(TpccScale scale) {
        int[] warehouses = new int[scale.warehouses()];
        Arrays.setAll(warehouses, i -> i + 1);
        return warehouses;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        Conditions conditions = conditions(catalog, inspection);
        List<String> violations = new ArrayList<>(conditions.violations());
        Map<String, Long> committed = Account.sumOfCounts(clients);
        Look.CONDITIONS.forEach(condition -> expectNoneSeen(violations, committed, condition));
        expectCommitted(
                violations,
                "orders",
                clients,
                conditions.newOrders(),
                committed.getOrDefault(TpccTally.NEW_ORDERS, 0L));
        expectCommitted(
                violations, "order lines", clients, conditions.newLines(), committed.getOrDefault(TpccTally.LINES, 0L));
        expectCommitted(
                violations, "payments", clients, conditions.payments(), committed.getOrDefault(TpccTally.PAYMENTS, 0L));
        expectCommitted(
                violations,
                "deliveries",
                clients,
                conditions.deliveries(),
                committed.getOrDefault(TpccTally.DELIVERED, 0L));
        return violations;
    }

    private Conditions conditions(Catalog catalog, ClusterInspection inspection) {
        return new Conditions(new TpccTables(catalog), scale(catalog.placement().nodes()), inspection);
    }

    private static void expectNoneSeen(List<String> violations, Map<String, Long> counts, int condition) {
        long seen = TpccTally.violations(counts, condition);
        if (seen > 0) {
            violations.add(Conditions.condition(condition) + ": while clients ran, it did not hold in " + seen + " of "
                    + counts.get(TpccTally.LOOKS) + " transactions that checked it; the log describes how");
        }
    }

    /** Expects as many as the clients have committed. */
    private static void expectCommitted(
            List<String> violations, String what, List<? extends Account> clients, long found, long committed) {
        if (!Account.explain(clients, found, committed)) {
            violations.add("there are " + found + " " + what + " beyond those at the start, but " + committed
                    + " were committed (9.2.2.5)");
        }
    }

    private TpccScale scale(int nodes) {
        return new TpccScale(
                Math.multiplyExact(values.intValue(WAREHOUSES_PER_NODE), nodes),
                values.intValue(DISTRICTS),
                values.intValue(CUSTOMERS),
                values.intValue(ITEMS));
    }

    private static Map<Kind, Option> weightOptions() {
        Map<Kind, Option> options = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            options.put(
                    kind,
                    Option.decimal(
                            kind.label(),
                            kind.weight(),
                            0,
                            1_000_000,
                            "weight",
                            "share of this transaction in the mix"));
        }
        return options;
    }

    private static List<Option> optionList() {
        List<Option> options = new ArrayList<>(List.of(
                WAREHOUSES_PER_NODE, DISTRICTS, CUSTOMERS, ITEMS, ITEM, GROWTH_PERCENT, POPULATION_SEED, ONLY, MIX));
        options.addAll(WEIGHTS.values());
        options.addAll(List.of(
                REMOTE_LINES, REMOTE_PAYMENTS, BY_NAME, ROLLBACKS, DELIVERY, THINK_TIMES, HOME, CLIENTS_PER_HOME));
        return options;
    }
}
