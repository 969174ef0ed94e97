package dev.rcc.bench.verify;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryBuilder;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.verify.clients.ClientTables;
import dev.rcc.bench.verify.clients.SimulatedClients;
import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** The course of one trial: runs a scenario, and collects all violations. Used once, by one thread. */
final class TrialRun {
    /** A time limit, in virtual time, that no step of a correct run reaches. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How long transactions wait for a dead node to be replaced, in virtual time. */
    private static final Duration RECOVERY = Duration.ofSeconds(1);

    /** The same for suspected nodes: less than such a node runs on after the others have taken it out, so that it begins more transactions. */
    private static final Duration RECOVERY_SUSPECTED = Duration.ofNanos(300_000);

    /** A limit for trials that do not end: half a minute of a processor. A trial whose waiters poll every microsecond took 21 million. */
    private static final long MAX_EVENTS = 60_000_000;

    /** The limit for a transaction's attempts in a cluster that loses no node. */
    private static final int MAX_ATTEMPTS = 1_000;

    private static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();
    /** Under DSLR on the slow network. */
    private static final long MAX_NANOS_OF_SLOW_TICKETS = Duration.ofSeconds(5).toNanos();

    /** Options of protocols that set a time limit for locks, as they begin in {@link Scenario#options}: with a short one, waits may end by it. */
    private static final List<String> WAIT_LIMITS = List.of("waitdie.wait-ms=", "dslr.lease-ms=");

    /** Options with which SUNDIAL holds locks over several rounds; it waits for 5 ms at most. */
    private static final List<String> LONG_LOCKS = List.of("sundial.locks=access", "sundial.locks=adaptive");

    /** A protocol that holds locks while it waits for others, one after the other, for 200 ms at most. */
    private static final String TICKETS = "dslr";

    private static final String SLOW_NETWORK = "tcp10g";

    private static final int ADDRESS_CACHE_ENTRIES = 1024;
    /** Enough attempts for every conflict to pass. */
    private static final RetryPolicy PATIENT = new RetryPolicy(20_000, 4_000, 1_000_000);
    /** Few attempts: a locked record may stay locked for ever. */
    private static final RetryPolicy HASTY = new RetryPolicy(30, 4_000, 200_000);

    private final Scenario scenario;
    private final long maxEvents;
    private final HistoryCollector recorder;
    private final AcknowledgedWrites acknowledged;
    private final RecordContents contents;
    private final AscendingVersions versions;
    private final OldVersions oldVersions;
    private final Liveness liveness;
    /** Clients at gateways; empty if the cluster's coroutines are the clients. */
    private final Optional<SimulatedClients> clients;

    private final List<String> violations = new ArrayList<>();
    private final Map<Faults.Kind, Long> faults = new EnumMap<>(Faults.Kind.class);
    /** By reason: the transactions that ended without a commit. */
    private final Map<AbortReason, Integer> aborted = new LinkedHashMap<>();

    private Map<String, Long> windows = new LinkedHashMap<>();
    private long committed;

    TrialRun(Scenario scenario) {
        this(scenario, MAX_EVENTS);
    }

    /** A trial that ends after at most {@code maxEvents} events of the simulation. */
    TrialRun(Scenario scenario, long maxEvents) {
        this.scenario = scenario;
        this.maxEvents = maxEvents;
        this.recorder = HistoryCollector.ofNodesThatMayDie(scenario.isRecovering());
        this.acknowledged = new AcknowledgedWrites(recorder);
        this.contents = new RecordContents(acknowledged);
        this.versions = new AscendingVersions(contents);
        this.oldVersions = new OldVersions(scenario.protocol(), versions, contents);
        this.liveness = new Liveness(oldVersions);
        this.clients = scenario.workload() instanceof ClientTables tables
                ? Optional.of(new SimulatedClients(tables, scenario.seed(), scenario.isCalm()))
                : Optional.empty();
    }

    /** The trial cannot go on. */
    private static final class TrialEnded extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        TrialEnded(String why) {
            super(why);
        }
    }

    Trial run() {
        try (ErrorLog errors = ErrorLog.open()) {
            collectFailures("the run failed", () -> runCluster(errors));
        }
        History[] history = {new HistoryBuilder().build()};
        collectFailures("the history contradicts itself", () -> history[0] = recorder.history());
        CheckResult[] checked = {Checker.check(new HistoryBuilder().build(), model())};
        collectFailures("the history could not be judged", () -> checked[0] = Checker.check(history[0], model()));
        return new Trial(scenario, committed, faults, windows, violations, history[0], checked[0]);
    }

    /** The model to check against. The history's times are true ones, even when the nodes' clocks are wrong. */
    private Model model() {
        return scenario.protocol().isStrictlySerializable() ? Model.STRICT_SERIALIZABLE : Model.SERIALIZABLE;
    }

    private void collectFailures(String what, Runnable step) {
        try {
            step.run();
        } catch (TrialEnded e) {
            violations.add(e.getMessage());
        } catch (RuntimeException | Error e) {
            violations.add(describe(what, e));
        }
    }

    private static String describe(String what, Throwable thrown) {
        StringBuilder text = new StringBuilder(what);
        Throwable deepest = thrown;
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            text.append(": ").append(each);
            deepest = each;
        }
        return deepest.getStackTrace().length == 0 ? text.toString() : text + ", at " + deepest.getStackTrace()[0];
    }

    private void runCluster(ErrorLog errors) {
        Workload workload = scenario.workload();
        ClusterConfig config = ClusterConfig.of(scenario.protocol(), workload.tables(scenario.nodes()))
                .withCode(scenario.code())
                .withShape(scenario.nodes(), scenario.workers(), scenario.coroutines(), scenario.replicas())
                .withZones(scenario.zones())
                .withMemory(scenario.logRingBytes(), scenario.bufferBytes(), ADDRESS_CACHE_ENTRIES)
                .withRetries(scenario.isLossy() ? HASTY : PATIENT)
                .withRecovery(recovery())
                .withFragments(scenario.fragments())
                .withSeed(scenario.seed())
                .withHistory(clients.<HistoryRecorder>map(each -> each.recorder(liveness))
                        .orElse(liveness));
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, scenario.simulation())) {
            liveness.onlyWhile(cluster::isWhole);
            cluster.network().simulation().guard(() -> checkCourse(cluster, errors));
            workload.load(cluster.loader());
            int coroutines = scenario.nodes() * scenario.workers() * scenario.coroutines();
            List<Generator> generators =
                    workload.generators(cluster.catalog(), coroutines, new SplittableRandom(scenario.seed()));
            try {
                cluster.plan(scenario.deaths());
                cluster.start();
                contents.loaded(cluster.inspect());
                oldVersions.loaded(cluster.inspect());
                if (clients.isPresent()) {
                    clients.get().loaded(cluster.inspect());
                    clients.get().start(cluster, coroutines + scenario.nodes(), scenario.transactions());
                } else {
                    spawnEverywhere(cluster, generators);
                }
                endAndCheck(cluster, generators);
                checkCourse(cluster, errors);
            } finally {
                violations.addAll(contents.violations());
                violations.addAll(versions.violations());
                clients.ifPresent(each -> violations.addAll(each.violations()));
                judgeLiveness(cluster.metrics());
                committed = cluster.metrics().committed();
                for (Faults.Kind kind : Faults.Kind.values()) {
                    faults.put(kind, cluster.faults().count(kind));
                }
                windows = cluster.windows().counts();
                if (cluster.metrics().committedByParticipants() > 0) {
                    windows.put(Scenario.EXECUTED_EVERYWHERE, cluster.metrics().committedByParticipants());
                }
                clients.ifPresent(each -> windows.putAll(each.windows()));
            }
        }
    }

    private Duration recovery() {
        if (!scenario.isRecovering()) {
            return Duration.ZERO;
        }
        return scenario.faults() == Scenario.FaultKind.SUSPICIONS ? RECOVERY_SUSPECTED : RECOVERY;
    }

    /** Ends the trial at the first logged error or at the limit of events: a broken cluster may run, and log errors, for ever. */
    private void checkCourse(SimulatedCluster cluster, ErrorLog errors) {
        if (errors.first() != null) {
            throw new TrialEnded("an error was logged: " + errors.first());
        }
        if (cluster.events() > maxEvents) {
            throw new TrialEnded(String.format(
                    Locale.ROOT,
                    "no end after %,d events, at %,d ns of virtual time",
                    cluster.events(),
                    cluster.nanos()));
        }
    }

    /** If no node is lost for long, no transaction waits for long. If nodes are lost for ever, their locks stay, so nothing is checked. */
    private void judgeLiveness(TransactionMetrics metrics) {
        if (scenario.isLossy()) {
            return;
        }
        if (!scenario.isCalm() || clients.isPresent()) { // clients hold locks while they think
            violations.addAll(liveness.violations());
            return;
        }
        violations.addAll(liveness.violations(MAX_ATTEMPTS, hasSlowTickets() ? MAX_NANOS_OF_SLOW_TICKETS : MAX_NANOS));
        long timeOuts = metrics.aborts(ConflictReasons.WAIT_TIMEOUT);
        if (timeOuts > 0 && !mayTimeOut()) {
            violations.add(timeOuts + " attempts timed out waiting for locks although no node was lost");
        }
    }

    /**
     * Whether waits for locks may end by their time limit: if it is short, or is only some round trips. Then an attempt that holds its locks over
     * several rounds may keep others waiting for so long.
     */
    private boolean mayTimeOut() {
        return hasAnyOf(WAIT_LIMITS) || hasSlowTickets() || (isSlow() && hasAnyOf(LONG_LOCKS));
    }

    private boolean hasSlowTickets() {
        return isSlow() && scenario.protocol().name().equals(TICKETS);
    }

    private boolean isSlow() {
        return scenario.simulation().costs().name().equals(SLOW_NETWORK);
    }

    private boolean hasAnyOf(List<String> options) {
        return options.stream().anyMatch(scenario.options()::contains);
    }

    /** When all clients have ended: if no node was lost, transactions have committed, and none has ended for a reason that it cannot have. */
    private void judgeProgress(TransactionMetrics metrics) {
        if (!scenario.isCalm()) {
            return;
        }
        clients.ifPresent(each -> violations.addAll(each.violationsOfProgress()));
        if (metrics.committed() == 0) {
            violations.add("no transaction committed although no node was lost");
        }
        aborted.forEach((reason, count) -> {
            if (!scenario.mayEndFor(reason)) {
                violations.add(count + " transactions ended for " + reason + " although no node was lost");
            }
        });
    }

    private void spawnEverywhere(SimulatedCluster cluster, List<Generator> generators) {
        for (int node = 0; node < scenario.nodes(); node++) {
            spawn(cluster, node, generators);
        }
        cluster.whenRejoined(node -> spawn(cluster, node, generators));
    }

    private void spawn(SimulatedCluster cluster, int node, List<Generator> generators) {
        int clients = scenario.workers() * scenario.coroutines();
        for (int client = 0; client < clients; client++) {
            Generator generator = generators.get(node * clients + client);
            cluster.spawn(node, client / scenario.coroutines(), client % scenario.coroutines(), (runner, self) -> {
                for (int i = 0; i < scenario.transactions(); i++) {
                    Outcome outcome = liveness.run(runner, generator.next(), cluster::nanos);
                    if (outcome == Outcome.COMMITTED) {
                        generator.committed();
                    } else {
                        aborted.merge(runner.transaction().abortReason(), 1, Integer::sum);
                    }
                }
            });
        }
    }

    /** A dead node's clients cannot report their last transactions. */
    private List<? extends Account> accounts(List<Generator> generators) {
        return scenario.isRecovering()
                ? generators.stream().map(Account::incomplete).toList()
                : generators;
    }

    private void endAndCheck(SimulatedCluster cluster, List<Generator> generators) {
        if (clients.isPresent() && !cluster.await(PATIENCE, clients.get()::haveEnded)) {
            violations.add(
                    "some clients of gateways had not ended after " + PATIENCE.toSeconds() + " s of virtual time");
            return;
        }
        if (!cluster.awaitClients(PATIENCE)) {
            violations.add("some clients had not ended after " + PATIENCE.toSeconds() + " s of virtual time");
            violations.addAll(cluster.unreplayed());
            return;
        }
        judgeProgress(cluster.metrics());
        if (scenario.isLossy()) {
            return; // without failover, the data at rest may be incomplete
        }
        cluster.endDeaths();
        if (!cluster.await(PATIENCE, cluster::isReconfigured)) {
            violations.add(
                    "a dead node was still in the configuration after " + PATIENCE.toSeconds() + " s of virtual time");
            return;
        }
        if (!cluster.quiesce(PATIENCE)) {
            violations.add("some log ring was not replayed after " + PATIENCE.toSeconds() + " s of virtual time");
            violations.addAll(cluster.unreplayed());
            return;
        }
        ClusterInspection inspection = cluster.inspect();
        violations.addAll(inspection.violations());
        contents.compareAtRest(inspection);
        clients.ifPresent(each -> {
            each.atRest(inspection);
            each.acknowledge(acknowledged::acknowledged);
        });
        violations.addAll(acknowledged.lost(cluster.catalog(), inspection));
        if (!scenario.isRecovering()) {
            violations.addAll(oldVersions.compareAtRest(inspection));
        }
        violations.addAll(scenario.workload().check(cluster.catalog(), inspection, accounts(generators)));
    }
}
