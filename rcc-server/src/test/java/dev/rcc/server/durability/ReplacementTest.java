package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.tcp.TcpProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes that are replaced when they die, and whose data survives: one node is killed and comes back, the power fails for all nodes at
 * any time, or both happen. Each client moves amounts between accounts and writes a receipt of each transfer, under a key of its own.
 * Afterwards the receipts show that each transfer has happened as a whole or not at all, that no acknowledged transfer is missing, and
 * that no transfer is there that was reported as aborted.
 */
@Execution(ExecutionMode.CONCURRENT) // its tests wait most of the time
class ReplacementTest {
    private static final long SEED = Long.getLong("rcc.seed", 3);
    private static final int ROUNDS = Integer.getInteger("rcc.lives", 1);
    /** The number of nodes that are killed one after the other; each case begins with another node. */
    private static final int KILLS = ROUNDS;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NODES = 3;
    private static final int COROUTINES = 2;
    private static final int ACCOUNTS = 12;
    private static final long INITIAL = 1000;
    private static final long RECEIPTS_PER_CLIENT = 1_000_000;
    private static final int KEYS_PER_CHECK = 20;
    private static final List<FailingDisk.Fault> FAULTS = List.of(FailingDisk.Fault.values());

    @TempDir
    private Path directory;

    private final FailingDisk[] disks = new FailingDisk[NODES];
    private final NodeHost[] hosts = new NodeHost[NODES];
    private final LoopbackPeers peers = new LoopbackPeers(NODES);
    private ClusterConfig config;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicLong lastClient = new AtomicLong();
    private final Set<Long> tried = ConcurrentHashMap.newKeySet();
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<Long> aborted = ConcurrentHashMap.newKeySet();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    /** The protocols of which each build runs some through power failures. */
    private static final List<String> PROTOCOLS = List.of("nowait", "occ", "mvcc", "sundial", "calvin");

    static Stream<Arguments> some() {
        return Stream.of(
                Arguments.of("nowait", Primitive.ONE_SIDED, 0),
                Arguments.of("occ", Primitive.RPC, 1),
                Arguments.of("mvcc", Primitive.RPC, 2),
                Arguments.of("sundial", Primitive.ONE_SIDED, 3),
                Arguments.of("calvin", Primitive.ONE_SIDED, 4));
    }

    @BeforeEach
    void makeDisks() {
        for (int node = 0; node < NODES; node++) {
            disks[node] = new FailingDisk();
        }
    }

    @AfterEach
    void closeAll() {
        close(IntStream.range(0, NODES).toArray());
    }

    private void configure(String name, Primitive primitive) {
        Protocol protocol = Protocols.byName(name);
        config = ClusterConfig.of(
                        protocol,
                        List.of(
                                TableSchema.ofLongKeys(0, "accounts", 8, ACCOUNTS),
                                TableSchema.ofLongKeys(1, "receipts", 16, 20_000)
                                        .ordered(256)))
                .withCode(HybridCode.uniform(protocol, primitive))
                .withShape(NODES, 1, COROUTINES, NODES)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withRecovery(Duration.ofSeconds(5));
    }

    // ---- nodes -----------------------------------------------------------------------------------------------------

    private void start(int node) {
        ClusterConfig own = config.withDurability(DurabilityOptions.in(directory.resolve("data"))
                .withSizes(1 << 14, 1 << 15)
                .withDisk(disks[node]));
        MembershipOptions membership = new MembershipOptions(
                directory.resolve("members-" + node), Duration.ofMillis(100), Duration.ofMillis(500));
        NodeHost.Factory factory = (serving, birth) ->
                new NodeServer(serving, new TcpProvider(), peers.channel(node), birth, Optional.of(membership));
        hosts[node] = new NodeHost(
                factory, own, TimeUnit.DAYS.toNanos(20_000), new InnerFront(this::spawn), new FirstFailure(failure));
        hosts[node].serve();
    }

    private void startAll() {
        IntStream.range(0, NODES).filter(node -> hosts[node] == null).forEach(this::start);
    }

    /** Closes nodes at the same time, as each of them takes a second to close the log of its group. */
    private void close(int... nodes) {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            CompletableFuture.allOf(IntStream.of(nodes)
                            .filter(node -> hosts[node] != null)
                            .mapToObj(node -> CompletableFuture.runAsync(hosts[node]::close, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
        for (int node : nodes) {
            hosts[node] = null;
        }
    }

    /** Nothing that the nodes write from now on reaches their disks; some earlier writes may be missing there too. */
    private void kill(SplittableRandom random, int... nodes) throws IOException {
        for (int node : nodes) {
            disks[node].failAfter(0, FailingDisk.Fault.NOTHING);
        }
        close(nodes);
        for (int node : nodes) {
            disks[node].losePower(random);
            disks[node].mend();
        }
        failure.set(null); // a node may have found that its disk fails
    }

    /** Each disk fails at a random operation; then all nodes are gone. */
    private void losePower(SplittableRandom random) throws IOException {
        FailingDisk.Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
        int operations = 1 + random.nextInt(60);
        for (FailingDisk disk : disks) {
            disk.failAfter(random.nextInt(operations), fault);
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(800));
        while (System.nanoTime() - deadline < 0 && !Stream.of(disks).allMatch(FailingDisk::isFailing)) {
            sleep();
        }
        kill(random, IntStream.range(0, NODES).toArray());
    }

    private Configuration configuration(int node) {
        return hosts[node].node().flatMap(NodeServer::configuration).orElseThrow();
    }

    private boolean serve(int... nodes) {
        return IntStream.of(nodes)
                .allMatch(node -> hosts[node].node().map(NodeServer::isServing).orElse(false)
                        && configuration(node).members().cardinality() == nodes.length);
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(failure.get()).isNull();
            assertThat(System.nanoTime() - deadline)
                    .as(() -> "seed " + SEED + ": nanoseconds until " + what + ": " + states())
                    .isNegative();
            sleep();
        }
    }

    private String states() {
        return Stream.of(hosts)
                .filter(Objects::nonNull)
                .flatMap(host -> host.node().stream())
                .map(node -> "node " + node.id() + " " + node.state() + " " + node.configuration())
                .collect(Collectors.joining(", "));
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(2);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitAll() {
        await("all serve", () -> serve(0, 1, 2));
    }

    // ---- clients ---------------------------------------------------------------------------------------------------

    private void spawn(NodeServer node) {
        for (int coroutine = 0; coroutine < COROUTINES; coroutine++) {
            node.spawn(0, coroutine, this::transfer);
        }
    }

    private void transfer(TransactionRunner runner, Coroutine self) {
        long key = lastClient.incrementAndGet() * RECEIPTS_PER_CLIENT;
        while (!over.get()) {
            key++;
            long from = self.worker().random(ACCOUNTS);
            long to = (from + 1 + self.worker().random(ACCOUNTS - 1)) % ACCOUNTS;
            tried.add(key);
            Outcome outcome;
            try {
                outcome = runner.run(new Transfer(key, from, to));
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
                throw e;
            }
            if (outcome == Outcome.COMMITTED) {
                acknowledged.add(key);
                commits.incrementAndGet();
            } else {
                aborted.add(key);
                self.sleep(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    /** A transfer of 1 with its receipt. It opens the accounts that it needs. */
    private static final class Transfer implements Procedure {
        private final long key;
        private final long from;
        private final long to;
        private final Access[] accesses = new Access[3];

        Transfer(long key, long from, long to) {
            this.key = key;
            this.from = from;
            this.to = to;
        }

        @Override
        public void declare(Transaction txn) {
            accesses[0] = txn.update(txn.catalog().table(0), from);
            accesses[1] = txn.update(txn.catalog().table(0), to);
            accesses[2] = txn.insert(txn.catalog().table(1), key);
        }

        @Override
        public void execute(Transaction txn) {
            accesses[0].putLong(0, accesses[0].getLong(0) - 1);
            accesses[1].putLong(0, accesses[1].getLong(0) + 1);
            accesses[2].putLong(0, from);
            accesses[2].putLong(8, to);
        }
    }

    /** Reads some records. */
    private static final class Reading implements Procedure {
        private final int table;
        private final List<Long> keys;
        private final List<Access> accesses = new ArrayList<>();
        /** By key: the words of the record, or nothing. */
        private final List<Optional<long[]>> found = new ArrayList<>();

        Reading(int table, List<Long> keys) {
            this.table = table;
            this.keys = keys;
        }

        @Override
        public void declare(Transaction txn) {
            accesses.clear();
            keys.forEach(key -> accesses.add(txn.read(txn.catalog().table(table), key)));
        }

        @Override
        public void execute(Transaction txn) {
            found.clear();
            for (Access access : accesses) {
                found.add(
                        access.exists()
                                ? Optional.of(new long[] {access.getLong(0), table == 0 ? 0 : access.getLong(8)})
                                : Optional.empty());
            }
        }
    }

    private void run(Procedure procedure) {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        NodeServer node = hosts[0].node().orElseThrow();
        node.spawn(0, 0, (runner, self) -> outcome.set(runner.run(procedure)));
        assertThat(node.awaitClients(PATIENCE)).isTrue();
        assertThat(outcome.get()).isEqualTo(Outcome.COMMITTED);
    }

    private void openAccounts() {
        over.set(true);
        awaitAll();
        hosts[0].node().orElseThrow().awaitClients(PATIENCE);
        run(new Procedure() {
            private final List<Access> accesses = new ArrayList<>();

            @Override
            public void declare(Transaction txn) {
                accesses.clear();
                for (long key = 0; key < ACCOUNTS; key++) {
                    accesses.add(txn.insert(txn.catalog().table(0), key));
                }
            }

            @Override
            public void execute(Transaction txn) {
                accesses.forEach(access -> access.putLong(0, INITIAL));
            }
        });
        resume();
    }

    private void resume() {
        over.set(false);
        commits.set(0);
        for (NodeHost host : hosts) {
            spawn(host.node().orElseThrow());
        }
    }

    private void awaitCommits(int count) {
        int goal = commits.get() + count;
        await(count + " commits", () -> commits.get() >= goal);
    }

    /** Stops the clients, and checks the data. */
    private void check() {
        over.set(true);
        for (NodeHost host : hosts) {
            assertThat(host.node().orElseThrow().awaitClients(PATIENCE)).isTrue();
        }
        long[] balances = new long[ACCOUNTS];
        List<Long> keys = tried.stream().sorted().toList();
        for (int from = 0; from < keys.size(); from += KEYS_PER_CHECK) {
            Reading reading = new Reading(1, keys.subList(from, Math.min(keys.size(), from + KEYS_PER_CHECK)));
            run(reading);
            for (int i = 0; i < reading.keys.size(); i++) {
                long key = reading.keys.get(i);
                Optional<long[]> receipt = reading.found.get(i);
                if (receipt.isPresent()) {
                    assertThat(aborted)
                            .as("seed %d: transfers of which clients were told that they have aborted", SEED)
                            .doesNotContain(key);
                    balances[(int) receipt.get()[0]]--;
                    balances[(int) receipt.get()[1]]++;
                } else {
                    assertThat(acknowledged)
                            .as("seed %d: transfers of which clients were told that they have committed", SEED)
                            .doesNotContain(key);
                }
            }
        }
        Reading accounts = new Reading(
                0, IntStream.range(0, ACCOUNTS).mapToObj(Long::valueOf).toList());
        run(accounts);
        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(accounts.found.get(account).orElseThrow()[0])
                    .as("seed %d: account %d", SEED, account)
                    .isEqualTo(INITIAL + balances[account]);
        }
        resume();
    }

    // ---- tests -----------------------------------------------------------------------------------------------------

    // Goal: whatever happens, no acknowledged transfer is lost, and no transfer is there that was reported
    // as aborted.
    // Method: in each round a node is killed, or not, and at a random time after that the power fails for
    // all nodes: before the others have gone on, after that, or while the node comes back. In one round of
    // three it fails once more while all start. Each case begins with another of these courses.
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("some")
    void shouldLoseNothingWhenNodesDieAndThePowerFails(String protocol, Primitive primitive, int first)
            throws IOException {
        BuildDraw.assumeDrawn("power failures", protocol, PROTOCOLS, 3);
        SplittableRandom random = new SplittableRandom(SEED);
        configure(protocol, primitive);
        startAll();
        openAccounts();
        for (int round = 0; round < ROUNDS; round++) {
            awaitCommits(1 + random.nextInt(60));
            int victim = random.nextInt(NODES);
            int[] left =
                    IntStream.range(0, NODES).filter(node -> node != victim).toArray();
            int course = (int) ((first + round + SEED) % 4);
            if (course > 0) {
                kill(random, victim);
            }
            if (course > 1) {
                await("the others serve", () -> serve(left));
                awaitCommits(1 + random.nextInt(60));
            }
            if (course > 2) {
                start(victim);
            }
            losePower(random);
            if (random.nextInt(3) == 0) {
                startAll();
                losePower(random);
            }
            startAll();
            awaitAll();
            awaitCommits(5);
            check();
        }
    }

    // Goal: a node that is killed is replaced, and rejoins when it is started again; no other node is
    // restarted.
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"nowait, RPC, 0", "calvin, RPC, 1", "calvin, ONE_SIDED, 2"})
    void shouldContinueWithoutADeadNodeAndReadmitIt(String protocol, Primitive primitive, int first)
            throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        configure(protocol, primitive);
        startAll();
        openAccounts();
        for (int kill = 0; kill < KILLS; kill++) {
            awaitCommits(20);
            int dead = (first + kill) % NODES;
            kill(random, dead);
            await(
                    "the others serve",
                    () -> serve(IntStream.range(0, NODES)
                            .filter(node -> node != dead)
                            .toArray()));
            awaitCommits(20);
            start(dead);
            awaitAll();
            check();
        }
    }

    // Goal: two nodes that die together leave some partition without a backup, so nothing goes on until both
    // are back; then all recover from their disks, by themselves, whichever node is left.
    // Method: both are started again while the third one lives, so that each expects to be given copies.
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"nowait, ONE_SIDED, 0", "mvcc, RPC, 2"})
    void shouldRecoverFromDiskWhenTwoNodesHaveDiedTogether(String protocol, Primitive primitive, int first)
            throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        configure(protocol, primitive);
        startAll();
        openAccounts();
        for (int kill = 0; kill < KILLS; kill++) {
            awaitCommits(20);
            int left = (first + kill) % NODES;
            int[] dead = IntStream.range(0, NODES).filter(node -> node != left).toArray();
            kill(random, dead);
            startAll();
            awaitAll();
            awaitCommits(5);
            check();
        }
    }
}
