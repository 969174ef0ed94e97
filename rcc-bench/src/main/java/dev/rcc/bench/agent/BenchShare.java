package dev.rcc.bench.agent;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.CpuTime;
import dev.rcc.bench.driver.LookTimes;
import dev.rcc.bench.driver.Pause;
import dev.rcc.bench.driver.ProcessorTime;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** One node's share of a benchmark: the node, made for it and loaded, and its clients. Used by one thread at a time. */
final class BenchShare {
    private final BenchConfig config;
    private final NodeServer node;
    private final List<Generator> generators;
    private final Optional<HistoryCollector> recorder;
    /** Lets clients of the client library in, if these clients run the workload. */
    private final Optional<NodeHost.Front> front;

    private volatile boolean running = true;
    private long startNanos;
    private long startCpuNanos;
    private ProcessorTime.Reading startProcessor = new ProcessorTime.Reading(Map.of());

    /** By configuration, the time of the first commit in it; only if nodes are to die. */
    private final Map<Long, Long> firstCommits = new ConcurrentHashMap<>();

    private final LongAdder committed = new LongAdder();
    private final boolean faults;
    private final int thinkMicros;

    /**
     * Makes a node and loads it.
     *
     * @param fronts make the front that lets clients in
     */
    BenchShare(BenchConfig config, NodeHost host, BenchRequest request, Function<BenchConfig, NodeHost.Front> fronts) {
        this.config = config;
        this.front = config.load().map(load -> fronts.apply(config));
        this.faults = request.faults().isPresent();
        this.thinkMicros = request.faults()
                .map(given -> (int) TimeUnit.MILLISECONDS.toMicros(given.thinkMillis()))
                .orElse(0);
        this.recorder = config.history().isChecked() ? Optional.of(recorder(request)) : Optional.empty();
        this.node = host.create(clusterConfig(config, request, host), request.birthWallNanos());
        config.workload().load(node.loader());
        int share = config.workers() * config.coroutines();
        this.generators = config.workload()
                .generators(node.catalog(), config.clients(), new SplittableRandom(seed()))
                .subList(node.id() * share, (node.id() + 1) * share);
        front.ifPresent(each -> each.prepare(node));
        node.join();
    }

    /** The recorder of the history. If nodes are to die, the history is in files, which outlive the nodes. */
    private HistoryCollector recorder(BenchRequest request) {
        return request.faults()
                .map(given -> HistoryCollector.inFiles(Path.of(given.directory())))
                .orElseGet(() -> new HistoryCollector(BenchRunner.MAX_CHECKED / config.nodes()));
    }

    /** The cluster's configuration, with the replication of the cluster that these processes serve. */
    private ClusterConfig clusterConfig(BenchConfig bench, BenchRequest request, NodeHost host) {
        HistoryRecorder history = recorder.orElse(null);
        ClusterConfig cluster = BenchRunner.clusterConfig(bench).replicatedAs(host.serving());
        if (request.faults().isEmpty()) {
            return cluster.withHistory(history);
        }
        BenchRequest.Faults given = request.faults().get();
        long patience = (long) (given.recoverySeconds() * TimeUnit.SECONDS.toNanos(1));
        return cluster.withRecovery(Duration.ofNanos(patience))
                .withHistory(AcknowledgedFile.create(Path.of(given.directory()), history));
    }

    /** The seed. With faults each incarnation of a node has another one, so that its clients' writes differ from earlier incarnations' writes. */
    private long seed() {
        return faults ? config.seed() + System.nanoTime() : config.seed();
    }

    long committed() {
        return committed.sum();
    }

    Map<Long, Long> firstCommits() {
        return Map.copyOf(firstCommits);
    }

    NodeServer node() {
        return node;
    }

    List<Generator> generators() {
        return generators;
    }

    Optional<HistoryCollector> recorder() {
        return recorder;
    }

    /** Starts the node's clients, or lets clients of the client library in. All nodes have started. */
    void run() {
        if (front.isPresent()) {
            front.get().open(node);
            return;
        }
        for (int worker = 0; worker < config.workers(); worker++) {
            for (int coroutine = 0; coroutine < config.coroutines(); coroutine++) {
                Generator generator = generators.get(worker * config.coroutines() + coroutine);
                boolean isFirst = node.id() == 0 && worker == 0 && coroutine == 0;
                node.spawn(worker, coroutine, (runner, self) -> runClient(runner, self, generator, isFirst));
            }
        }
    }

    private void runClient(TransactionRunner runner, Coroutine self, Generator generator, boolean looks) {
        LookTimes looking = new LookTimes(config.times(), self.worker().nanoTime());
        while (running && node.state() == NodeServer.State.RUNNING) {
            if (looks && looking.isNow(self.worker().nanoTime())) {
                BenchRunner.look(runner, generator);
            }
            if (thinkMicros > 0) {
                self.sleep(TimeUnit.MICROSECONDS.toNanos(self.worker().random(2 * thinkMicros)));
            }
            Procedure procedure = generator.next();
            if (generator.pauseNanos() > 0) {
                Pause.on(self, generator.pauseNanos(), () -> running);
            }
            if (runner.run(procedure) == Outcome.COMMITTED) {
                generator.committed();
                committed.increment();
                if (faults) {
                    node.configuration()
                            .ifPresent(configuration ->
                                    firstCommits.computeIfAbsent(configuration.epoch(), epoch -> System.nanoTime()));
                }
            }
        }
    }

    /** The address where clients of the client library are let in, if they are. */
    Optional<String> address() {
        return front.flatMap(NodeHost.Front::address);
    }

    /** Ends the admission of clients. */
    void close() {
        front.ifPresent(NodeHost.Front::close);
    }

    /** Throws the exception of a client that failed. */
    void check() {
        node.awaitClients(Duration.ZERO);
    }

    /** Begins the measurement. */
    void reset() {
        startNanos = System.nanoTime();
        startCpuNanos = CpuTime.ofThisProcess();
        startProcessor = ProcessorTime.ofThisProcess();
        node.resetMetrics();
    }

    long measuredNanos() {
        return System.nanoTime() - startNanos;
    }

    long cpuNanos() {
        return CpuTime.ofThisProcess() - startCpuNanos;
    }

    /** The processor time of this process since {@link #reset}; empty if it is not known. */
    Optional<ProcessorTime> processor() {
        return ProcessorTime.ofThisProcessSince(startProcessor);
    }

    /** Lets the clients end, and waits until they have. */
    boolean end(Duration patience) {
        running = false;
        close();
        return node.awaitClients(patience);
    }
}
