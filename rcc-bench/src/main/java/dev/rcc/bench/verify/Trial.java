package dev.rcc.bench.verify;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.check.Verdict;
import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.server.ClusterConfig;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.transport.sim.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A scenario that was run, and what came of it.
 *
 * @param scenario what was run
 * @param committed how many transactions committed
 * @param faults what went wrong on purpose, and how often
 * @param violations what is wrong with the data or with the run, each a sentence; empty if nothing is
 * @param history what happened
 * @param verdict what the checker says of it
 */
public record Trial(
        Scenario scenario,
        long committed,
        Map<Faults.Kind, Long> faults,
        List<String> violations,
        History history,
        Verdict verdict) {
    /** In virtual time; nothing takes that long. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How long transactions wait for a dead node to be replaced, in virtual time. */
    private static final Duration RECOVERY = Duration.ofSeconds(1);

    private static final int LOG_RING_BYTES = 64 * 1024;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int ADDRESS_CACHE_ENTRIES = 1024;
    /** Enough for every conflict to pass. */
    private static final RetryPolicy PATIENT = new RetryPolicy(20_000, 4_000, 1_000_000);
    /** What is locked may stay locked for ever. */
    private static final RetryPolicy HASTY = new RetryPolicy(30, 4_000, 200_000);

    /** Runs a scenario to its end. The same scenario always comes to the same. */
    public static Trial run(Scenario scenario) {
        HistoryCollector recorder = HistoryCollector.ofNodesThatMayDie();
        AcknowledgedWrites acknowledged = new AcknowledgedWrites(recorder);
        Workload workload = scenario.workload();
        ClusterConfig config = ClusterConfig.of(scenario.protocol(), workload.tables(scenario.nodes()))
                .withCode(scenario.code())
                .withShape(scenario.nodes(), scenario.workers(), scenario.coroutines(), scenario.replicas())
                .withMemory(LOG_RING_BYTES, BUFFER_BYTES, ADDRESS_CACHE_ENTRIES)
                .withRetries(scenario.isLossy() ? HASTY : PATIENT)
                .withRecovery(scenario.weather() == Scenario.Weather.FAILOVER ? RECOVERY : Duration.ZERO)
                .withSeed(scenario.seed())
                .withHistory(acknowledged);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, scenario.simulation())) {
            workload.load(cluster.loader());
            int clients = scenario.nodes() * scenario.workers() * scenario.coroutines();
            List<Generator> generators =
                    workload.generators(cluster.catalog(), clients, new SplittableRandom(scenario.seed()));
            cluster.start();
            spawn(scenario, cluster, generators);
            List<String> violations = endAndCheck(scenario, cluster, generators, acknowledged);
            if (scenario.isLossy()) {
                recorder.markIncomplete("nodes lost each other with what they knew");
            }
            History history = recorder.history();
            return new Trial(
                    scenario,
                    cluster.metrics().committed(),
                    counts(cluster.faults()),
                    List.copyOf(violations),
                    history,
                    Checker.check(history, Model.SERIALIZABLE));
        }
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return violations.isEmpty() && verdict.isClean();
    }

    private static Map<Faults.Kind, Long> counts(Faults faults) {
        Map<Faults.Kind, Long> counts = new EnumMap<>(Faults.Kind.class);
        for (Faults.Kind kind : Faults.Kind.values()) {
            counts.put(kind, faults.count(kind));
        }
        return Collections.unmodifiableMap(counts);
    }

    private static void spawn(Scenario scenario, SimulatedCluster cluster, List<Generator> generators) {
        Iterator<Generator> each = generators.iterator();
        for (int node = 0; node < scenario.nodes(); node++) {
            for (int worker = 0; worker < scenario.workers(); worker++) {
                for (int coroutine = 0; coroutine < scenario.coroutines(); coroutine++) {
                    Generator generator = each.next();
                    cluster.spawn(node, worker, coroutine, (runner, self) -> {
                        for (int i = 0; i < scenario.transactions(); i++) {
                            if (runner.run(generator.next()) == Outcome.COMMITTED) {
                                generator.committed();
                            }
                        }
                    });
                }
            }
        }
    }

    private static List<String> endAndCheck(
            Scenario scenario, SimulatedCluster cluster, List<Generator> generators, AcknowledgedWrites acknowledged) {
        try {
            if (!cluster.awaitClients(PATIENCE)) {
                return List.of("some clients had not ended after " + PATIENCE.toSeconds() + " s of virtual time");
            }
        } catch (IllegalStateException e) {
            return List.of(e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause()));
        }
        if (scenario.isLossy()) {
            return List.of(); // until there is failover, the data at rest is not what it must be
        }
        if (!cluster.quiesce(PATIENCE)) {
            return List.of("some log ring was not replayed after " + PATIENCE.toSeconds() + " s of virtual time");
        }
        ClusterInspection inspection = cluster.inspect();
        List<String> violations = new ArrayList<>(inspection.violations());
        violations.addAll(acknowledged.lost(cluster.catalog(), inspection));
        if (scenario.weather() == Scenario.Weather.FAILOVER) {
            return violations; // what the dead node's clients have done, they cannot say
        }
        violations.addAll(scenario.workload().check(cluster.catalog(), inspection, generators));
        return violations;
    }
}
