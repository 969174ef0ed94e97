package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.workloads.Workloads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoCommandTest {
    @Test
    void shouldShowBothWaysAndTheInvariants() {
        StringWriter out = new StringWriter();
        int code = Rcc.run(new PrintWriter(out), new PrintWriter(out), DemoCommandTest::shortened, "demo");
        assertThat(code).isEqualTo(Rcc.OK);
        assertThat(out.toString())
                .contains("Run 1 of 2: every stage by RPC", "Run 2 of 2: every stage by one-sided verbs")
                .contains("committed transactions per second", "stage lock, mean, us")
                .containsPattern("invariants +ok +ok")
                .doesNotContain("VIOLATED", "%n");
    }

    /** The demo's runs, on a small bank and in no time. */
    private static BenchResult shortened(BenchConfig config) throws InterruptedException {
        return new BenchRunner(BenchConfig.local(
                        config.protocol(),
                        config.code(),
                        Workloads.create("smallbank", Map.of("accounts", "1000")),
                        config.shape().withCoroutines(2),
                        new BenchConfig.Times(0, 0.1),
                        config.seed()))
                .run();
    }
}
