package dev.rcc.bench.agent;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.CpuTime;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** One node's share of a benchmark: the node, made for it and loaded, and its clients. Used by one thread at a time. */
final class BenchShare {
    private final BenchConfig config;
    private final NodeServer node;
    private final List<Generator> generators;
    private final Optional<HistoryCollector> recorder;
    private volatile boolean running = true;
    private long startNanos;
    private long startCpuNanos;

    BenchShare(BenchConfig config, NodeHost host, long birthWallNanos) {
        this.config = config;
        this.recorder = config.checks()
                ? Optional.of(new HistoryCollector(BenchRunner.MAX_CHECKED / config.nodes()))
                : Optional.empty();
        this.node = host.create(BenchRunner.clusterConfig(config).withHistory(recorder.orElse(null)), birthWallNanos);
        config.workload().load(node.loader());
        int share = config.workers() * config.coroutines();
        this.generators = config.workload()
                .generators(node.catalog(), config.clients(), new SplittableRandom(config.seed()))
                .subList(node.id() * share, (node.id() + 1) * share);
        node.join();
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

    /** Starts the node's clients; all nodes have started. */
    void run() {
        for (int worker = 0; worker < config.workers(); worker++) {
            for (int coroutine = 0; coroutine < config.coroutines(); coroutine++) {
                Generator generator = generators.get(worker * config.coroutines() + coroutine);
                node.spawn(worker, coroutine, (runner, self) -> runClient(runner, generator));
            }
        }
    }

    private void runClient(TransactionRunner runner, Generator generator) {
        while (running && node.state() == NodeServer.State.RUNNING) {
            if (runner.run(generator.next()) == Outcome.COMMITTED) {
                generator.committed();
            }
        }
    }

    /** Throws what a client has thrown. */
    void check() {
        node.awaitClients(Duration.ZERO);
    }

    /** Begins to measure. */
    void reset() {
        node.resetMetrics();
        startNanos = System.nanoTime();
        startCpuNanos = CpuTime.ofThisProcess();
    }

    long measuredNanos() {
        return System.nanoTime() - startNanos;
    }

    long cpuNanos() {
        return CpuTime.ofThisProcess() - startCpuNanos;
    }

    /** Tells the clients to end, and waits until they have. */
    boolean end(Duration patience) {
        running = false;
        return node.awaitClients(patience);
    }
}
