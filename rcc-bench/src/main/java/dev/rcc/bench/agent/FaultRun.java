package dev.rcc.bench.agent;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.statistics.Percentile;
import dev.rcc.bench.verify.AcknowledgedWrites;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Transaction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Injects faults into nodes that have a process each, one after the other, while all nodes run transactions. The other nodes must go on
 * without the faulty node, and take it back. At the end the data is checked as after a benchmark. No write may be missing that any incarnation
 * of any node acknowledged, and the history of all incarnations must be serializable.
 *
 * <p>A run is run once.
 */
public final class FaultRun {
    private static final int CALM_MILLIS_MAX = 300;
    private static final String NOTHING = "";

    private final BenchConfig config;
    private final Options options;
    private final Processes processes;
    private final Path notes;
    private final ProcessBench bench;
    private final ProgressPages pages;
    private final Consumer<String> progress;
    private final List<Long> outages = new ArrayList<>();
    private final CountDownLatch endAsked = new CountDownLatch(1);
    private long returnNanos;

    /** A kind of fault. */
    public enum Fault {
        /** A node's process is killed, and another one started. */
        KILL,
        /** The processes of all nodes of a data centre are killed, and others started. */
        DATACENTER,
        /** A node's process is stopped, and resumes, if it can, after the other nodes have gone on without it. */
        STOP,
        /** A node's links to all other nodes are lost, and come back after the other nodes have gone on without it. */
        CUT,
        /** Two data centres lose each other, and find each other again after the cluster has gone on without some of their nodes. */
        SPLIT
    }

    /**
     * The options of a run.
     *
     * @param count the number of faults
     * @param recoverySeconds how long transactions wait for a dead node to be replaced
     * @param thinkMillis how long a client waits between transactions on average
     * @param stopSecondsMin the shortest time for which a process is stopped, or a node cut off
     * @param stopSecondsMax the longest such time
     */
    public record Options(
            Fault fault,
            int count,
            double recoverySeconds,
            int thinkMillis,
            double stopSecondsMin,
            double stopSecondsMax) {}

    /** Controls the processes of the nodes. */
    public interface Processes {
        /** The admin addresses. */
        List<URI> admins();

        /** Kills a node's process, which has no time to react. */
        void kill(int node) throws InterruptedException;

        /** Starts another process for a node whose process was killed; returns its admin address. */
        URI start(int node) throws IOException, InterruptedException;

        /** Stops a node's process at any point of its execution. */
        void stop(int node) throws IOException, InterruptedException;

        /**
         * Resumes a stopped process.
         *
         * @return false if the process is dead: on shared memory the other nodes kill a node that they go on without
         */
        boolean goOn(int node) throws IOException, InterruptedException;

        /**
         * Cuts a node off from all other nodes, or connects it again, outside of its process.
         *
         * @return false if only the process itself can do so
         */
        boolean plug(int node, boolean in) throws IOException, InterruptedException;
    }

    /**
     * The result of a run.
     *
     * @param outageNanos for each fault, the time from the fault to the first commit of the configuration without the node
     * @param returnNanosMean from the start of a node's next incarnation to its first commit
     * @param acknowledged writes that were acknowledged, by all incarnations of all nodes
     * @param violations the violations, each a sentence
     * @param checked the check of the history of all incarnations of all nodes
     */
    public record Result(
            List<Long> outageNanos,
            long returnNanosMean,
            long acknowledged,
            List<String> violations,
            Optional<CheckResult> checked) {
        /** Whether there is no violation and no anomaly. */
        public boolean isClean() {
            return violations.isEmpty() && checked.map(CheckResult::isClean).orElse(true);
        }

        /** A percentile of the outages, in nanoseconds; 0 without faults. */
        public long outageNanos(double percent) {
            return Percentile.of(outageNanos.stream().mapToLong(Long::longValue).toArray(), percent);
        }
    }

    /**
     * A run.
     *
     * @param notes a directory for the nodes' histories and acknowledged writes, empty
     * @param progress receives a line for each fault
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
        this.pages = new ProgressPages(bench, config.nodes());
    }

    /** Lets no further fault begin: the fault in progress ends at once, and then the data is checked. On any thread. */
    public void endEarly() {
        endAsked.countDown();
    }

    /**
     * Runs all faults, or those that have begun before it was asked to end early, and the checks.
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
            bench.borrow();
            bench.each("prepare", request);
            bench.awaitPeers();
            bench.each("start", NOTHING);
            for (int node = 0; node < config.nodes(); node++) {
                pages.await(node, "serves", page -> page.required("serving").asBoolean());
            }
            bench.each("run", NOTHING);
            SplittableRandom random = new SplittableRandom(config.seed());
            for (int i = 0; i < options.count() && !isEndAskedWithin(random.nextInt(CALM_MILLIS_MAX)); i++) {
                inject(i, random, request);
            }
            AcknowledgedWrites acknowledged = new AcknowledgedWrites(new NoRecorder());
            List<String> violations = new ArrayList<>(bench.endAndCheck(true, (catalog, inspection) -> {
                try {
                    AcknowledgedFile.read(notes, acknowledged);
                } catch (IOException e) {
                    return List.of("the acknowledged writes cannot be read: " + e);
                }
                return acknowledged.lost(catalog, inspection);
            }));
            Optional<CheckResult> checked = config.history().isChecked() ? Optional.of(checked()) : Optional.empty();
            return new Result(
                    List.copyOf(outages),
                    returnNanos / Math.max(1, outages.size()),
                    acknowledged.count(),
                    violations,
                    checked);
        } finally {
            bench.giveBack();
            bench.close();
        }
    }

    private boolean isEndAskedWithin(long millis) throws InterruptedException {
        return endAsked.await(millis, TimeUnit.MILLISECONDS);
    }

    private CheckResult checked() throws IOException {
        return Checker.check(HistoryCollector.read(notes, bench.catalog()), Model.SERIALIZABLE);
    }

    private void inject(int i, SplittableRandom random, String request) throws InterruptedException, IOException {
        Injection injection = new Injection.Site(config.zones(), bench, processes, pages).draw(options.fault(), random);
        double stopSeconds =
                options.stopSecondsMin() + random.nextDouble() * (options.stopSecondsMax() - options.stopSecondsMin());
        long epoch = pages.epochWithout(injection.victims());
        long begun = System.nanoTime();
        long outage;
        try {
            injection.begin();
            outage = pages.firstCommitAfter(epoch, injection.victims()) - begun;
            outages.add(outage);
            injection.awaitEffect();
            if (injection.lasts()) {
                boolean _ = endAsked.await(
                        (long) (stopSeconds * TimeUnit.SECONDS.toNanos(1)) - (System.nanoTime() - begun),
                        TimeUnit.NANOSECONDS);
            }
        } catch (RuntimeException | InterruptedException e) {
            endAfter(e, injection);
            throw e;
        }
        long back = System.nanoTime();
        injection.end();
        takeBack(injection.expelled(), request);
        long returned = System.nanoTime() - back;
        returnNanos += returned;
        progress.accept("%d: %s, next commit after %d ms, back after %d ms"
                .formatted(
                        i + 1,
                        injection.describe(),
                        TimeUnit.NANOSECONDS.toMillis(outage),
                        TimeUnit.NANOSECONDS.toMillis(returned)));
    }

    /** Ends an injection after a failure, so that no process stays stopped and no link cut. */
    private static void endAfter(Exception failure, Injection injection) throws InterruptedException {
        try {
            injection.end();
        } catch (RuntimeException | IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void takeBack(List<Integer> nodes, String request) throws InterruptedException {
        for (int node : nodes) {
            bench.agent(node).borrow();
            bench.agent(node).post("prepare", request);
        }
        for (int node : nodes) {
            pages.await(node, "can start", page -> page.required("can_start").asBoolean());
            bench.agent(node).post("start", NOTHING);
        }
        for (int node : nodes) {
            pages.await(node, "serves", page -> page.required("serving").asBoolean());
            bench.agent(node).post("run", NOTHING);
            pages.await(node, "commits", page -> page.required("committed").asLong() > 0);
        }
    }

    /** Ignores calls: the acknowledged writes come from files only. */
    private static final class NoRecorder implements HistoryRecorder {
        @Override
        public void committed(Transaction txn, long beginNanos, long endNanos) {
            // The files contain writes, not transactions.
        }

        @Override
        public void aborted(Transaction txn, long beginNanos, long endNanos) {
            // As above.
        }
    }
}
