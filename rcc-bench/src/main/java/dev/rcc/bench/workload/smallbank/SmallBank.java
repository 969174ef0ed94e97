package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.HotArea;
import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * SmallBank: customers with a checking and a savings account each, in two tables keyed by the account's number. A record
 * is the balance in cents, one word.
 *
 * <p>Money is conserved: at the end, all balances add up to what the bank began with and what the committed deposits and
 * withdrawals brought in or took out. A lost, torn or repeated update breaks the sum.
 *
 * <p>Payments and withdrawals give up for insufficient funds, as in H-Store, but only beyond a credit line. Without one,
 * Amalgamate soon leaves most accounts empty, and then more than a fifth of all transactions are refused: the longer and
 * the faster a run, the more of them.
 */
public final class SmallBank implements Workload {
    static final Option ACCOUNTS = Option.integer(
            "accounts", 100_000, 2, 1_000_000_000, "customers", "customers, each with a checking and a savings account");
    static final Option HOT_ACCOUNTS =
            Option.integer("hot-accounts", 1_000, 1, 1_000_000_000, "customers", "customers in the hot set");
    static final Option HOT_PROBABILITY = Option.decimal(
            "hot-probability", 0, 0, 100, "percent", "how often a customer is drawn from the hot set; 0 is uniform");
    static final Option INITIAL_BALANCE = Option.integer(
            "initial-balance", 1_000_000, 0, 1_000_000_000, "cents", "what is in each account at the start");
    static final Option CREDIT_LINE = Option.integer(
            "credit-line",
            1_000_000,
            0,
            1_000_000_000,
            "cents",
            "how far below zero a payment or withdrawal may take an account; 0 is H-Store's rule");

    private static final int MAX_WEIGHT = 1_000_000;
    private static final int MIN_ACCOUNTS = 2;
    private static final int RECORD_BYTES = Long.BYTES;
    private static final int MAX_ACCESSES = 3;
    private static final String CHECKING = "checking";
    private static final String SAVINGS = "savings";

    /** How users pick this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "smallbank",
            "Bank accounts: six short transactions on two tables (SmallBank, H-Store's mix).",
            new OptionTable(WorkloadType.PREFIX, optionList()),
            SmallBank::new);

    private final OptionValues values;
    private final long accounts;
    private final long initialBalance;
    private final long lowestBalance;
    private final HotArea customers;
    private final int[] weights;

    SmallBank(OptionValues values) {
        this.values = values;
        this.accounts = values.integer(ACCOUNTS);
        this.initialBalance = values.integer(INITIAL_BALANCE);
        this.lowestBalance = -values.integer(CREDIT_LINE);
        // A default that is too large for a small bank is cut; what was asked for is not.
        long hotAccounts = values.integer(HOT_ACCOUNTS);
        if (hotAccounts > accounts && hotAccounts == Long.parseLong(HOT_ACCOUNTS.defaultValue())) {
            hotAccounts = accounts;
        }
        if (hotAccounts > accounts) {
            throw values.refuse(HOT_ACCOUNTS, "1 to the number of accounts, " + accounts);
        }
        double hotProbability = values.decimal(HOT_PROBABILITY) / 100;
        if (hotProbability == 1 && hotAccounts < MIN_ACCOUNTS) {
            throw values.refuse(HOT_ACCOUNTS, "at least 2 when all accesses are hot: a payment needs two customers");
        }
        this.customers = new HotArea(accounts, hotAccounts, hotProbability);
        this.weights = new int[Kind.values().length];
        int sum = 0;
        for (Kind kind : Kind.values()) {
            weights[kind.ordinal()] = values.intValue(kind.weight);
            sum += weights[kind.ordinal()];
        }
        if (sum == 0) {
            throw values.refuse(Kind.values()[0].weight, "at least one of the weights must be more than 0");
        }
    }

    /** The six transactions with the option for each one's weight in the mix. */
    enum Kind {
        AMALGAMATE("amalgamate", 15),
        BALANCE("balance", 15),
        DEPOSIT_CHECKING("deposit-checking", 15),
        SEND_PAYMENT("send-payment", 25),
        TRANSACT_SAVINGS("transact-savings", 15),
        WRITE_CHECK("write-check", 15);

        final Option weight;

        Kind(String key, int defaultWeight) {
            weight = Option.integer(key, defaultWeight, 0, MAX_WEIGHT, "weight", "weight in the mix");
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
        return "money conserved";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        long capacity = PartitionCapacity.of(accounts, nodes);
        return List.of(
                TableSchema.ofLongKeys(0, CHECKING, RECORD_BYTES, capacity),
                TableSchema.ofLongKeys(1, SAVINGS, RECORD_BYTES, capacity));
    }

    @Override
    public int maxAccesses() {
        return MAX_ACCESSES;
    }

    @Override
    public void load(EmbeddedCluster cluster) {
        EmbeddedCluster.Loader loader = cluster.loader();
        for (Table table : accountTables(cluster.catalog())) {
            for (long account = 0; account < accounts; account++) {
                loader.load(
                        table, account, record -> record.putLong(SmallBankProcedure.BALANCE_OFFSET, initialBalance));
            }
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        Table checking = catalog.table(CHECKING);
        Table savings = catalog.table(SAVINGS);
        List<Generator> generators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            generators.add(
                    new SmallBankGenerator(checking, savings, lowestBalance, customers, weights, random.split()));
        }
        return generators;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<Generator> generators) {
        List<String> violations = new ArrayList<>();
        long[] count = {0};
        long[] sum = {0};
        for (Table table : accountTables(catalog)) {
            inspection.forEachTuple(table, (memory, keyOffset, recordOffset) -> {
                count[0]++;
                sum[0] += memory.getLong(recordOffset + SmallBankProcedure.BALANCE_OFFSET);
            });
        }
        long initial = 2 * accounts * initialBalance;
        long net = generators.stream().mapToLong(Generator::tally).sum();
        if (count[0] != 2 * accounts) {
            violations.add("there are " + count[0] + " accounts, but no transaction opens or closes any of the "
                    + 2 * accounts + " at the start");
        }
        if (sum[0] != initial + net) {
            violations.add("money is not conserved: all balances add up to " + sum[0] + " cents, but the bank began with "
                    + initial + " and committed transactions brought in " + net + ", which makes " + (initial + net)
                    + " (" + (sum[0] - initial - net) + " too much)");
        }
        return violations;
    }

    private static List<Table> accountTables(Catalog catalog) {
        return List.of(catalog.table(CHECKING), catalog.table(SAVINGS));
    }

    private static List<Option> optionList() {
        List<Option> options =
                new ArrayList<>(List.of(ACCOUNTS, HOT_ACCOUNTS, HOT_PROBABILITY, INITIAL_BALANCE, CREDIT_LINE));
        for (Kind kind : Kind.values()) {
            options.add(kind.weight);
        }
        return options;
    }
}
