package dev.rcc.bench.driver;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.gateway.OutcomeRecords;
import dev.rcc.server.node.Measurements;
import dev.rcc.server.procedure.Procedures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a benchmark in a closed loop: every coroutine of every worker of every node runs one transaction after the other,
 * first to warm up, then measured. Afterwards the clients stop, the logs are replayed, and the invariants are checked. Where clients of the
 * client library run the workload, the coroutines are those of the nodes' gateways.
 *
 * <p>A runner runs once. It allocates the whole cluster when it runs and frees it before it returns.
 */
public final class BenchRunner {
    /** The time within which the clients must end after a request, and the logs must be replayed. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The most transactions that a recorded history contains; the history says so when there were more. */
    public static final long MAX_CHECKED = 2_000_000;

    /** The default of servers. */
    private static final int OUTCOME_SLOTS = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(BenchRunner.class);
    private static final long LOOK_MILLIS = 50;
    private static final int LINE_BYTES = 64;
    private static final int OVERHEAD_BYTES_PER_ACCESS = 512;
    private static final int COPIES_PER_ACCESS = 4;
    private static final int TRANSACTIONS_PER_RING = 8;
    /** The budget for the log rings of the whole cluster. */
    private static final long RINGS_BYTES = 1L << 30;
    /** The budget for log rings in a simulation, which is short: allocating more would take longer than filling it. */
    private static final long SIMULATED_RINGS_BYTES = 1L << 26;
    /** The budget for the address caches of the whole cluster. */
    private static final long CACHE_ENTRIES = 1L << 25;

    /** More entries would not make the cache any better. */
    private static final long CACHE_ENTRIES_PER_RECORD = 4;

    private static final long MIN_CACHE_ENTRIES = 1 << 10;

    private final BenchConfig config;
    private final Consumer<EmbeddedCluster> atRest;
    /** A transaction's own time on a simulated processor, in addition to the costs of its operations. */
    private final long transactionNanos;

    private volatile boolean running = true;
    /** The gateways; they and the clients are null unless clients of the client library run the workload. */
    private EmbeddedGateways gateways;

    private ClientDriver clients;

    /** Receives the number of records loaded so far. */
    private LongConsumer loadProgress = records -> {};

    private Runnable loaded = () -> {};

    /** A runner for a benchmark. */
    public BenchRunner(BenchConfig config) {
        this(config, cluster -> {});
    }

    /**
     * A runner that hands the cluster to a caller before it is checked.
     *
     * @param atRest called when all clients have ended and all logs are replayed; tests plant violations there
     */
    public BenchRunner(BenchConfig config, Consumer<EmbeddedCluster> atRest) {
        this.config = config;
        this.atRest = atRest;
        this.transactionNanos = config.simulation()
                .map(options -> options.costs().cpu().transactionNanos())
                .orElse(0L);
    }

    /** Sets a listener that receives now and then, during the load, the number of records loaded, and a callback for the end of the load. */
    public BenchRunner onLoad(LongConsumer listener, Runnable end) {
        loadProgress = listener;
        loaded = end;
        return this;
    }

    /**
     * Runs the benchmark. Faults of the data afterwards, and clients that do not end, are violations in the result.
     *
     * @throws IllegalArgumentException when there cannot be such a cluster
     * @throws IllegalStateException when a client failed
     * @throws InterruptedException when the calling thread was interrupted; the cluster is closed
     */
    public BenchResult run() throws InterruptedException {
        Workload workload = config.workload();
        Optional<HistoryCollector> recorder =
                config.history().isChecked() ? Optional.of(new HistoryCollector(MAX_CHECKED)) : Optional.empty();
        EmbeddedCluster cluster = newCluster(clusterConfig(config).withHistory(recorder.orElse(null)));
        try {
            cluster.loader().onProgress(loadProgress);
            workload.load(cluster.loader());
            loaded.run();
            List<Generator> generators =
                    workload.generators(cluster.catalog(), config.clients(), new SplittableRandom(config.seed()));
            if (config.simulation().isPresent()) {
                cluster.warmAddressCaches();
            }
            cluster.start();
            if (config.load().isPresent()) {
                ClientLoad load = config.load().get();
                gateways = new EmbeddedGateways(
                        cluster,
                        ClientDriver.withRoom(GatewayOptions.DEFAULT, load),
                        Procedures.of(workload.procedures()));
                clients = new ClientDriver(config, load, cluster.catalog(), gateways.addresses());
            } else {
                spawnClients(cluster, generators);
            }

            WarmUp warmUp = new WarmUp(config.times());
            double warmupSeconds =
                    warmUp.run(cluster::nanos, seconds -> await(cluster, seconds), () -> progress(cluster));
            cluster.resetMetrics();
            if (clients != null) {
                clients.reset();
            }
            Map<FabricCounter, Long> network = cluster.networkCounters();
            long startNanos = cluster.nanos();
            long startCpuNanos = CpuTime.ofThisProcess();
            ProcessorTime.Reading startProcessor = ProcessorTime.ofThisProcess();
            await(cluster, config.times().seconds());
            Optional<ClientMeasurements> measuredByClients =
                    Optional.ofNullable(clients).map(each -> each.measure(false));
            Measurements measured = cluster.measurements();
            Map<FabricCounter, Long> counted = cluster.networkCounters();
            counted.replaceAll((counter, value) -> value - network.get(counter));
            double seconds = (double) (cluster.nanos() - startNanos) / TimeUnit.SECONDS.toNanos(1);
            Optional<ProcessorTime> processor = ProcessorTime.ofThisProcessSince(startProcessor);
            double cpuSeconds = (double) (CpuTime.ofThisProcess() - startCpuNanos) / TimeUnit.SECONDS.toNanos(1);

            List<String> violations = endAndCheck(cluster, generators);
            return new BenchResult(
                    config,
                    seconds,
                    config.simulation().isPresent() ? OptionalDouble.empty() : OptionalDouble.of(cpuSeconds),
                    measured.metrics(),
                    measured.timers(),
                    counted,
                    violations,
                    recorder.map(each -> judge(config, each.history(), model())),
                    Manifest.here(),
                    new RunConditions(
                            warmupSeconds,
                            warmUp.end(),
                            config.simulation().isPresent() ? Optional.empty() : processor),
                    Account.sumOfCounts(clients == null ? generators : clients.accounts()),
                    measuredByClients);
        } finally {
            closeClients();
            close(cluster);
        }
    }

    /**
     * Checks the history of a run, and writes it to the file that the run's configuration names.
     *
     * @throws UncheckedIOException when the history can't be written
     */
    public static CheckResult judge(BenchConfig config, History history, Model model) {
        config.history().file().ifPresent(file -> {
            try {
                history.write(file);
            } catch (IOException e) {
                throw new UncheckedIOException("the history can't be written to " + file, e);
            }
        });
        return Checker.check(history, model);
    }

    /** The model to check: all workers read one clock, or virtual time, so strictness can be checked. */
    private Model model() {
        return config.protocol().isStrictlySerializable() ? Model.STRICT_SERIALIZABLE : Model.SERIALIZABLE;
    }

    private EmbeddedCluster newCluster(ClusterConfig cluster) {
        return switch (config.network()) {
            case BenchNetwork.Local _ -> new EmbeddedCluster(cluster);
            case BenchNetwork.Simulated simulated -> EmbeddedCluster.simulated(cluster, simulated.options());
            case BenchNetwork.Embedded embedded -> new EmbeddedCluster(cluster, embedded.choice());
            case BenchNetwork.Processes _ ->
                throw new IllegalArgumentException("nodes with a process each are driven from outside");
        };
    }

    /**
     * The cluster that a benchmark needs. Its buffers and logs have room for the largest transaction. Its log rings and address
     * caches stay within a budget however many workers there are.
     */
    public static ClusterConfig clusterConfig(BenchConfig config) {
        List<TableSchema> tables = tables(config);
        // A commit of a client leaves its outcome, too. A record of a replicated table is written once for
        // each node.
        int more = (config.load().isPresent() ? 1 : 0) + config.workload().maxReplicatedWrites() * (config.nodes() - 1);
        int accesses = config.workload().maxAccesses() + more;
        int record = tables.stream().mapToInt(TableSchema::recordBytes).max().orElse(0);
        // A written record travels in a log entry to each backup of all records written with it.
        int copies = COPIES_PER_ACCESS + Math.min(config.nodes(), 2 * config.replicas());
        int transactionBytes = accesses * (copies * record + OVERHEAD_BYTES_PER_ACCESS);
        int writtenBytes =
                (config.workload().maxWrites() + more) * (COPIES_PER_ACCESS * record + OVERHEAD_BYTES_PER_ACCESS);
        int bufferBytes =
                Math.max(ClusterConfig.DEFAULT_BUFFER_BYTES, Math.ceilDiv(transactionBytes, LINE_BYTES) * LINE_BYTES);
        long workers = (long) config.nodes() * config.workers();
        // Every worker has a ring on every node, and needs room in it for some transactions at least.
        long ringsBytes = config.simulation().isPresent() ? SIMULATED_RINGS_BYTES : RINGS_BYTES;
        long ringBytes = Math.clamp(
                Long.highestOneBit(ringsBytes / (workers * config.nodes())),
                Long.highestOneBit(writtenBytes) * TRANSACTIONS_PER_RING,
                Math.max(
                        ClusterConfig.DEFAULT_LOG_RING_BYTES,
                        Long.highestOneBit(writtenBytes) * TRANSACTIONS_PER_RING));
        long records = config.nodes()
                * tables.stream().mapToLong(TableSchema::capacity).sum();
        long cacheEntries = Math.clamp(
                Math.min(CACHE_ENTRIES / workers, CACHE_ENTRIES_PER_RECORD * records),
                MIN_CACHE_ENTRIES,
                ClusterConfig.DEFAULT_ADDRESS_CACHE_ENTRIES);
        return ClusterConfig.of(config.protocol(), tables)
                .withCode(config.code())
                .withShape(config.nodes(), config.workers(), config.coroutines(), config.replicas())
                .withZones(config.zones())
                .withRetries(RetryPolicy.DEFAULT)
                .withMemory((int) ringBytes, bufferBytes, (int) cacheEntries)
                .withFragments(config.workload().fragments())
                .withSeed(config.seed());
    }

    /** The tables that a benchmark needs: the workload's, and with clients the table for the outcomes of their commits. */
    private static List<TableSchema> tables(BenchConfig config) {
        List<TableSchema> tables = new ArrayList<>(config.workload().tables(config.nodes()));
        if (config.load().isPresent()) {
            tables.add(OutcomeRecords.schema(tables.size(), OUTCOME_SLOTS));
        }
        return tables;
    }

    private void spawnClients(EmbeddedCluster cluster, List<Generator> generators) {
        Iterator<Generator> each = generators.iterator();
        for (int node = 0; node < config.nodes(); node++) {
            for (int worker = 0; worker < config.workers(); worker++) {
                for (int coroutine = 0; coroutine < config.coroutines(); coroutine++) {
                    Generator generator = each.next();
                    boolean isFirst = node == 0 && worker == 0 && coroutine == 0;
                    cluster.spawn(
                            node, worker, coroutine, (runner, self) -> runClient(runner, self, generator, isFirst));
                }
            }
        }
    }

    private void runClient(TransactionRunner runner, Coroutine self, Generator generator, boolean looks) {
        LookTimes looking = new LookTimes(config.times(), self.worker().nanoTime());
        while (running) {
            if (looks && looking.isNow(self.worker().nanoTime())) {
                look(runner, generator);
            }
            Procedure procedure = generator.next();
            if (generator.pauseNanos() > 0) {
                Pause.on(self, generator.pauseNanos(), () -> running);
            }
            if (transactionNanos > 0) {
                self.worker().compute(transactionNanos);
            }
            if (runner.run(procedure) == Outcome.COMMITTED) {
                generator.committed();
            }
        }
    }

    /** Lets a client check whether the data is consistent, if its workload has such a check. */
    public static void look(TransactionRunner runner, Generator generator) {
        Procedure look = generator.look();
        if (look != null && runner.run(look) == Outcome.COMMITTED) {
            generator.looked();
        }
    }

    private WarmUp.Progress progress(EmbeddedCluster cluster) {
        long committed = clients == null ? cluster.metrics().committed() : clients.committed();
        return new WarmUp.Progress(committed, CpuTime.compileMillisOfThisProcess());
    }

    /** Lets the clients run for a period of the cluster's time, and checks now and then whether a client has failed. */
    private void await(EmbeddedCluster cluster, double seconds) throws InterruptedException {
        long nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        if (config.simulation().isPresent()) {
            cluster.awaitClients(Duration.ofNanos(nanos));
            return;
        }
        long end = cluster.nanos() + nanos;
        for (long left = end - cluster.nanos(); left > 0; left = end - cluster.nanos()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)));
            cluster.awaitClients(Duration.ZERO);
            if (clients != null) {
                clients.check();
            }
        }
    }

    /** Closes the cluster on a thread of its own, so that a worker that never ends cannot block the caller. */
    private void close(EmbeddedCluster cluster) throws InterruptedException {
        if (config.simulation().isPresent()) {
            cluster.close();
            return;
        }
        Thread closing = Thread.ofPlatform().daemon().name("rcc-close").start(cluster::close);
        if (!closing.join(PATIENCE)) {
            LOG.error("event=close_timed_out seconds={}: a worker hangs", PATIENCE.toSeconds());
        }
    }

    private void closeClients() {
        if (clients != null) {
            clients.close();
        }
        if (gateways != null) {
            gateways.close();
        }
    }

    private List<String> endAndCheck(EmbeddedCluster cluster, List<Generator> generators) throws InterruptedException {
        running = false;
        if (clients != null && !clients.end(PATIENCE)) {
            return List.of("some clients of the client library had not ended " + PATIENCE.toSeconds()
                    + " s after the run: a transaction hangs; the data was not checked");
        }
        closeClients();
        if (!cluster.awaitClients(PATIENCE)) {
            return List.of("some clients had not ended " + PATIENCE.toSeconds()
                    + " s after the run: a transaction hangs; the data was not checked");
        }
        if (!cluster.quiesce(PATIENCE)) {
            return List.of("some log ring was not replayed " + PATIENCE.toSeconds()
                    + " s after the run: a backup hangs; the data was not checked");
        }
        atRest.accept(cluster);
        ClusterInspection inspection = cluster.inspect();
        List<String> violations = new ArrayList<>(inspection.violations());
        violations.addAll(config.workload()
                .check(cluster.catalog(), inspection, clients == null ? generators : clients.accounts()));
        return violations;
    }
}
