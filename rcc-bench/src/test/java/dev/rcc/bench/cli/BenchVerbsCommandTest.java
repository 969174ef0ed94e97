package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verbs.Comparison;
import dev.rcc.bench.verbs.MeasurementFailed;
import dev.rcc.bench.verbs.VerbsBenchConfig;
import dev.rcc.bench.verbs.VerbsRig;
import dev.rcc.bench.verbs.VerbsTest;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchVerbsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final FakeRig rig = new FakeRig();

    /** Measures nothing: the test sets how fast RCC is. */
    private static final class FakeRig implements VerbsRig {
        List<String> devices = List.of("rxe0", "mlx5_0");
        RuntimeException failure;
        double latencyRatio = 1.05;
        VerbsBenchConfig ran;
        int gidIndex;

        @Override
        public List<String> devices() {
            return devices;
        }

        @Override
        public List<Comparison> run(VerbsBenchConfig config, int gid, Consumer<Comparison> listener) {
            ran = config;
            gidIndex = gid;
            if (failure != null) {
                throw failure;
            }
            List<Comparison> comparisons = new ArrayList<>();
            for (VerbsTest test : config.tests()) {
                for (int bytes : test.sizes(config.sizes())) {
                    boolean isLatency = test.measure() == VerbsTest.Measure.LATENCY;
                    Comparison comparison = new Comparison(
                            test,
                            bytes,
                            config.iterations(test),
                            List.of(20.0, 20.0, 900.0),
                            List.of(1.0, 20 * (isLatency ? latencyRatio : 0.95), 900.0));
                    comparisons.add(comparison);
                    listener.accept(comparison);
                }
            }
            return comparisons;
        }
    }

    @Test
    void shouldPrintATableWithRatiosAndGoals() {
        assertThat(run("--tests ib_read_lat,ib_send_bw --sizes 8,1024")).isEqualTo(Rcc.OK);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString().lines())
                .containsExactly(
                        "device rxe0, two processes each, polling; median of 5, in turn; queue depth 128 in rate tests",
                        "                  bytes messages       perftest            rcc   ratio",
                        "  ib_read_lat         8    1,000       20.00 us       21.00 us    1.05   (goal: at most 1.10, met)",
                        "  ib_read_lat     1,024    1,000       20.00 us       21.00 us    1.05   (goal: at most 1.10, met)",
                        "  ib_send_bw          8    5,000          20 /s          19 /s    0.95   (goal: at least 0.90, met)",
                        "  ib_send_bw      1,024    5,000          20 /s          19 /s    0.95   (goal: at least 0.90, met)",
                        "goals: 4 of 4 met");
    }

    @Test
    void shouldTakeOptions() {
        assertThat(run("--device mlx5_0 --gid-index 3 --repetitions 7 --latency-messages 50 --rate-messages 600"))
                .isEqualTo(Rcc.OK);
        assertThat(rig.ran)
                .isEqualTo(new VerbsBenchConfig("mlx5_0", List.of(VerbsTest.values()), List.of(8, 64), 7, 50, 600));
        assertThat(rig.gidIndex).isEqualTo(3);
    }

    @Test
    void shouldFailForAMissedGoalOnlyIfItIsStrict() {
        rig.latencyRatio = 1.2;
        assertThat(run("--tests ib_read_lat --sizes 8")).isEqualTo(Rcc.OK);
        assertThat(out.toString()).contains("missed").contains("goals: 0 of 1 met");
        assertThat(run("--tests ib_read_lat --sizes 8 --strict")).isEqualTo(Rcc.FAILED);
        rig.latencyRatio = 1;
        assertThat(run("--tests ib_read_lat --sizes 8 --strict")).isEqualTo(Rcc.OK);
    }

    @Test
    void shouldWriteAllFiguresAsJson(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("verbs.json");
        assertThat(run("--tests ib_read_lat,ib_read_bw --sizes 64 --json " + file))
                .isEqualTo(Rcc.OK);
        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(file));
        assertThat(json.get("goals_met").asBoolean()).isTrue();
        assertThat(json.get("tests").size()).isEqualTo(2);
        JsonNode test = json.get("tests").get(0);
        assertThat(test.get("test").asString()).isEqualTo("ib_read_lat");
        assertThat(test.get("ratio").asDouble()).isEqualTo(1.05);
        assertThat(test.get("perftest_all").size()).isEqualTo(3);
        assertThat(json.get("manifest").get("commit").asString()).isNotEmpty();
    }

    @Test
    void shouldFailAndSuggestTheLabWithoutAnRdmaDevice() {
        rig.devices = List.of();
        assertThat(run("")).isEqualTo(Rcc.FAILED);
        assertThat(err.toString()).contains("no RDMA device").contains("./rcc lab ./rcc bench-verbs");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void shouldPrintTheCauseOfAFailedMeasurement() {
        rig.failure = new MeasurementFailed("ib_read_lat is not installed");
        assertThat(run("")).isEqualTo(Rcc.FAILED);
        assertThat(err.toString()).contains("bench-verbs: ib_read_lat is not installed");
        rig.failure = new VerbsUnavailable("install rdma-core");
        assertThat(run("")).isEqualTo(Rcc.FAILED);
        assertThat(err.toString()).contains("install rdma-core");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--device nosuch         | --device: got 'nosuch', allowed: rxe0, mlx5_0",
                "--tests ib_magic_lat    | --tests: got 'ib_magic_lat', allowed: all, or one or several",
                "--sizes 0               | --sizes: got '0', allowed: one or several integers from 1 to 65536",
                "--sizes 8,              | --sizes: got '8,', allowed: one or several integers",
                "--repetitions 0         | --repetitions: got '0', allowed: an integer from 1",
                "--json /no/such/file    | --json: got '/no/such/file', allowed: a file that can be written",
            })
    void shouldRefuseBadInput(String args, String message) {
        assertThat(run(args)).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString()).contains(message);
        assertThat(rig.ran).isNull();
    }

    private int run(String args) {
        CommandLine command = BenchVerbsCommand.commandLine(rig)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler((e, given) -> refuse(e));
        return command.execute(args.isEmpty() ? new String[0] : args.split(" "));
    }

    private int refuse(ParameterException e) {
        err.write(BadInput.oneLine(e));
        return Rcc.BAD_INPUT;
    }
}
