package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.shell.ExitCode;
import dev.rcc.bench.shell.Shell;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.HeldLock;
import dev.rcc.client.LockMode;
import dev.rcc.client.RccClient;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.LockSettings;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.io.ByteArrayInputStream;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientCommandTest {
    private static final String TOKEN = "open sesame";

    private static EmbeddedCluster cluster;
    private static EmbeddedGateways gateways;

    @TempDir
    static Path directory;

    private static Path token;

    /** The output and the exit code of a command. */
    record Ran(int code, String out, String err) {}

    @BeforeAll
    static void start() throws Exception {
        List<TableSchema> tables = List.of(
                TableSchema.ofLongKeys(0, "accounts", 16, 10_000).ordered(),
                TableSchema.ofByteKeys(1, "names", 8, 16, 1_000),
                TableSchema.ofByteKeys(2, "words", 8, 16, 1_000).ordered());
        cluster = new EmbeddedCluster(ClusterConfig.of(new Sundial(), tables)
                .withLocks(new LockSettings(LockNamespace.parseAll("jobs:10:60000"), Primitive.ONE_SIDED)));
        cluster.start();
        gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withToken(TOKEN));
        token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    }

    @AfterAll
    static void stop() {
        gateways.close();
        cluster.close();
    }

    private static Ran script(String script, String... options) {
        List<String> args = new ArrayList<>(List.of("--hosts", gateways.addresses(), "--token-file", token.toString()));
        args.addAll(List.of(options));
        return run(script, args);
    }

    /** Runs the shell on a script that it reads. */
    static Ran run(String script, List<String> args) {
        return run(new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)), args);
    }

    private static Ran run(ByteArrayInputStream script, List<String> args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = ClientCommand.commandLine(script, false)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setParameterExceptionHandler((e, given) -> {
                    err.append(BadInput.oneLine(e)).append("\n");
                    return Rcc.BAD_INPUT;
                })
                .execute(args.toArray(String[]::new));
        return new Ran(code, out.toString(), err.toString());
    }

    @Test
    void shouldPrintWrittenRecords() {
        Ran ran = script("""
            put accounts 1 Ada   # a plain word is text
            put accounts -1 "Grace \\"H\\""; put accounts 0x10 0x00ff
            get accounts 1
            get accounts -1
            get accounts 16 update
            get accounts 2
            """);
        assertThat(ran).isEqualTo(new Ran(0, "\"Ada\"\n\"Grace \\\"H\\\"\"\n0x00ff\n(no record)\n", ""));
    }

    // A shown record can be written again: that is how records are copied by hand.
    @Test
    void shouldShowRecordsSoThatTheyCanBeWritten() {
        for (String value : List.of("\"\"", "\"a\\tb\\nc\\\\\"", "0xff", "\"käse\"", "0x01", "0xefbfbd")) {
            assertThat(script("put names key " + value + "; get names key").out())
                    .isEqualTo(value + "\n");
        }
    }

    @Test
    void shouldRefuseAScriptThatIsNotInUtf8() {
        ByteArrayInputStream latin1 =
                new ByteArrayInputStream("put names käse 1  # käse".getBytes(StandardCharsets.ISO_8859_1));
        Ran ran = run(latin1, List.of("--hosts", gateways.addresses(), "--token-file", token.toString()));
        assertThat(ran.code()).isEqualTo(Rcc.BAD_INPUT);
        assertThat(ran.err())
                .startsWith("rcc client: line 1: a word: got 'k\uFFFDse', allowed: characters in UTF-8, or 0x...");
    }

    @Test
    void shouldCommitAllOrNothing() {
        assertThat(script("begin\nput accounts 101 a\nput accounts 102 b\nget accounts 101\nabort\nget accounts 101")
                        .out())
                .isEqualTo("\"a\"\n(no record)\n");
        assertThat(script("begin\nput accounts 101 a\nput accounts 102 b\ncommit\nget accounts 102")
                        .out())
                .isEqualTo("\"b\"\n");
    }

    @Test
    void shouldScanOrderedTables() {
        Ran ran = script("""
            put accounts 1000 a; put accounts 1001 b; put accounts 1002 c; put accounts 1003 d
            delete accounts 1001
            delete accounts 1001
            scan accounts 1000 1002
            scan accounts 1000 1002 limit 1
            """);
        assertThat(ran).isEqualTo(new Ran(0, """
            deleted
            (no record)
            1000  "a"
            1002  "c"
            (2 records)
            1000  "a"
            (1 record; there may be more, see 'limit')
            """, ""));
    }

    @Test
    void shouldScanByteStringsInTheirOrder() {
        Ran ran = script("""
            put words b two; put words "ab" x; put words a one; put words 0xff y
            scan words
            scan words ab
            scan words a b limit 2
            """);
        assertThat(ran).isEqualTo(new Ran(0, """
            "a"  "one"
            "ab"  "x"
            "b"  "two"
            0xff  "y"
            (4 records)
            "ab"  "x"
            "b"  "two"
            0xff  "y"
            (3 records)
            "a"  "one"
            "ab"  "x"
            (2 records; there may be more, see 'limit')
            """, ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        gte accounts 1              | 2 | command: got 'gte', allowed: begin, commit
        get accounts                | 2 | get: arguments: got 1, allowed: 'get TABLE KEY [update]'
        get accounts 1 for          | 2 | get: third argument: got 'for', allowed: update
        get accounts one            | 2 | get: key: got 'one', allowed: a 64-bit integer
        get accounts "1"            | 2 | get: key: got "1", allowed: a 64-bit integer
        get accounts 9223372036854775808 | 2 | key: got '9223372036854775808'
        get accounts 0x10000000000000000 | 2 | key: got '0x10000000000000000'
        get account 1               | 2 | get: table: got 'account', allowed: accounts, names, words
        get names 12                | 2 | get: key: got '12', allowed: text
        get names 0x123             | 2 | get: key: got '0x123', allowed: text
        get names "123456789"       | 2 | key: got "123456789" (9 bytes), allowed: 1 to 8 bytes in names
        get names ""                | 2 | key: got "" (0 bytes), allowed: 1 to 8 bytes
        put names a "12345678901234567" | 2 | value: got 17 bytes, allowed: at most 16 bytes in names
        put names a "x              | 2 | the text that begins in column 13 does not end
        put names a "x"y            | 2 | after the text that ends in column 15: got 'y'
        put names a "\\0"           | 2 | got '\\0', allowed: \\" \\\\ \\n \\t
        scan names                  | 2 | scan: table: got 'names', which is not ordered, allowed: accounts, words
        scan accounts 1 2 3         | 2 | scan: keys: got three or more
        scan accounts limit 0       | 2 | scan: limit: got '0', allowed: an integer from 1 to 1000000
        commit                      | 2 | commit: there is no transaction
        outcome                     | 2 | outcome: there was no commit
        lock jobs ""                | 2 | lock: a lock's name has 1 to 64 bytes of UTF-8, got 0
        disconnect 127.0.0.1:99999 1 | 2 | disconnect: a gateway's address is host:port with a port from 1 to 65535, got '127.0.0.1:99999'
        timing maybe                | 2 | timing: argument: got 'maybe', allowed: on or off
        insert names ada b          | 1 | insert: table names has a record under the key already
        """)
    void shouldStopAtAFailedCommandAndReportItsLine(String command, int code, String message) {
        Ran ran = script("put names ada a\n" + command + "\nput names bob reached");
        assertThat(ran.code()).isEqualTo(code);
        assertThat(ran.err())
                .startsWith("rcc client: line 2: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(script("get names bob").out()).isEqualTo("(no record)\n");
    }

    // Goal: no operation that was meant to be part of a transaction takes effect without the others.
    @Test
    void shouldLetNothingOfAFailedTransactionTakeEffect() {
        Ran ran = script("""
            begin
            put accounts 201 a
            put accounts two b
            put accounts 203 c
            commit
            get accounts 201
            get accounts 203
            """, "--keep-going");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEqualTo("(no record)\n(no record)\n");
        assertThat(ran.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("rcc client: line 3: put: key: got 'two'"),
                        line -> assertThat(line).startsWith("rcc client: line 4: put: the transaction has failed"),
                        line -> assertThat(line).startsWith("rcc client: line 5: commit: the transaction had failed"));
    }

    // Goal: the commands of a transaction that did not begin do not take effect one by one.
    @ParameterizedTest
    @ValueSource(strings = {"begin now", "begin; put accounts 202 \"b"})
    void shouldLetNothingTakeEffectIfTheBeginFails(String begin) {
        Ran ran = script(
                begin + "\nput accounts 201 a\nput accounts two b\nput accounts 203 c\ncommit\n"
                        + "get accounts 201\nget accounts 203\n",
                "--keep-going");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEqualTo("(no record)\n(no record)\n");
        assertThat(ran.err().lines())
                .hasSize(5)
                .last()
                .asString()
                .startsWith("rcc client: line 5: commit: the transaction had failed");
    }

    @Test
    void shouldFailWhenAScriptLeavesItsTransactionOpen() {
        Ran ran = script("begin\nput accounts 301 a\n");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("rcc client: line 2: the transaction was open at the end");
        assertThat(script("get accounts 301").out()).isEqualTo("(no record)\n");
        assertThat(script("begin; put accounts 301 a; exit; commit").code()).isEqualTo(1);
        assertThat(script("", "-e", "begin").code()).isEqualTo(1);
    }

    // Goal: a user at a terminal who mistypes a name loses neither the transaction nor the locks.
    @Test
    void shouldGoOnWithTheTransactionAfterANameThatTheClientRefuses() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (RccClient client = RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT.withToken(TOKEN));
                Shell shell = new Shell(client, new PrintWriter(out), new PrintWriter(err), true)) {
            ExitCode refused = shell.execute("lock jobs kept; begin; put accounts 601 a; lock jobs \"\"", "", false);
            assertThat(refused).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(err.toString())
                    .startsWith("lock: a lock's name has 1 to 64 bytes")
                    .hasLineCount(1);
            assertThat(shell.execute("commit; unlock jobs kept; get accounts 601", "", false))
                    .isEqualTo(ExitCode.OK);
            assertThat(out.toString()).contains("unlocked", "\"a\"");
        }
    }

    // Goal: a conflict has an exit code of its own. Method: two transactions that read a record and write it.
    @Test
    void shouldReturnADistinctExitCodeForAConflict() {
        try (RccClient client = RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT.withToken(TOKEN));
                Shell shell = new Shell(
                        client, new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false)) {
            assertThat(shell.execute("put accounts 401 a; begin; get accounts 401", "", false)
                            .number())
                    .isZero();
            assertThat(script("put accounts 401 b").code()).isZero();
            assertThat(shell.execute("put accounts 401 c; commit", "", false).number())
                    .isEqualTo(5);
            assertThat(script("get accounts 401").out()).isEqualTo("\"b\"\n");
        }
    }

    @Test
    void shouldHoldLocksUntilTheyAreUnlocked() {
        Ran ran = script("""
            lock jobs nightly
            locks jobs
            unlock jobs nightly
            unlock jobs nightly
            lock jobs nightly shared wait 60 lease 120
            """);
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).matches("held for [0-9]+ ms, token [0-9]+"),
                        line -> assertThat(line).startsWith("gateway"),
                        line -> assertThat(line).contains("nightly", "exclusive", "held"),
                        line -> assertThat(line).isEqualTo("unlocked"),
                        line -> assertThat(line).isEqualTo("(not held here)"),
                        line -> assertThat(line).matches("held for 1[0-9]{5} ms, token [0-9]+"));
        assertThat(script("lock jobs nightly wait 60").code())
                .as("the shell that held it has ended, its lease has not")
                .isZero();
    }

    @Test
    void shouldReportWhyALockIsNotGranted() {
        assertThat(script("lock nope a").err()).contains("namespace: got 'nope', allowed: [jobs]");
        assertThat(script("lock nope a").code()).isEqualTo(2);
        assertThat(script("lock jobs a alone").err())
                .contains("argument: got 'alone', allowed: shared, update, exclusive, wait SECONDS, lease SECONDS");
        assertThat(script("lock jobs a lease 601").err()).contains("lease: got 601000 ms, allowed: up to 600000 ms");
        try (RccClient client = RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT.withToken(TOKEN));
                HeldLock held = client.locks("jobs").lock("taken", LockMode.EXCLUSIVE)) {
            assertThat(held.isHeld()).isTrue();
            Ran ran = script("lock jobs taken wait 0");
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains("lock 'taken' was not granted in time");
        }
    }

    @Test
    void shouldPrintAJsonObjectForEachCommand() {
        Ran ran = script("""
            put names key "v"
            get names key
            get accounts 501
            get nowhere 1
            tables
            status
            """, "--format", "json", "--keep-going", "--timing");
        List<JsonNode> lines = ran.out()
                .lines()
                .map(line -> JsonMapper.shared().readTree(line))
                .toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0).get("command").asString()).isEqualTo("put");
        assertThat(lines.get(0).has("millis")).isTrue();
        assertThat(lines.get(1).at("/found").asBoolean()).isTrue();
        assertThat(lines.get(1).at("/key/text").asString()).isEqualTo("key");
        assertThat(lines.get(1).at("/value/text").asString()).isEqualTo("v");
        assertThat(lines.get(1).at("/value/hex").asString()).isEqualTo("76" + "00".repeat(15));
        assertThat(lines.get(2).at("/key").asLong()).isEqualTo(501);
        assertThat(lines.get(2).at("/found").asBoolean()).isFalse();
        assertThat(lines.get(3).at("/error").asString()).isEqualTo("BAD_INPUT");
        assertThat(lines.get(3).at("/where").asString()).isEqualTo("line 4");
        assertThat(lines.get(4).at("/tables/0/name").asString()).isEqualTo("accounts");
        assertThat(lines.get(4).at("/tables/0/ordered").asBoolean()).isTrue();
        assertThat(lines.get(4).at("/tables/1/key_bytes_max").asInt()).isEqualTo(8);
        assertThat(lines.get(5).at("/gateways").size())
                .isEqualTo(cluster.config().nodes());
        assertThat(lines.get(5).at("/gateways/0/protocol").asString()).isEqualToIgnoringCase("sundial");
        assertThat(ran.code()).isEqualTo(2);
    }

    @Test
    void shouldRunAdministrationCommands() {
        assertThat(script("put names full x").err()).isEmpty();
        assertThat(script("usage names").out())
                .matches("[1-9][0-9]* records, room for "
                        + 1_000 * cluster.config().nodes() + " \\([0-9.]+ %\\)\n");
        JsonNode shown = JsonMapper.shared()
                .readTree(script("sessions", "--format", "json").out())
                .at("/sessions");
        assertThat(shown)
                .isNotEmpty()
                .allSatisfy(
                        session -> assertThat(session.get("user").asString()).isEqualTo("client"));
        assertThat(shown.get(0).get("client").asString()).isEqualTo("rcc client");
        assertThat(script("sessions").out()).startsWith("gateway").contains("rcc client");
        String gateway = gateways.gateway(0).address();
        assertThat(script("disconnect " + gateway + " 0").out()).isEqualTo("(no such connection)\n");
        assertThat(script("disconnect here 0").err()).contains("gateway: got 'here'");
        assertThat(script("disconnect " + gateway + " me").err()).contains("number: got 'me'");
        assertThat(script("disconnect 127.0.0.1:1 1").err()).contains("the cluster has no gateway 127.0.0.1:1");
    }

    // Goal: a secret that has not arrived does not let the client be the user of its certificate, without a word.
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \nopen sesame\n"})
    void shouldRefuseATokenFileWithoutAToken(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("empty"), content);
        Ran ran = run("", List.of("--hosts", gateways.addresses(), "--token-file", file.toString()));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("--token-file: got '" + file + "', allowed: a file with the token as its first line (");
    }

    @Test
    void shouldReportWhyItCannotConnect() {
        Ran none = run("", List.of("--dir", directory.resolve("nothing").toString()));
        assertThat(none.code()).isEqualTo(3);
        assertThat(none.err()).contains("no cluster that takes clients runs in", "rcc cluster up", "--hosts");
        Ran noToken = run("", List.of("--hosts", gateways.addresses()));
        assertThat(noToken.code()).isEqualTo(3);
        assertThat(noToken.err()).contains("UNAUTHENTICATED");
        Ran bad = run("", List.of("--hosts", "here:there"));
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("--hosts", "here:there", "1 to 65535");
        Ran file = run("", List.of("--hosts", "here", "--token-file", "/no/such/file"));
        assertThat(file.code()).isEqualTo(2);
        assertThat(file.err()).contains("--token-file: got '/no/such/file'");
    }
}
