package dev.rcc.bench.workload.smallbank;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.ClientPlace;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.HotArea;
import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.bench.workload.KeysOfNode;
import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.cluster.Placement;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * SmallBank: customers with a checking and a savings account each, in two tables keyed by the account's number. A record
 * is the balance in cents, one word.
 *
 * <p>Money is conserved: at the end, all balances add up to the bank's initial money plus the net amount of the committed deposits and
 * withdrawals. A lost, torn or repeated update breaks the sum.
 *
 * <p>Payments and withdrawals give up for insufficient funds, as in H-Store, but only beyond a credit line. Without one,
 * Amalgamate soon leaves most accounts empty, and then more than a fifth of all transactions are refused: the longer and
 * the faster a run, the more refusals.
 */
public final class SmallBank implements Workload {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    static final Option ACCOUNTS = Option.integer(
            "accounts",
            100_000,
            2,
            1_000_000_000,
            "customers",
            "customers, each with a checking and a savings account");
    static final Option HOT_ACCOUNTS =
            Option.integer("hot-accounts", 1_000, 1, 1_000_000_000, "customers", "customers in the hot set");
    static final Option HOT_PROBABILITY = Option.decimal(
            "hot-probability", 0, 0, 100, "percent", "how often a customer is drawn from the hot set; 0 is uniform");
    static final Option INITIAL_BALANCE = Option.integer(
            "initial-balance", 1_000_000, 0, 1_000_000_000, "cents", "balance of each account at the start");
    static final Option CREDIT_LINE = Option.integer(
            "credit-line",
            1_000_000,
            0,
            1_000_000_000,
            "cents",
            "how far below zero payments and withdrawals may go; H-Store has 0");

    static final Option HOME = Option.choice(
            "home",
            CLUSTER,
            List.of(CLUSTER, NODE, "node-0"),
            "which node has a client's customers: any node of the cluster, the client's own node, or node 0, which then leads all"
                    + " partitions that are written");

    private static final int MAX_WEIGHT = 1_000_000;

    /** The weight of each kind in the mix; RCC (6.1) and H-Store have the same. */
    static final Map<Kind, Option> WEIGHTS = new EnumMap<>(Map.of(
            Kind.AMALGAMATE, weight("amalgamate", 15),
            Kind.BALANCE, weight("balance", 15),
            Kind.DEPOSIT_CHECKING, weight("deposit-checking", 15),
            Kind.SEND_PAYMENT, weight("send-payment", 25),
            Kind.TRANSACT_SAVINGS, weight("transact-savings", 15),
            Kind.WRITE_CHECK, weight("write-check", 15)));

    private static final int MIN_ACCOUNTS = 2;
    /** So many that each node has some accounts: a draw of one node's accounts ends. */
    private static final int MIN_ACCOUNTS_PER_NODE = 100;

    private static final int RECORD_BYTES = Long.BYTES;
    private static final int MAX_ACCESSES = 3;
    static final String CHECKING = "checking";
    static final String SAVINGS = "savings";

    /** The type by which users choose this workload. */
    public static final WorkloadType TYPE = new WorkloadType(
            "smallbank",
            "Bank accounts: six short transactions on two tables (SmallBank, H-Store's mix).",
            new OptionTable(WorkloadType.PREFIX, optionList()),
            SmallBank::new);

    private final OptionValues values;
    private final long accounts;
    private final long initialBalance;
    private final long lowestBalance;
    private final long hotAccounts;
    private final HotArea customers;
    private final Mix mix;

    SmallBank(OptionValues values) {
        this.values = values;
        this.accounts = values.integer(ACCOUNTS);
        this.initialBalance = values.integer(INITIAL_BALANCE);
        this.lowestBalance = -values.integer(CREDIT_LINE);
        if (values.integer(HOT_ACCOUNTS) > accounts && values.isGiven(HOT_ACCOUNTS)) {
            throw values.refuse(HOT_ACCOUNTS, "1 to the number of accounts, " + accounts);
        }
        this.hotAccounts = Math.min(values.integer(HOT_ACCOUNTS), accounts);
        double hotProbability = values.decimal(HOT_PROBABILITY) / 100;
        if (hotProbability == 1 && hotAccounts < MIN_ACCOUNTS) {
            throw values.refuse(HOT_ACCOUNTS, "at least 2 when all accesses are hot: a payment needs two customers");
        }
        this.customers = new HotArea(accounts, hotAccounts, hotProbability);
        this.mix = new Mix(WEIGHTS.values().stream().mapToInt(values::intValue).toArray());
        if (mix.sum() == 0) {
            throw values.refuse(WEIGHTS.get(Kind.AMALGAMATE), "more than 0, for all other weights are 0");
        }
    }

    /** The six transactions. */
    enum Kind {
        AMALGAMATE,
        BALANCE,
        DEPOSIT_CHECKING,
        SEND_PAYMENT,
        TRANSACT_SAVINGS,
        WRITE_CHECK
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
    public void checkClients(int nodes, int clients) {
        if (values.text(HOME).equals(CLUSTER)) {
            return;
        }
        long least = (long) MIN_ACCOUNTS_PER_NODE * nodes;
        String allowed = "at least " + least + " while home is " + values.text(HOME) + ": each node must have some";
        if (accounts < least) {
            throw values.refuse(ACCOUNTS, allowed);
        }
        if (values.decimal(HOT_PROBABILITY) == 100 && hotAccounts < least) {
            throw values.refuse(HOT_ACCOUNTS, allowed);
        }
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
    public void load(Loader loader) {
        for (Table table : accountTables(loader.catalog())) {
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
            generators.add(new SmallBankGenerator(
                    checking,
                    savings,
                    lowestBalance,
                    new SmallBankDraw(customers(catalog, i, count), mix, random.split())));
        }
        return generators;
    }

    /** The customers that a client draws from, one of {@code count} clients, of which each node has the same number. */
    KeyChooser customers(Catalog catalog, int client, int count) {
        if (values.text(HOME).equals(CLUSTER)) {
            return customers;
        }
        Placement home = catalog.home();
        int node = values.text(HOME).equals(NODE)
                ? ClientPlace.of(client, count, home.nodes()).node()
                : 0;
        return new KeysOfNode(customers, catalog.table(CHECKING), home, node);
    }

    @Override
    public List<FragmentType> fragments() {
        return List.of(
                fragment(Amalgamate.NAME, Amalgamate::new),
                fragment(Balance.NAME, Balance::new),
                fragment(DepositChecking.NAME, DepositChecking::new),
                fragment(SendPayment.NAME, (checking, savings) -> new SendPayment(checking, savings, lowestBalance)),
                fragment(
                        TransactSavings.NAME,
                        (checking, savings) -> new TransactSavings(checking, savings, lowestBalance)),
                fragment(WriteCheck.NAME, WriteCheck::new));
    }

    private static FragmentType fragment(String name, BiFunction<Table, Table, SmallBankProcedure> maker) {
        return new FragmentType(name, catalog -> maker.apply(catalog.table(CHECKING), catalog.table(SAVINGS)));
    }

    @Override
    public boolean hasClients() {
        return true;
    }

    @Override
    public List<StoredProcedure<?, ?>> procedures() {
        return List.of(new SmallBankCall.Stored(SmallBankCall.WRITER), new SmallBankCall.Stored(SmallBankCall.READER));
    }

    @Override
    public List<ClientGenerator> clientGenerators(Catalog catalog, int count, SplittableRandom random) {
        List<ClientGenerator> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(new SmallBankClient(
                    new SmallBankDraw(customers(catalog, i, count), mix, random.split()), lowestBalance));
        }
        return clients;
    }

    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
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
        long net = clients.stream().mapToLong(Account::tally).sum();
        if (count[0] != 2 * accounts) {
            violations.add("there are " + count[0] + " accounts, but no transaction opens or closes any of the "
                    + 2 * accounts + " at the start");
        }
        boolean isSumKnown = isClosed() || Account.areComplete(clients);
        if (sum[0] != initial + net && isSumKnown) {
            violations.add("money is not conserved: all balances add up to " + sum[0]
                    + " cents, but the bank began with "
                    + initial + " and committed transactions brought in " + net + ", which makes " + (initial + net)
                    + " (" + (sum[0] - initial - net) + " too much)");
        }
        return violations;
    }

    /** Whether no transaction of the mix brings money in or out, so that outcomes that are not known do not matter. */
    private boolean isClosed() {
        return Stream.of(Kind.DEPOSIT_CHECKING, Kind.TRANSACT_SAVINGS, Kind.WRITE_CHECK)
                .allMatch(kind -> values.intValue(WEIGHTS.get(kind)) == 0);
    }

    private static List<Table> accountTables(Catalog catalog) {
        return List.of(catalog.table(CHECKING), catalog.table(SAVINGS));
    }

    private static Option weight(String key, int defaultWeight) {
        return Option.integer(key, defaultWeight, 0, MAX_WEIGHT, "weight", "share of this transaction in the mix");
    }

    private static List<Option> optionList() {
        List<Option> options =
                new ArrayList<>(List.of(ACCOUNTS, HOT_ACCOUNTS, HOT_PROBABILITY, HOME, INITIAL_BALANCE, CREDIT_LINE));
        options.addAll(WEIGHTS.values());
        return options;
    }
}
