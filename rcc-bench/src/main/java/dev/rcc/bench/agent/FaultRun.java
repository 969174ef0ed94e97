package dev.rcc.bench.agent;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.verify.AcknowledgedWrites;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Transaction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Does harm to nodes that have a process each, one after the other, while all of them run transactions: the others must go on
 * without it, and take it back. At the end the data is judged as after a benchmark, nothing may be missing that any incarnation of any node
 * has acknowledged, and the history of all of these lives must be serializable.
 *
 * <p>A run is run once.
 */
public final class FaultRun {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 10;
    private static final int CALM_MILLIS_MAX = 300;
    private static final String NOTHING = "";

    private final BenchConfig config;
    private final Options options;
    private final Processes processes;
    private final Path notes;
    private final ProcessBench bench;
    private final Consumer<String> progress;
    private final List<Long> outages = new ArrayList<>();
    private long returnNanos;

    /** What is done to a node. */
    public enum Fault {
        /** Its process is killed, and another one started. */
        KILL,
        /** The processes of all nodes of its data centre are killed, and others started. */
        DATACENTER,
        /** Its process is stopped, and goes on, if it can, after the others have gone on without it. */
        STOP,
        /** Its links to all others are lost, and come back after the others have gone on without it. */
        CUT,
        /** Its data centre and another one lose each other, and find each other again after the cluster has gone on without some of their nodes. */
        SPLIT
    }

    /**
     * What to do.
     *
     * @param count how often
     * @param recoverySeconds how long transactions wait for a dead node to be replaced
     * @param thinkMillis how long a client waits between transactions on average
     * @param stopSecondsMin for how long a process is stopped, or a node cut off, at least
     * @param stopSecondsMax and at most
     */
    public record Options(
            Fault fault,
            int count,
            double recoverySeconds,
            int thinkMillis,
            double stopSecondsMin,
            double stopSecondsMax) {}

    /** Has the processes of the nodes in its hands. */
    public interface Processes {
        /** The admin addresses. */
        List<URI> admins();

        /** Kills a node's process: it has no time to do anything. */
        void kill(int node) throws InterruptedException;

        /** Starts another process for a node whose process was killed; returns its admin address. */
        URI start(int node) throws IOException, InterruptedException;

        /** Stops a node's process in the middle of whatever it does. */
        void stop(int node) throws IOException, InterruptedException;

        /**
         * Lets a stopped process go on.
         *
         * @return false if it is dead: on shared memory the others kill the node that they go on without
         */
        boolean goOn(int node) throws IOException, InterruptedException;

        /**
         * Cuts a node off from all others, or connects it again, outside of its process.
         *
         * @return false if only the process can do that
         */
        boolean plug(int node, boolean in) throws IOException, InterruptedException;
    }

    /**
     * What came of it.
     *
     * @param outageNanos of each fault: from it to the first commit of the configuration without the node
     * @param returnNanosMean from the start of a node's next incarnation to its first commit
     * @param acknowledged writes that were acknowledged, by all incarnations of all nodes
     * @param violations what is wrong, each a sentence
     * @param checked on the history of all incarnations of all nodes
     */
    public record Result(
            List<Long> outageNanos,
            long returnNanosMean,
            long acknowledged,
            List<String> violations,
            Optional<CheckResult> checked) {
        /** Whether nothing is wrong. */
        public boolean isClean() {
            return violations.isEmpty() && checked.map(CheckResult::isClean).orElse(true);
        }

        /** A percentile of the outages, in nanoseconds. */
        public long outageNanos(double percentile) {
            List<Long> sorted = outageNanos.stream().sorted().toList();
            return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(percentile / 100 * sorted.size()) - 1);
        }
    }

    /**
     * A run.
     *
     * @param notes a directory for what the nodes do and acknowledge, empty
     * @param progress receives each fault
     */
    public FaultRun(
            BenchConfig config,
            BenchNetwork.Processes network,
            Options options,
            Processes processes,
            Path notes,
            Consumer<String> progress) {
        this.config = config;
        this.options = options;
        this.processes = processes;
        this.notes = notes;
        this.progress = progress;
        this.bench = new ProcessBench(config, network);
    }

    /**
     * Runs it to its end.
     *
     * @throws IllegalStateException when the cluster does not go on, or does not take a node back
     */
    public Result run() throws InterruptedException, IOException {
        String request = BenchRequest.of(
                        config,
                        Optional.of(new BenchRequest.Faults(
                                options.recoverySeconds(), options.thinkMillis(), notes.toString())),
                        TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()))
                .toJson();
        try {
            bench.each("borrow", NOTHING);
            bench.each("prepare", request);
            bench.awaitPeers();
            bench.each("start", NOTHING);
            for (int node = 0; node < config.nodes(); node++) {
                await(node, "serves", page -> page.required("serving").asBoolean());
            }
            bench.each("run", NOTHING);
            SplittableRandom random = new SplittableRandom(config.seed());
            for (int i = 0; i < options.count(); i++) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(CALM_MILLIS_MAX));
                if (options.fault() == Fault.SPLIT) {
                    split(i, random, request);
                } else {
                    harm(i, random, request);
                }
            }
            AcknowledgedWrites acknowledged = new AcknowledgedWrites(new NoRecorder());
            List<String> violations = new ArrayList<>(bench.endAndCheck(true, (catalog, inspection) -> {
                try {
                    AcknowledgedFile.read(notes, acknowledged);
                } catch (IOException e) {
                    return List.of("what was acknowledged cannot be read: " + e);
                }
                return acknowledged.lost(catalog, inspection);
            }));
            Optional<CheckResult> checked = config.history().isChecked() ? Optional.of(checked()) : Optional.empty();
            return new Result(
                    List.copyOf(outages),
                    returnNanos / Math.max(1, options.count()),
                    acknowledged.count(),
                    violations,
                    checked);
        } finally {
            bench.giveBack();
            bench.close();
        }
    }

    private CheckResult checked() throws IOException {
        return Checker.check(HistoryCollector.read(notes, bench.catalog()), Model.SERIALIZABLE);
    }

    private void harm(int i, SplittableRandom random, String request) throws InterruptedException, IOException {
        List<Integer> victims = victims(random.nextInt(config.nodes()));
        long epoch = epochWithout(victims);
        double stopSeconds = stopSeconds(random);
        long begun = System.nanoTime();
        for (int victim : victims) {
            harm(victim);
        }
        long outage = firstCommitAfter(epoch, victims) - begun;
        outages.add(outage);
        if (options.fault() == Fault.STOP || options.fault() == Fault.CUT) {
            if (options.fault() == Fault.CUT) {
                await(
                        victims.getFirst(),
                        "refuses",
                        page -> !page.required("serving").asBoolean());
            }
            sleepUntil(begun, stopSeconds);
        }
        comeBack(i, describe(victims), outage, victims, request);
    }

    private double stopSeconds(SplittableRandom random) {
        return options.stopSecondsMin() + random.nextDouble() * (options.stopSecondsMax() - options.stopSecondsMin());
    }

    private static void sleepUntil(long begun, double seconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep((long) (seconds * TimeUnit.SECONDS.toNanos(1)) - (System.nanoTime() - begun));
    }

    private void comeBack(int i, String what, long outage, List<Integer> victims, String request)
            throws InterruptedException, IOException {
        long back = System.nanoTime();
        comeBack(victims, request);
        long returned = System.nanoTime() - back;
        returnNanos += returned;
        progress.accept("%d: %s, next commit after %d ms, back after %d ms"
                .formatted(
                        i + 1, what, TimeUnit.NANOSECONDS.toMillis(outage), TimeUnit.NANOSECONDS.toMillis(returned)));
    }

    /** Has two data centres lose each other. Which of their nodes the cluster goes on without is its own choice. */
    private void split(int i, SplittableRandom random, String request) throws InterruptedException, IOException {
        Zones zones = config.zones();
        int one = random.nextInt(zones.count());
        int other = (one + 1 + random.nextInt(zones.count() - 1)) % zones.count();
        double stopSeconds = stopSeconds(random);
        long epoch = epochWithout(List.of());
        long begun = System.nanoTime();
        links("cut", one, other);
        long outage;
        try {
            outage = firstCommitAfter(epoch, List.of()) - begun;
            outages.add(outage);
            sleepUntil(begun, stopSeconds);
        } finally {
            links("heal", one, other);
        }
        List<Integer> expelled = expelled();
        String what = "data centres %s and %s, without nodes %s"
                .formatted(
                        zones.nameOf(zones.nodes(one).getFirst()),
                        zones.nameOf(zones.nodes(other).getFirst()),
                        expelled);
        comeBack(i, what, outage, expelled, request);
    }

    private void links(String step, int one, int other) throws InterruptedException {
        for (int zone : List.of(one, other)) {
            String peers = config.zones().nodes(zone == one ? other : one).stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(","));
            for (int node : config.zones().nodes(zone)) {
                bench.agent(node).post(step, peers);
            }
        }
    }

    /** The nodes that are not in the last configuration. */
    private List<Integer> expelled() throws InterruptedException {
        JsonNode last = progress(0);
        for (int node = 1; node < config.nodes(); node++) {
            JsonNode page = progress(node);
            last = page.required("epoch").asLong() > last.required("epoch").asLong() ? page : last;
        }
        BitSet out = new BitSet();
        out.set(0, config.nodes());
        for (JsonNode member : last.required("members")) {
            out.clear(member.asInt());
        }
        return out.stream().boxed().toList();
    }

    /** The nodes that the fault of a node hits. */
    private List<Integer> victims(int node) {
        return options.fault() == Fault.DATACENTER
                ? config.zones().nodes(config.zones().zone(node))
                : List.of(node);
    }

    private String describe(List<Integer> victims) {
        return options.fault() == Fault.DATACENTER
                ? "data centre " + config.zones().nameOf(victims.getFirst())
                : "node " + victims.getFirst();
    }

    private void comeBack(List<Integer> victims, String request) throws InterruptedException, IOException {
        for (int victim : victims) {
            AgentClient agent = mend(victim);
            agent.post("borrow", NOTHING);
            agent.post("prepare", request);
        }
        for (int victim : victims) {
            await(victim, "can start", page -> page.required("can_start").asBoolean());
            bench.agent(victim).post("start", NOTHING);
        }
        for (int victim : victims) {
            await(victim, "serves", page -> page.required("serving").asBoolean());
            bench.agent(victim).post("run", NOTHING);
            await(victim, "commits", page -> page.required("committed").asLong() > 0);
        }
    }

    private void harm(int victim) throws InterruptedException, IOException {
        switch (options.fault()) {
            case KILL, DATACENTER -> processes.kill(victim);
            case STOP -> processes.stop(victim);
            case CUT -> plug(victim, false);
            case SPLIT -> throw new IllegalStateException("no fault of one node");
        }
    }

    private void plug(int victim, boolean in) throws InterruptedException, IOException {
        if (!processes.plug(victim, in)) {
            bench.agent(victim).post(in ? "heal" : "cut", NOTHING);
        }
    }

    /** Ends the fault; the node knows then that it is out. */
    private AgentClient mend(int victim) throws InterruptedException, IOException {
        boolean isKilled = options.fault() == Fault.KILL || options.fault() == Fault.DATACENTER;
        if (isKilled || (options.fault() == Fault.STOP && !processes.goOn(victim))) {
            return bench.move(victim, processes.start(victim));
        }
        AgentClient agent = bench.agent(victim);
        if (options.fault() == Fault.CUT) {
            plug(victim, true);
        }
        await(
                victim,
                "finds that the others have gone on",
                page -> page.required("expelled").asBoolean());
        return agent;
    }

    private long epochWithout(List<Integer> victims) throws InterruptedException {
        long epoch = 0;
        for (int node = 0; node < config.nodes(); node++) {
            if (!victims.contains(node)) {
                epoch = Math.max(epoch, progress(node).required("epoch").asLong());
            }
        }
        return epoch;
    }

    private JsonNode progress(int node) throws InterruptedException {
        return bench.agent(node).post("progress", NOTHING);
    }

    /** When some node has committed first in a configuration after {@code epoch}. */
    private long firstCommitAfter(long epoch, List<Integer> victims) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long first = Long.MAX_VALUE;
            for (int node = 0; node < config.nodes(); node++) {
                if (!victims.contains(node)) {
                    for (var each :
                            progress(node).required("first_commit_nanos").properties()) {
                        if (Long.parseLong(each.getKey()) > epoch) {
                            first = Math.min(first, each.getValue().asLong());
                        }
                    }
                }
            }
            if (first < Long.MAX_VALUE) {
                return first;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("nothing commits in a configuration after " + epoch + " for " + PATIENCE
                        + (victims.isEmpty() ? "" : ", without " + describe(victims)));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private void await(int node, String what, Predicate<JsonNode> condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (JsonNode page = progress(node); !condition.test(page); page = progress(node)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "no sign that node " + node + " " + what + " for " + PATIENCE + ": " + page);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Ignores what was read from files only. */
    private static final class NoRecorder implements HistoryRecorder {
        @Override
        public void committed(Transaction txn, long beginNanos, long endNanos) {
            // Files tell of writes, not of transactions.
        }

        @Override
        public void aborted(Transaction txn, long beginNanos, long endNanos) {
            // As above.
        }
    }
}
