package dev.rcc.bench.agent;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.ClientDriver;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.driver.ClientMeasurements;
import dev.rcc.bench.driver.CpuTime;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.driver.ProcessorTime;
import dev.rcc.bench.driver.RunConditions;
import dev.rcc.bench.driver.WarmUp;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryMerge;
import dev.rcc.bench.workload.Account;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Measurements;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs a benchmark on nodes that have a process each. It leads all agents from step to step, so that no node begins a step
 * before all nodes have ended the step before. At the end it fetches the nodes' copies of the data and checks them here, by the same
 * invariants as those of a cluster in one JVM.
 *
 * <p>A driver runs once.
 */
public final class ProcessBench {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessBench.class);
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(2);
    /** A node that hangs must not keep this process from ending. */
    private static final Duration END_PATIENCE = Duration.ofMinutes(2);

    private static final long LOOK_MILLIS = 20;
    private static final long CHECK_MILLIS = 1_000;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final String NOTHING = "";

    private final BenchConfig config;
    private final BenchNetwork.Processes processes;
    private final List<AgentClient> agents = new ArrayList<>();
    /** Null unless clients of the client library run the workload. */
    private ClientDriver clients;

    /** The clients' counts, once the clients have ended. */
    private Map<String, Long> counts = Map.of();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch endAsked = new CountDownLatch(1);

    /** A driver for a benchmark. */
    public ProcessBench(BenchConfig config, BenchNetwork.Processes processes) {
        this.config = config;
        this.processes = processes;
        for (int node = 0; node < processes.admins().size(); node++) {
            agents.add(agent(node, processes.admins().get(node)));
        }
    }

    private AgentClient agent(int node, URI admin) {
        return new AgentClient(node, admin, processes.diagnosis());
    }

    AgentClient agent(int node) {
        return agents.get(node);
    }

    /** Records that a node's process has another address. */
    AgentClient move(int node, URI admin) {
        agents.get(node).close();
        agents.set(node, agent(node, admin));
        return agents.get(node);
    }

    void close() {
        agents.forEach(AgentClient::close);
        threads.close();
    }

    /** The sums of the accounts of all nodes' generators. */
    private record Sum(long tally, long anomalies, Map<String, Long> counts, boolean isComplete) implements Account {}

    private interface Ask<T> {
        T of(AgentClient agent) throws InterruptedException, IOException;
    }

    /**
     * Runs the benchmark. Faults of the data afterwards, and clients that do not end, are violations in the result.
     *
     * @throws NodeLost when a node does not answer
     * @throws IllegalStateException when a client failed; the message names the node
     * @throws InterruptedException when this process was asked to end, or the calling thread interrupted; the nodes' processes serve again
     */
    public BenchResult run() throws InterruptedException {
        try (EndInOrder _ = new EndInOrder(endAsked::countDown, END_PATIENCE)) {
            try {
                borrow();
                return runBorrowed();
            } finally {
                if (clients != null) {
                    clients.close();
                }
                giveBack();
                close();
            }
        }
    }

    private BenchResult runBorrowed() throws InterruptedException {
        long birthWallNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        each(
                "prepare",
                BenchRequest.of(config, Optional.empty(), birthWallNanos).toJson());
        awaitPeers();
        each("start", NOTHING);
        List<JsonNode> running = each("run", NOTHING);
        config.load().ifPresent(load -> clients = connect(load, running));
        WarmUp warmUp = new WarmUp(config.times());
        double warmupSeconds = warmUp.run(System::nanoTime, this::await, this::progress);
        each("reset", NOTHING);
        if (clients != null) {
            clients.reset();
        }
        long cpuNanos = CpuTime.ofThisProcess();
        ProcessorTime.Reading startProcessor = ProcessorTime.ofThisProcess();
        await(config.times().seconds());
        Optional<ClientMeasurements> measuredByClients =
                Optional.ofNullable(clients).map(each -> each.measure(true));
        List<JsonNode> measured = each("measure", NOTHING);
        cpuNanos = CpuTime.ofThisProcess() - cpuNanos;
        Optional<ProcessorTime> processor = ProcessorTime.ofThisProcessSince(startProcessor);
        Measurements sum = Measurements.none(config.protocol());
        double seconds = 0;
        for (JsonNode node : measured) {
            sum.add(MeasurementsJson.read(node, config.protocol()));
            cpuNanos += node.required("cpu_nanos").asLong();
            processor = plus(processor, node);
            seconds += (double) node.required("measured_nanos").asLong() / TimeUnit.SECONDS.toNanos(1) / agents.size();
        }
        if (clients != null && !clients.end(BenchRunner.PATIENCE)) {
            throw new IllegalStateException("some clients of the client library had not ended "
                    + BenchRunner.PATIENCE.toSeconds() + " s after the run: a transaction hangs");
        }
        List<String> violations = endAndCheck(false, (catalog, inspection) -> List.of());
        return new BenchResult(
                config,
                seconds,
                OptionalDouble.of((double) cpuNanos / TimeUnit.SECONDS.toNanos(1)),
                sum.metrics(),
                sum.timers(),
                Map.of(),
                violations,
                config.history().isChecked() ? Optional.of(checked()) : Optional.empty(),
                Manifest.here(),
                new RunConditions(warmupSeconds, warmUp.end(), processor),
                counts,
                measuredByClients);
    }

    private WarmUp.Progress progress() throws InterruptedException {
        List<JsonNode> nodes = each("progress", NOTHING);
        return new WarmUp.Progress(
                clients == null ? sum(nodes, "committed") : clients.committed(),
                sum(nodes, "compile_millis") + CpuTime.compileMillisOfThisProcess());
    }

    private static long sum(List<JsonNode> nodes, String field) {
        return nodes.stream().mapToLong(node -> node.required(field).asLong()).sum();
    }

    /** The sum with a node's time; empty if the time of a process is not known. */
    private static Optional<ProcessorTime> plus(Optional<ProcessorTime> sum, JsonNode node) {
        JsonNode wait = node.required("processor_wait_nanos");
        return wait.isNull()
                ? Optional.empty()
                : sum.map(each -> each.plus(
                        new ProcessorTime(node.required("processor_run_nanos").asLong(), wait.asLong())));
    }

    /** Starts the clients of the client library. */
    private ClientDriver connect(ClientLoad load, List<JsonNode> running) {
        String gateways =
                running.stream().map(node -> node.required("client").asString()).collect(Collectors.joining(","));
        return new ClientDriver(config, load, catalog(), gateways);
    }

    /** A further check of the data. */
    interface Check {
        List<String> violations(Catalog catalog, ClusterInspection inspection);
    }

    /**
     * Ends the clients, and checks the data.
     *
     * @param haveClientsDied whether clients have died, so that the accounts are incomplete
     */
    List<String> endAndCheck(boolean haveClientsDied, Check more) throws InterruptedException {
        List<JsonNode> ends = each("end", NOTHING);
        List<Account> accounts = new ArrayList<>(clients == null ? List.of() : clients.accounts());
        ends.forEach(end -> accounts.add(sum(end, !haveClientsDied)));
        counts = Account.sumOfCounts(accounts);
        if (!ends.stream().allMatch(end -> end.required("ended").asBoolean())) {
            return List.of("some clients had not ended " + BenchRunner.PATIENCE.toSeconds()
                    + " s after the run: a transaction hangs; the data was not checked");
        }
        if (!awaitDrained()) {
            return List.of("some log ring was not replayed " + BenchRunner.PATIENCE.toSeconds()
                    + " s after the run: a backup hangs; the data was not checked");
        }
        Catalog catalog = catalog();
        try (Arena arena = Arena.ofShared()) {
            List<Memstore> copies = ask(agent -> copies(agent, catalog, arena));
            ClusterInspection inspection = new ClusterInspection(config.protocol(), catalog, copies);
            List<String> violations = new ArrayList<>(inspection.violations());
            violations.addAll(config.workload().check(catalog, inspection, accounts));
            violations.addAll(more.violations(catalog, inspection));
            return violations;
        }
    }

    private static Sum sum(JsonNode end, boolean isComplete) {
        Map<String, Long> counts = new TreeMap<>();
        end.required("counts")
                .properties()
                .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
        return new Sum(end.required("tally").asLong(), end.required("anomalies").asLong(), counts, isComplete);
    }

    /** The catalog of the nodes' tables. */
    Catalog catalog() {
        return BenchRunner.clusterConfig(config).newCatalog();
    }

    /** Copies of all partitions that a node holds. */
    private static Memstore copies(AgentClient agent, Catalog catalog, Arena arena)
            throws InterruptedException, IOException {
        Memstore copies = new Memstore(
                catalog,
                agent.node(),
                (region, bytes) -> new Region(agent.node(), region, Memory.allocate(arena, bytes)));
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                if (catalog.placement().holds(agent.node(), partition)) {
                    try (InputStream in = agent.get("copy?table=" + id + "&partition=" + partition)) {
                        fill(copies.partition(table.id(), partition), in, chunk);
                    }
                }
            }
        }
        return copies;
    }

    private static void fill(TablePartition copy, InputStream in, byte[] chunk) throws IOException {
        Memory memory = copy.memory();
        long offset = 0;
        for (int bytes = in.read(chunk); bytes > 0; bytes = in.read(chunk)) {
            memory.putBytes(offset, chunk, 0, bytes);
            offset += bytes;
        }
        long end = copy.table().layout().regionBytes(copy.depth());
        if (offset != end) {
            throw new IOException("got " + offset + " bytes of a region, of which " + end + " are in use");
        }
    }

    void awaitPeers() throws InterruptedException {
        long deadline = System.nanoTime() + JOIN_PATIENCE.toNanos();
        while (true) {
            List<JsonNode> missing = each("missing", NOTHING);
            if (missing.stream().allMatch(node -> node.required("missing").isEmpty())) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the nodes do not connect on " + config.fabric() + ": "
                        + missing.stream()
                                .map(node -> node.get("missing").toString())
                                .toList()
                        + " are missing from nodes 0 to " + (agents.size() - 1));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Waits until the backups have replayed all logged entries. */
    private boolean awaitDrained() throws InterruptedException {
        long deadline = System.nanoTime() + BenchRunner.PATIENCE.toNanos();
        while (true) {
            Map<String, Long> logged = new TreeMap<>();
            Map<String, Long> replayed = new TreeMap<>();
            for (JsonNode node : each("logs", NOTHING)) {
                collect(node.required("logged"), logged);
                collect(node.required("replayed"), replayed);
            }
            if (logged.equals(replayed)) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                LOG.warn("event=entries_not_replayed logged={} replayed={}", logged, replayed);
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static void collect(JsonNode rings, Map<String, Long> positions) {
        rings.forEach(ring -> positions.put(
                ring.get(0) + "/" + ring.get(1) + " on " + ring.get(2),
                ring.get(3).asLong()));
    }

    private CheckResult checked() throws InterruptedException {
        return BenchRunner.judge(config, HistoryMerge.of(ask(ProcessBench::history)), Model.SERIALIZABLE);
    }

    private static History history(AgentClient agent) throws InterruptedException, IOException {
        Path file = Files.createTempFile("rcc-history", ".json.gz");
        try (InputStream in = agent.get("history")) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return History.read(file);
        } finally {
            Files.delete(file);
        }
    }

    /** Lets the clients run for a while, and checks now and then whether a client has failed. */
    private void await(double seconds) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            boolean _ =
                    endAsked.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS)), TimeUnit.NANOSECONDS);
            if (end - System.nanoTime() > 0) {
                each("check", NOTHING);
                if (clients != null) {
                    clients.check();
                }
            }
        }
    }

    /** Leases all processes. */
    void borrow() throws InterruptedException {
        each(agent -> {
            agent.borrow();
            return agent;
        });
    }

    /** Lets all processes serve again that answer. */
    void giveBack() throws InterruptedException {
        try {
            ask(agent -> {
                agent.giveBack();
                return agent;
            });
        } catch (IllegalStateException e) {
            LOG.warn(
                    "event=process_not_serving: some process does not serve again after the benchmark: {}",
                    e.getMessage());
        }
    }

    /** Makes all agents run a step, unless this process was asked to end: a step that has begun is waited for, and no other begins. */
    List<JsonNode> each(String step, String body) throws InterruptedException {
        return each(agent -> agent.post(step, body));
    }

    private <T> List<T> each(Ask<T> ask) throws InterruptedException {
        if (endAsked.getCount() == 0) {
            throw new InterruptedException("asked to end");
        }
        return ask(ask);
    }

    /** Sends a request to all agents at once, and waits for all answers. */
    private <T> List<T> ask(Ask<T> ask) throws InterruptedException {
        List<Future<T>> answers = new ArrayList<>();
        for (AgentClient agent : agents) {
            answers.add(threads.submit(() -> ask.of(agent)));
        }
        List<T> results = new ArrayList<>();
        IllegalStateException failure = null;
        for (Future<T> answer : answers) {
            try {
                results.add(answer.get());
            } catch (ExecutionException e) {
                failure = graver(failure, e.getCause());
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    /** The failure to report of two: other nodes fail because one is lost, so its loss is reported, and else the first failure. */
    private static IllegalStateException graver(IllegalStateException first, Throwable next) {
        if (next instanceof NodeLost lost && !(first instanceof NodeLost)) {
            return lost;
        }
        return first == null ? new IllegalStateException(next.getMessage(), next) : first;
    }
}
