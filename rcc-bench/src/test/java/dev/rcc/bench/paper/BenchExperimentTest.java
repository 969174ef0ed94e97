package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.ChangedResult;
import dev.rcc.core.fabric.Atomicity;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Setups of every kind, as the benchmarks that they are. */
class BenchExperimentTest {
    private static final BenchConfig.Shape SHAPE = new BenchConfig.Shape(3, 1, 2, 3);
    private static final Scale SCALE =
            new Scale(new BenchConfig.Times(0, 0.0005), new BenchConfig.Times(0.1, 0.5), 1000, 7);
    private static final BenchSetup ON_SIM =
            BenchSetup.of("nowait", "one-sided", "ycsb", SHAPE, Setup.Network.Simulated.as("connectx4-edr"));

    private final List<BenchConfig> configs = new ArrayList<>();
    private final List<BenchResult> results = new ArrayList<>();
    private final BenchExperiment experiment = new BenchExperiment(this::run, SCALE, results::add);

    @Test
    void shouldMeasureEveryQuantityOnTheSimulatedNetwork() throws InterruptedException {
        Measured oneSided = experiment.run(ON_SIM);
        BenchResult result = results.getFirst();
        assertThat(result.violations()).isEmpty();
        assertThat(oneSided.value(Quantity.THROUGHPUT)).hasValue(result.committedPerSecond());
        assertThat(oneSided.value(Quantity.ROUND_TRIPS)).hasValue(result.roundTripsPerTransaction());
        double p50 = oneSided.values().get(Quantity.LATENCY_P50);
        double p99 = oneSided.values().get(Quantity.LATENCY_P99);
        double p999 = oneSided.values().get(Quantity.LATENCY_P999);
        assertThat(p50).isPositive().isLessThanOrEqualTo(p99);
        assertThat(p99).isLessThanOrEqualTo(p999);
        double byReason = oneSided.values().entrySet().stream()
                .filter(entry -> entry.getKey().name().startsWith("aborts_"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        assertThat(byReason).isCloseTo(oneSided.values().get(Quantity.ABORT_RATE), within(1e-9));

        // A transaction has ten operations on records of 64 bytes: one-sided it takes verbs for each, by RPC calls to
        // participants.
        Measured rpc = experiment.run(ON_SIM.withCode("rpc"));
        assertThat(oneSided.values().get(Quantity.VERBS)).isGreaterThan(10);
        assertThat(rpc.values().get(Quantity.VERBS))
                .isLessThan(oneSided.values().get(Quantity.VERBS));
        assertThat(rpc.values().get(Quantity.CALLS))
                .isGreaterThan(oneSided.values().get(Quantity.CALLS));
        assertThat(oneSided.values().get(Quantity.BYTES)).isBetween(64.0, 100_000.0);
        assertThat(rpc.values().get(Quantity.BYTES)).isBetween(64.0, 100_000.0);
    }

    @Test
    void shouldMeasureARealNetworkInRealTimeAndOmitUncountedQuantities() throws InterruptedException {
        Measured measured = experiment.run(ON_SIM.withNetwork(new Setup.Network.Real("local", Map.of())));
        assertThat(configs.getFirst().fabric()).isEqualTo("local");
        assertThat(configs.getFirst().times().seconds()).isEqualTo(0.5);
        assertThat(measured.value(Quantity.VERBS)).isNotEmpty();
        assertThat(measured.value(Quantity.BYTES)).isEmpty();
    }

    @Test
    void shouldTakeAnyShapeProfileAndOptions() throws InterruptedException {
        BenchSetup setup = new BenchSetup(
                "mvcc",
                Map.of("mvcc.versions", "2"),
                "one-sided",
                "smallbank",
                Map.of("hot-accounts", "10"),
                new BenchConfig.Shape(2, 2, 1, 1),
                new Setup.Network.Simulated("roce25", Atomicity.DEVICE, 40, Map.of("cpuPostNanos", "77")),
                3);
        experiment.run(setup);
        BenchConfig config = configs.getFirst();
        assertThat(config.protocolOptions()).containsExactly(Map.entry("versions", "2"));
        assertThat(config.workload().options())
                .containsEntry("hot-accounts", "10")
                .containsEntry("accounts", "2000");
        assertThat(config.nodes()).isEqualTo(2);
        assertThat(config.workers()).isEqualTo(2);
        assertThat(config.replicas()).isEqualTo(1);
        assertThat(config.atomicity()).isEqualTo(Atomicity.DEVICE);
        assertThat(config.simulation().orElseThrow().costs().name()).isEqualTo("roce25");
        assertThat(config.simulation().orElseThrow().emulatedNodes()).isEqualTo(40);
        assertThat(config.times().seconds()).isEqualTo(3 * 0.0005);
        assertThat(config.seed()).isEqualTo(7);
    }

    // Goal: a book's thousands of runs fit a heap, though the histograms of one take megabytes.
    @Test
    void shouldKeepOnlyTheMeasuredValuesOfARun() throws InterruptedException {
        List<WeakReference<BenchResult>> made = new ArrayList<>();
        BenchExperiment forgetting =
                new BenchExperiment(this::run, SCALE, result -> made.add(new WeakReference<>(result)));
        forgetting.run(ON_SIM.withCode(BenchSetup.HYBRID));
        assertThat(made).hasSize(3);
        while (made.stream().anyMatch(result -> result.get() != null)) { // a test that hangs fails
            System.gc();
        }
        assertThat(forgetting.run(ON_SIM.withCode("rpc")).value(Quantity.THROUGHPUT))
                .isNotEmpty();
        assertThat(made).as("the uniform code has run before").hasSize(3);
    }

    // Goal: a hybrid code costs its two uniform runs once. Method: count the runs.
    @Test
    void shouldChooseAHybridByItsUniformRuns() throws InterruptedException {
        experiment.run(ON_SIM.withCode("rpc"));
        experiment.run(ON_SIM.withCode(BenchSetup.HYBRID));
        assertThat(configs)
                .hasSize(3)
                .extracting(config -> config.code().digits())
                .contains("0000", "1111");
    }

    // Goal: a code that was chosen by the figures of wrong data is not trusted. Method: the run with RPC alone loses an
    // update.
    @Test
    void shouldReportTheViolationsOfTheRunsThatChoseAHybrid() throws InterruptedException {
        BenchExperiment faulty = new BenchExperiment(
                config -> {
                    BenchResult result = run(config);
                    return config.code().digits().equals("0000") ? withViolation(result) : result;
                },
                SCALE,
                results::add);
        assertThat(faulty.run(ON_SIM.withCode("one-sided")).invariants()).isEqualTo(new Invariants(true, List.of()));
        assertThat(faulty.run(ON_SIM.withCode(BenchSetup.HYBRID)).invariants().violations())
                .containsExactly("ycsb nowait rpc on sim, MODELLED as connectx4-edr: an update is lost");
    }

    private static BenchResult withViolation(BenchResult result) {
        return ChangedResult.of(result, List.of("an update is lost"), result.history(), result.conditions());
    }

    @Test
    void shouldRejectUnknownNamesAndABadStretch() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> experiment.run(ON_SIM.withWorkloadOption("colour", "red")))
                .withMessageContaining("colour");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> experiment.run(ON_SIM.withNetwork(new Setup.Network.Real("pigeon", Map.of()))))
                .withMessageContaining("pigeon");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ON_SIM.withStretch(0.5))
                .withMessageContaining("0.5");
    }

    private BenchResult run(BenchConfig config) throws InterruptedException {
        configs.add(config);
        return new BenchRunner(config).run();
    }
}
