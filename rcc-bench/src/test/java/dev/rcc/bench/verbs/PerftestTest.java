package dev.rcc.bench.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerftestTest {
    private static final VerbsBenchConfig CONFIG =
            new VerbsBenchConfig("rxe0", List.of(VerbsTest.values()), List.of(8), 1, 1000, 5000);

    @TempDir
    Path programs;

    private Perftest perftest;

    @BeforeEach
    void create() throws IOException {
        perftest = new Perftest(CONFIG, 1, 1024, List.of(programs.resolve("none"), programs));
    }

    @AfterEach
    void close() throws IOException {
        perftest.close();
    }

    @Test
    void shouldMeasureWithAServerAndAClient() throws Exception {
        install("ib_read_lat", fake(PerftestOutputTest.recorded("ib_read_lat")));
        install(
                "ib_send_bw",
                fake(PerftestOutputTest.recorded("ib_send_bw").replace("inline data : 0", "inline data : 9")));
        assertThat(perftest.measure(VerbsTest.READ_LATENCY, 8)).isEqualTo(54.11);
        assertThat(perftest.measure(VerbsTest.SEND_RATE, 8)).isEqualTo(10553);
        assertThat(perftest.inlineBytes(VerbsTest.READ_LATENCY)).isZero();
        assertThat(perftest.inlineBytes(VerbsTest.SEND_RATE)).isEqualTo(9);
    }

    @Test
    void shouldNotTakeAnotherSizeForTheOneAskedFor() throws Exception {
        install("ib_read_lat", fake(PerftestOutputTest.recorded("ib_read_lat")));
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> perftest.measure(VerbsTest.READ_LATENCY, 64))
                .withMessage("ib_read_lat: it measured 8 bytes, not 64");
    }

    @Test
    void shouldMeasureAgainWhenTheClockWasUnusable() throws Exception {
        String figures = PerftestOutputTest.recorded("ib_read_lat");
        String once = programs.resolve("once").toString();
        install(
                "ib_read_lat",
                "case \"$*\" in *127.0.0.1) if mkdir '" + once + "' 2> /dev/null; then " + fake(withoutClock(figures))
                        + "; fi;; esac; " + fake(figures));
        assertThat(perftest.measure(VerbsTest.READ_LATENCY, 8)).isEqualTo(54.11);
        assertThat(programs.resolve("once")).isDirectory();
    }

    @Test
    void shouldNotTakeInfinityForAFigure() throws Exception {
        install("ib_read_lat", fake(withoutClock(PerftestOutputTest.recorded("ib_read_lat"))));
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> perftest.measure(VerbsTest.READ_LATENCY, 8))
                .withMessageStartingWith(
                        "ib_read_lat: in 3 runs it could not determine the frequency of the processor's counter");
    }

    private static String withoutClock(String figures) {
        return figures.replaceAll("\\b\\d+\\.\\d+\\b", "inf");
    }

    @Test
    void shouldNameTheMissingPackage() {
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(perftest::requirePrograms)
                .withMessageContaining("ib_read_lat is not installed")
                .withMessageContaining("package perftest");
    }

    @Test
    void shouldReportWhyTheServerEnded() throws Exception {
        install("ib_write_bw", "echo 'IB device rxe0 not found'; exit 1");
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> perftest.measure(VerbsTest.WRITE_RATE, 8))
                .withMessage("ib_write_bw: its server says: IB device rxe0 not found");
    }

    @Test
    void shouldReportWhyTheClientEnded() throws Exception {
        install("ib_write_bw", "case \"$*\" in *127.0.0.1) echo no path; exit 3;; esac; " + fake(""));
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> perftest.measure(VerbsTest.WRITE_RATE, 8))
                .withMessage("ib_write_bw: its client ended with code 3 and says: no path");
    }

    @Test
    void shouldGiveEveryTestItsOptions() {
        assertThat(arguments(VerbsTest.READ_LATENCY)).isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 1000 -F -s 16 -o 16");
        assertThat(arguments(VerbsTest.WRITE_LATENCY)).isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 1000 -F -s 16 -I 64");
        assertThat(arguments(VerbsTest.ATOMIC_LATENCY)).isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 1000 -F -o 16");
        assertThat(arguments(VerbsTest.SEND_LATENCY))
                .isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 1000 -F -s 16 -I 64 -r 512");
        assertThat(arguments(VerbsTest.ATOMIC_RATE))
                .isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 5000 -F -o 16 -t 128 -Q 100 -N");
        assertThat(arguments(VerbsTest.SEND_RATE))
                .isEqualTo("p -d rxe0 -p 7 -x 1 -m 1024 -n 5000 -F -s 16 -t 128 -Q 100 -N -r 512");
    }

    @Test
    void shouldFindAListenerInTheKernelsTable() {
        String table = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:4855 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0
                   1: 0100007F:4856 0100007F:C0DE 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0
                """;
        assertThat(Perftest.hasListener(table, 0x4855)).isTrue();
        assertThat(Perftest.hasListener(table, 0x4856))
                .as("connected, not listening")
                .isFalse();
        assertThat(Perftest.hasListener(table, 0x855))
                .as("another port with that end")
                .isFalse();
    }

    private String arguments(VerbsTest test) {
        return String.join(" ", perftest.arguments(Path.of("p"), test, 16, 7));
    }

    private String fake(String output) throws IOException {
        Path text = Files.writeString(Files.createTempFile(programs, "output", ".txt"), output);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = FakePerftest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return "exec '" + java + "' -XX:TieredStopAtLevel=1 -cp '" + classes + "' " + FakePerftest.class.getName()
                + " '" + text + "' \"$@\"";
    }

    private void install(String program, String script) throws IOException {
        Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        assertThat(Arrays.asList(programs.toFile().list())).contains(program);
    }
}
