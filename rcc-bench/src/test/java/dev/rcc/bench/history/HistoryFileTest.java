package dev.rcc.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryFileTest {
    private static final String HEAD = "{\"format\":\"rcc-history\",\"version\":1,\"transactions\":[\n";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t1: r(x)0 w(x)1 | t2!: w(y)2 | t3?@5-7: i(z)3 d(z)4",
                "t1: rl(leaf)0 wl(leaf)18446744073709551615",
                "t1: s(a/1..a/5)a/2=1,a/4=7 r(x)0 | t2: s(a..)",
                "t1: a(x)1 | t2: r(x)[1] a(x)2 | t3: r(x)[] r(x)[1 2]",
            })
    void shouldReadBackItsOwnOutput(String text) throws IOException {
        History history = History.parse(text);
        for (String name : new String[] {"h.json", "h.json.gz"}) {
            Path file = directory.resolve(name);
            history.write(file);
            assertThat(History.read(file)).hasToString(history.toString());
        }
        assertThat(directory.resolve("h.json"))
                .hasContent(new String(
                        new GZIPInputStream(Files.newInputStream(directory.resolve("h.json.gz"))).readAllBytes(),
                        StandardCharsets.UTF_8));
    }

    @Test
    void shouldKeepAllThatAHistoryHas() throws IOException {
        HistoryBuilder builder = new HistoryBuilder().initialVersion(3).incomplete("a \"node\" died");
        builder.begin("T1", "0.1.2", -5, 7, Status.UNKNOWN)
                .read("schl\u00fcssel", 3)
                .write("x", 9)
                .write("x", 4);
        Path file = directory.resolve("h.json");
        builder.order("x", 9, 4).build().write(file);
        assertThat(file).hasContent("""
                {"format":"rcc-history","version":1,"initial":3,"incomplete":"a \\"node\\" died","transactions":[
                {"id":"T1","process":"0.1.2","start":-5,"end":7,"status":"unknown",\
                "ops":[["r","schl\u00fcssel",3],["w","x",9],["w","x",4]]}
                ],"orders":{
                "x":[9,4]}}
                """);
        History read = History.read(file);
        Path again = directory.resolve("again.json");
        read.write(again);
        assertThat(again).hasSameTextualContentAs(file);
    }

    @Test
    void shouldWriteEqualHistoriesAsEqualBytes() throws IOException {
        for (String name : new String[] {"a.json.gz", "b.json.gz"}) {
            new SerialHistory(9, "k/", 50, 4).add(500, 5, 5).build().write(directory.resolve(name));
        }
        assertThat(directory.resolve("a.json.gz")).hasSameBinaryContentAs(directory.resolve("b.json.gz"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"id\":1,\"ops\":[[\"q\",\"x\",1]]};          line 2, column 17: operation: got 'q', allowed: one of r, w,",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",-1]]};         version: got '-1', allowed: a number, from 0 to 1844674407370955",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",1.5]]};        version: got '1.5', allowed",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",\"1\"]]};      version: got '1', allowed: a number",
                "{\"id\":1,\"ops\":[[\"r\",7,1]]};              key: got '7', allowed: a text",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",1,2]]};        operation: got '2', allowed: nothing more",
                "{\"id\":1,\"ops\":[[\"w\",\"x\",0]]};          key 'x': got a write of version 0, allowed: versions greater",
                "{\"id\":1,\"ops\":[],\"end\":1};               transaction: got 'end', allowed: nothing after its ops",
                "{\"id\":1,\"start\":9,\"end\":3,\"ops\":[]};   end: got 3 of transaction '1', allowed: no less than its start, 9",
                "{\"id\":1,\"status\":\"lost\",\"ops\":[]};     status: got 'lost', allowed: one of committed, aborted, unknown",
                "{\"id\":1,\"colour\":1,\"ops\":[]};            transaction: got 'colour', allowed: id, process, start",
                "{\"ops\":[]};                                  transaction: got no id before its ops, allowed",
                "{\"id\":1};                                    transaction: got no ops, allowed",
                "{\"id\":1,\"ops\":[]},{\"id\":\"1\",\"ops\":[]}; id: got '1' twice, allowed: a different one",
                "{\"id\":1,\"ops\":[[\"a\",\"x\",1],[\"w\",\"x\",2]]}; key 'x': got version 2 of a list, allowed: appends",
                "{\"id\":1,\"ops\":[[\"s\",\"a/1\",\"b/2\",[]]]};      scan: got 'a/1' to 'b/2', allowed: two keys of one table",
                "{\"id\":1,\"ops\":[[\"s\",\"a/1\",\"a/5\",[[\"a/5\",1]]]]}; scan: got key 'a/5', allowed: one from 'a/1'",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",1];            got a file that ends early, allowed: a whole history",
                "{\"id\":1,\"ops\":[[\"r\",\"x\",1}];           got no JSON, allowed: JSON",
                "7;                                             transaction: got '7', allowed: an object",
            })
    void shouldNameTheFileAndTheErrorOfABadHistory(String transactions, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), HEAD + transactions + "\n]}");
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(BadHistory.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "[];                                         history: got 'an array', allowed: an object",
                "{};                                         got no format, allowed",
                "``;                                         history: got 'the end of the file', allowed: an object",
                "{\"format\":\"elle\"};                      format: got 'elle', allowed: \"rcc-history\"",
                "{\"format\":\"rcc-history\",\"version\":2}; version: got '2', allowed: 1",
                "{\"format\":\"rcc-history\"};               got no transactions, allowed",
                "{\"format\":\"rcc-history\",\"transactions\":[]} x; got no JSON",
                "{\"format\":\"rcc-history\",\"transactions\":[],\"orders\":{\"x\":[1,1]}}; orders: got a version of 'x' twice",
            })
    void shouldRefuseOtherDocuments(String document, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), document);
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(BadHistory.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"{}, 'not compressed, allowed: gzip'", "'', 'got a file that ends early, allowed: a whole history'"})
    void shouldRejectAFileWithAGzipNameThatIsNoGzip(String content, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json.gz"), content);
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(BadHistory.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t1", "t1: x(y)1", "t1: r(x)0 nonsense", "t1: r(x)", "t1: r(x)0 | t1: r(x)0"})
    void shouldRefuseOtherNotation(String text) {
        assertThatThrownBy(() -> History.parse(text))
                .isInstanceOf(BadHistory.class)
                .hasMessageContaining("allowed");
    }

    @Test
    void shouldExportForElle() throws IOException {
        Path file = directory.resolve("h.edn");
        ElleEdn.write(
                History.parse("t1@10-20: w(x)5 | t2@15-40: r(x)5 w(x)7 | t3@50-60: r(x)7 r(y)0 | t4!@70-80: w(x)9"),
                file);
        assertThat(file).hasContent("""
                {:index 0, :type :invoke, :process 0, :time 10, :f :txn, :value [[:append "x" 5]]}
                {:index 1, :type :invoke, :process 1, :time 15, :f :txn, :value [[:r "x" nil] [:append "x" 7]]}
                {:index 2, :type :ok, :process 0, :time 20, :f :txn, :value [[:append "x" 5]]}
                {:index 3, :type :ok, :process 1, :time 40, :f :txn, :value [[:r "x" [5]] [:append "x" 7]]}
                {:index 4, :type :invoke, :process 2, :time 50, :f :txn, :value [[:r "x" nil] [:r "y" nil]]}
                {:index 5, :type :ok, :process 2, :time 60, :f :txn, :value [[:r "x" [5 7]] [:r "y" []]]}
                {:index 6, :type :invoke, :process 3, :time 70, :f :txn, :value [[:append "x" 9]]}
                {:index 7, :type :fail, :process 3, :time 80, :f :txn, :value [[:append "x" 9]]}
                """);
    }
}
