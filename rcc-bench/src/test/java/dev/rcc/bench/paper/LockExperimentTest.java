package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBench;
import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.MicroTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Setups of lock managers, as the benchmarks that they are. */
class LockExperimentTest {
    private static final long MILLI = 1_000_000;
    private static final LockSetup SETUP = new LockSetup(
            "dslr",
            new LockSchemes.Terms(2 * MILLI, 1, false, 0, 5_000, 0, MILLI, MILLI, LockSchemes.Clocks.OF_DRTM),
            new MicroTrace(2, 100, 2, 0.5),
            new LockCluster.Shape(2, 2, 1),
            0,
            LockBenchConfig.Clients.BUSY,
            new LockBenchConfig.Times(MILLI, 2 * MILLI),
            Setup.Network.Simulated.as("connectx3-fdr"));
    private static final Scale SCALE = new Scale(new BenchConfig.Times(0, 1), new BenchConfig.Times(0, 1), 1000, 11);

    private final List<LockBenchConfig> configs = new ArrayList<>();
    private final Experiments experiments = new Experiments(
            new BenchExperiment(
                    config -> {
                        throw new AssertionError("a run of transactions");
                    },
                    SCALE,
                    result -> {}),
            new LockExperiment(
                    config -> {
                        configs.add(config);
                        return LockBench.run(config);
                    },
                    SCALE.seed()));

    @Test
    void shouldMeasureEveryQuantityOfALockManager() throws InterruptedException {
        Measured measured = experiments.run(SETUP);
        assertThat(measured.values())
                .containsOnlyKeys(
                        Quantity.THROUGHPUT,
                        Quantity.LATENCY_MEAN,
                        Quantity.LATENCY_P50,
                        Quantity.LATENCY_P99,
                        Quantity.LATENCY_P999,
                        Quantity.ABORT_RATE,
                        Quantity.RESETS,
                        Quantity.ZEROINGS,
                        Quantity.REQUESTS_PER_LOCK,
                        Quantity.ATOMICS_SHARE,
                        Quantity.NIC_SHARE,
                        Quantity.TIMEOUT);
        assertThat(measured.value(Quantity.THROUGHPUT).orElseThrow()).isPositive();
        // A FETCH_ADD to lock and one to unlock, and the READ that dates the ticket.
        assertThat(measured.value(Quantity.REQUESTS_PER_LOCK).orElseThrow()).isGreaterThanOrEqualTo(2.9);
        assertThat(configs).singleElement().satisfies(config -> {
            assertThat(config.seed()).isEqualTo(11);
            assertThat(config.choice().name()).isEqualTo("dslr");
            assertThat(config.isChecked()).isFalse();
        });
    }

    @Test
    void shouldDescribeEverySettingThatMayDiffer() {
        assertThat(SETUP.describe()).isEqualTo("micro dslr on sim, MODELLED as connectx3-fdr");
        assertThat(SETUP.cluster()).isEqualTo("2 nodes x 2 workers");
        assertThat(SETUP.withShape(new LockCluster.Shape(4, 2, 1), 1).cluster())
                .isEqualTo("4 nodes x 2 workers, 1 of the nodes for the locks alone");
        assertThat(SETUP.times(SCALE)).isEqualTo("1 ms warm-up, 2 ms measured, in virtual time");
        assertThat(SETUP.isScaled()).isFalse();
        assertThat(SETUP.facts())
                .containsEntry("manager", "dslr")
                .containsEntry("trace", "MicroTrace[nodes=2, locksEach=100, alpha=2.0, rho=0.5]")
                .containsEntry("lease_us", 2000.0)
                .containsEntry("asks", "one-by-one")
                .containsEntry("fabric", "sim")
                .containsEntry(
                        "modelled",
                        Map.of(
                                "profile",
                                "connectx3-fdr",
                                "atomicity",
                                "global",
                                "emulated_nodes",
                                0,
                                "changed_costs",
                                Map.of()));
    }

    @Test
    void shouldRejectAnUnknownLockManager() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> experiments.run(SETUP.withManager("padlock")))
                .withMessage("got the lock manager 'padlock', allowed: " + String.join(", ", LockSchemes.names()));
    }
}
