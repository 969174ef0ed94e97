package dev.rcc.bench.jmh;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.Networks;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.network.FabricProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: how many transactions commit in a second, and with {@code -prof gc}, how many bytes of the Java heap does one cost? SmallBank
 * under NOWAIT, uniform, 100,000 customers, 3 nodes of one worker with 10 clients each, 3 replicas. With {@code -p protocol=NAME} and
 * {@code -p workload=NAME}: any protocol, any workload with its defaults. And what does a network cost, {@code -p network=shm,shm+tcp}: the
 * same network alone, and as one of two networks, with all nodes in one data centre? On two processors use {@code -p nodes=2}, because these
 * workers spin.
 *
 * <p>Unit: committed transactions per second. The clients run on the cluster's own workers; an invocation requests a
 * large number of commits from them and waits, and JMH counts each commit as an operation. The profiler counts the
 * allocations of all threads of the JVM, so {@code gc.alloc.rate.norm} is bytes per committed transaction. The last iteration counts the check of
 * the data, too.
 *
 * <p>A surprise would be more than a few bytes per transaction by one-sided verbs, as no code on that path should
 * allocate; or RPC the faster of the two.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"})
public class TransactionBenchmark {
    private static final int COMMITS = 20_000;
    private static final int SHARE = 50;
    private static final long IDLE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The concurrency control. */
    @Param("nowait")
    public String protocol;

    /** The transactions, with the workload's defaults. */
    @Param("smallbank")
    public String workload;

    /** How every stage communicates. */
    @Param({"one-sided", "rpc"})
    public String code;

    /** The network: local, or one or two networks between processes. The second one is between data centres, of which there is one. */
    @Param("local")
    public String network;

    /** The number of nodes; at most 3 replicas. */
    @Param("3")
    public int nodes;

    /** Transactions that are committed at a time; a test commits fewer. */
    int batch = COMMITS;

    private final CommitGate gate = new CommitGate();
    private Workload transactions;
    private EmbeddedCluster cluster;
    private List<Generator> generators;

    /** Starts the cluster and its clients. */
    @Setup
    public void start() {
        Protocol concurrencyControl = Protocols.byName(protocol);
        transactions = Workloads.create(workload, Map.of());
        BenchConfig config = BenchConfig.local(
                concurrencyControl,
                HybridCode.parse(concurrencyControl, code),
                transactions,
                new BenchConfig.Shape(nodes, 1, 10, Math.min(nodes, 3)),
                new BenchConfig.Times(0, 1),
                42);
        cluster = newCluster(BenchRunner.clusterConfig(config));
        transactions.load(cluster.loader());
        generators = transactions.generators(cluster.catalog(), config.clients(), new SplittableRandom(config.seed()));
        cluster.start();
        Iterator<Generator> each = generators.iterator();
        for (int node = 0; node < config.nodes(); node++) {
            for (int coroutine = 0; coroutine < config.coroutines(); coroutine++) {
                Generator generator = each.next();
                cluster.spawn(node, 0, coroutine, (runner, self) -> runClient(runner, self, generator));
            }
        }
    }

    private EmbeddedCluster newCluster(ClusterConfig config) {
        if (network.equals("local")) {
            return new EmbeddedCluster(config);
        }
        List<FabricProvider> networks =
                Stream.of(network.split("\\+", -1)).map(Networks::byName).toList();
        return new EmbeddedCluster(
                config,
                networks.size() == 1
                        ? networks.getFirst()
                        : Networks.pair(networks.getFirst(), networks.getLast(), config.zones()));
    }

    /** Ends the clients, and fails if money is missing. */
    @TearDown
    public void stop() {
        gate.close();
        try (EmbeddedCluster closing = cluster) {
            if (!closing.awaitClients(PATIENCE) || !closing.quiesce(PATIENCE)) {
                throw new IllegalStateException("the cluster did not come to rest");
            }
            ClusterInspection inspection = closing.inspect();
            List<String> violations = new ArrayList<>(inspection.violations());
            violations.addAll(transactions.check(closing.catalog(), inspection, generators));
            if (!violations.isEmpty()) {
                throw new IllegalStateException("invariants violated: " + violations);
            }
        }
    }

    /** Lets the clients commit a large number of transactions. */
    @Benchmark
    @OperationsPerInvocation(COMMITS)
    public void commit() {
        gate.await(batch);
    }

    private void runClient(TransactionRunner runner, Coroutine self, Generator generator) {
        while (!gate.isClosed()) {
            long share = gate.take(SHARE);
            if (share == 0) {
                self.sleep(IDLE_NANOS);
            } else {
                commit(runner, generator, share);
                gate.finished(share);
            }
        }
    }

    private static void commit(TransactionRunner runner, Generator generator, long commits) {
        long left = commits;
        while (left > 0) {
            if (runner.run(generator.next()) == Outcome.COMMITTED) {
                generator.committed();
                left--;
            }
        }
    }
}
