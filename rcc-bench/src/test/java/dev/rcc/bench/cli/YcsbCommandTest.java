package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

// Each test runs YCSB's own client, in processes of its own, as users do.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class YcsbCommandTest {
    private static final Path WORKLOADS = workloads();

    /** The core workloads, of which each build runs two. */
    private static final List<String> PAIRS = List.of("ad", "be", "cf");

    /** A table with a name that is not ASCII, as are paths and labels of users. */
    private static final String LOADED = "gelädt-Ω";

    private static EmbeddedCluster cluster;
    private static EmbeddedGateways gateways;

    /** The output and the exit code of a command. */
    private record Ran(int code, String out, String err) {}

    private static Path workloads() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("workloads/workloada"))) {
            directory = directory.getParent();
        }
        return directory.resolve("workloads");
    }

    @BeforeAll
    static void start() {
        List<TableSchema> tables = new ArrayList<>();
        for (String name : List.of(LOADED, "a", "b", "c", "d", "e", "f", "batch")) {
            tables.add(TableSchema.ofByteKeys(tables.size(), name, 24, 1_100, 1_000)
                    .ordered());
        }
        ClusterConfig config = ClusterConfig.of(new Sundial(), tables).withShape(3, 1, 40, 2);
        int hundredRecords = 1 << 18;
        cluster = new EmbeddedCluster(config.withMemory(
                config.memory().logRingBytes(), hundredRecords, config.memory().addressCacheEntries()));
        cluster.start();
        gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
    }

    @AfterAll
    static void stop() {
        gateways.close();
        cluster.close();
    }

    private static Ran ycsb(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("ycsb"));
        all.addAll(List.of(args));
        int code = Rcc.run(
                new PrintWriter(out), new PrintWriter(err), YcsbCommandTest::noBench, all.toArray(String[]::new));
        return new Ran(code, out.toString(), err.toString());
    }

    private static BenchResult noBench(BenchConfig config) {
        throw new AssertionError(config);
    }

    private static Ran phase(String phase, String workload, String table, String... more) {
        List<String> args = new ArrayList<>(List.of(
                phase,
                "-P",
                WORKLOADS.resolve(workload).toString(),
                "--hosts",
                gateways.addresses(),
                "-p",
                "table=" + table,
                "-p",
                "recordcount=100",
                "-p",
                "operationcount=300",
                "-threads",
                "4"));
        args.addAll(List.of(more));
        return ycsb(args.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"a, UPDATE", "b, READ", "c, READ", "d, INSERT", "e, SCAN", "f, READ-MODIFY-WRITE"})
    void shouldRunTheCoreWorkloadsWithoutFailure(String workload, String operation, TestInfo test) {
        String pair =
                PAIRS.stream().filter(two -> two.contains(workload)).findFirst().orElseThrow();
        BuildDraw.assumeDrawn(test, pair, PAIRS);
        String file = "workload" + workload;
        Ran load = phase("load", file, workload);
        assertThat(load.code()).as("%s", load).isZero();
        assertThat(load.out()).contains("[INSERT], Return=OK, 100");
        Ran run = phase("run", file, workload);
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).contains("[" + operation + "], Operations, ").doesNotContain("FAILED", "ERROR");
        long ended = run.out()
                .lines()
                .filter(line -> line.contains("Return=OK"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
        assertThat(ended).isGreaterThanOrEqualTo(300);
    }

    @Test
    void shouldRunSeveralOperationsATransaction() {
        String[] batches = {"-p", "rcc.transaction.ops=8"};
        assertThat(phase("load", "workloada", "batch", batches).code()).isZero();
        Ran run = phase("run", "workloada", "batch", batches);
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).contains("Return=BATCHED_OK", "[TRANSACTION], Return=OK, 40"); // 4 threads, 75 / 8 each
    }

    @Test
    void shouldEndWithAFailureWhenAnOperationHasFailed() {
        assertThat(phase("load", "workloadc", LOADED).code()).isZero();
        Ran again = phase("load", "workloadc", LOADED, "-p", "core_workload_insertion_retry_limit=0");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("rcc ycsb load: ", "INSERT ended with ALREADY_EXISTS");
        Ran none = phase("run", "workloadc", LOADED, "-p", "operationcount=0");
        assertThat(none.code()).isEqualTo(1);
        Ran exported = phase(
                "run", "workloadc", LOADED, "-p", "exporter=site.ycsb.measurements.exporter.JSONMeasurementsExporter");
        assertThat(exported.code()).isZero();
        assertThat(exported.out()).contains("\"metric\" : \"READ\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        load                                  | 2 | -P: no workload
        run -P /no/such/file                  | 2 | -P: got '/no/such/file', allowed: a file with properties
        run -p workload                       | 2 | -p: got 'workload', allowed: key=value
        run -p workload=X -threads none       | 2 | -threads: got 'none', allowed: an integer from 1 to 100000
        run -p workload=X -target -1          | 2 | -target
        run -p workload=X -p rcc.upserts=1 --hosts localhost:1 | 2 | rcc.upserts: there is no such property
        run -p workload=X --hosts localhost:1 | 3 | localhost:1
        run -p workload=X --dir /no/such/dir  | 3 | no cluster that takes clients runs in /no/such/dir
        run -p workload=X -p rcc.hosts=localhost:1                    | 3 | localhost:1
        run -p workload=X -p rcc.hosts=localhost:1 --hosts localhost:2 | 3 | localhost:2
        run -p workload=X -p rcc.hosts=localhost:1 --dir /no/such/dir | 3 | runs in /no/such/dir
        """)
    void shouldFailWithTheCauseInItsMessage(String args, int code, String message) {
        Ran ran = ycsb(args.split(" ", -1));
        assertThat(ran.code()).isEqualTo(code);
        assertThat(ran.err()).contains(message).hasLineCount(1);
    }

    @Test
    void shouldMissTheTableBeforeItBegins() {
        Ran ran = phase("run", "workloada", "usertable");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("table: got 'usertable'", "--tables usertable:bytes32:");
    }

    // Goal: files that YCSB reads are read. Method: a file whose comment is in Latin-1.
    @Test
    void shouldReadFilesInTheEncodingOfProperties(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("latin1"), "# für alle\nrecordcount=10\n", StandardCharsets.ISO_8859_1);
        assertThat(ycsb("run", "-P", file.toString()).err()).contains("-P: no workload");
    }
}
