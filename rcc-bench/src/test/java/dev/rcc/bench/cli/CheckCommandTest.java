package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.history.History;
import dev.rcc.bench.locks.check.LockHistory;
import dev.rcc.bench.locks.check.LockHistoryFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CheckCommandTest {
    private static final String CLEAN = "t1@0-10: w(x)1 | t2@20-30: r(x)1";
    private static final String STALE = "t1@0-10: w(x)1 | t2@20-30: r(x)0";
    private static final String SKEWED = "t1: r(x)0 r(y)0 w(x)1 | t2: r(x)0 r(y)0 w(y)1";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldSucceedWhenNothingIsWrong() throws IOException {
        String file = file(CLEAN);
        assertThat(run(file)).isEqualTo(Rcc.OK);
        assertThat(run(file, "--model", "strict-serializable")).isEqualTo(Rcc.OK);
        assertThat(out.toString()).isEqualToNormalizingNewlines("""
                serializable: 2 transactions, 1 edges
                strictly serializable: 2 transactions, 1 edges
                """);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldFailAndExplainAnAnomaly() throws IOException {
        Path json = directory.resolve("result.json");
        assertThat(run(file(SKEWED), "--json", json.toString())).isEqualTo(Rcc.FAILED);
        assertThat(out.toString())
                .contains("NOT serializable", "G2-item, write skew", "t1 before t2, since t1 missed t2's y");
        JsonNode verdict = JsonMapper.builder().build().readTree(Files.readString(json));
        assertThat(verdict.get("clean").asBoolean()).isFalse();
        assertThat(verdict.get("findings").get(0).get("anomaly").asString()).isEqualTo("G2-item");
        assertThat(verdict.get("findings").get(0).get("reasons").size()).isEqualTo(2);
    }

    @Test
    void shouldHoldAHistoryToRealTimeOnRequestOnly() throws IOException {
        String file = file(STALE);
        assertThat(run(file)).isEqualTo(Rcc.OK);
        assertThat(run(file, "--model", "strict-serializable")).isEqualTo(Rcc.FAILED);
        assertThat(out.toString()).contains("G-single-realtime, a stale read");
    }

    @Test
    void shouldExport() throws IOException {
        Path edn = directory.resolve("h.edn");
        Path json = directory.resolve("copy.json.gz");
        assertThat(run(file(CLEAN), "--export", edn.toString())).isEqualTo(Rcc.OK);
        assertThat(run(file(CLEAN), "--export", json.toString(), "--format", "json"))
                .isEqualTo(Rcc.OK);
        assertThat(Files.readAllLines(edn)).hasSize(4).first().asString().contains(":invoke");
        assertThat(History.read(json)).hasToString(CLEAN);
        assertThat(out.toString()).contains("wrote 2 transactions to " + edn + " as elle-edn");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/no/such/history | <history>: got '/no/such/history', allowed: a file that can be read",
                "FILE --model linearizable | --model: got 'linearizable', allowed: one of serializable, strict-serializable",
                "FILE --format xml --export f | --format: got 'xml', allowed: one of elle-edn, json",
                "FILE --format json | --format: got 'json', allowed: only with --export",
                "FILE --export f --model serializable | --export: got 'f', allowed: without --json and --model",
                "FILE FILE | unexpected argument",
                "FILE --export /no/such/f | --export: got '/no/such/f', allowed: a file that can be written",
                "FILE --json /no/such/f | --json: got '/no/such/f', allowed: a file that can be written",
                "FILE --colour red | unknown option '--colour', allowed: --help",
                "FILE --model strict-serializable | model: got strict-serializable for a history in which transaction 't1' has",
                "DIRECTORY | allowed: a file that can be read (java.nio.file.FileSystemException",
                "BAD | bad.json, line 1, column 1: history: got 'an array', allowed: an object",
                "PLAIN | plain.json.gz: got a file that is not compressed, allowed: gzip, since its name ends in .gz",
                "EMPTY | empty.json.gz: got a file that ends early, allowed: a whole history",
            })
    void shouldRefuseBadInputInOneLine(String args, String message) throws IOException {
        String bad = Files.writeString(directory.resolve("bad.json"), "[]").toString();
        Path plain = Files.writeString(directory.resolve("plain.json.gz"), "{}");
        Path empty = Files.writeString(directory.resolve("empty.json.gz"), "");
        String given = args.replace("FILE", file("t1: r(x)0"))
                .replace("DIRECTORY", directory.toString())
                .replace("BAD", bad)
                .replace("PLAIN", plain.toString())
                .replace("EMPTY", empty.toString());
        assertThat(run(given.split(" +", -1))).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString()).startsWith("rcc check: ").contains(message);
        assertThat(err.toString().lines()).hasSize(1);
    }

    // Goal: a user whose run or disk ended early is not sent to look for an error in the format. Method: each history
    // without two thirds, its last 8 bytes (the trailer of gzip) and its last byte.
    @ParameterizedTest
    @ValueSource(strings = {"h.json", "h.json.gz", "locks.json", "locks.json.gz"})
    void shouldReportAHistoryThatEndsEarly(String name) throws IOException {
        Path whole = directory.resolve(name);
        if (name.startsWith("locks")) {
            LockHistoryFile.write(
                    new LockHistory("dslr", new LockHistory.Promises(true, true, 0, 0), List.of(), List.of()), whole);
        } else {
            History.parse(CLEAN).write(whole);
        }
        byte[] bytes = Files.readAllBytes(whole);
        for (int left : List.of(bytes.length / 3, bytes.length - 8, bytes.length - 2)) {
            Files.write(whole, Arrays.copyOf(bytes, left));
            assertThat(run(whole.toString())).as("%d bytes", left).isEqualTo(Rcc.BAD_INPUT);
            assertThat(err.toString().lines().toList().getLast())
                    .startsWith("rcc check: " + whole)
                    .contains(": got a file that ends early, allowed: a whole history");
        }
    }

    // Goal: a long check is not made in vain. Method: a history that cannot be read, which would be reported first
    // otherwise.
    @ParameterizedTest
    @ValueSource(strings = {"--json", "--export"})
    void shouldTestItsOutputBeforeItReadsTheHistory(String option) {
        assertThat(run("/no/such/history", option, "/no/such/f")).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString()).contains(option + ": got '/no/such/f', allowed: a file that can be written");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--export"})
    void shouldNotWriteOverTheHistory(String option) throws IOException {
        String history = file(CLEAN);
        assertThat(run(history, option, history)).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString())
                .contains(option + ": got '" + history + "', allowed: another file than the one that is read");
        assertThat(History.read(Path.of(history))).hasToString(CLEAN);
    }

    @Test
    void shouldAskForAHistory() {
        assertThat(run()).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("<history>");
    }

    private String file(String history) throws IOException {
        Path file = directory.resolve("history.json");
        History.parse(history).write(file);
        return file.toString();
    }

    private int run(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "check";
        System.arraycopy(args, 0, all, 1, args.length);
        return Rcc.run(new PrintWriter(out), new PrintWriter(err), config -> null, all);
    }
}
