package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.server.raft.RaftOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {
    /** The configuration that a node sends to its peers: they refuse it if theirs differs. */
    private static String toldPeers(Map<String, String> keys) {
        Map<String, String> given = LoopbackOptions.of(2, "protocol", "mvcc");
        given.putAll(keys);
        ServerConfig config = ServerConfig.of(given);
        return config.control(config.cluster()).configuration();
    }

    // Goal: nodes that would look for a record in different places refuse each other.
    @Test
    void shouldSendPeersTheOptionsThatAllNodesMustShare() {
        assertThat(toldPeers(Map.of("tables", "accounts:long:8:100")))
                .isNotEqualTo(toldPeers(Map.of("tables", "accounts:long:16:100")));
        assertThat(toldPeers(Map.of("tables", "accounts:long:8:100:placed=3")))
                .isNotEqualTo(toldPeers(Map.of("tables", "accounts:long:8:100:modulo=3")));
        assertThat(toldPeers(Map.of("mvcc.versions", "4"))).isNotEqualTo(toldPeers(Map.of("mvcc.versions", "5")));
        assertThat(toldPeers(Map.of("client.outcome-slots", "64")))
                .isNotEqualTo(toldPeers(Map.of("client.outcome-slots", "128")));
        assertThat(toldPeers(Map.of("locks", "jobs:10"))).isNotEqualTo(toldPeers(Map.of("locks", "jobs:11")));
        assertThat(toldPeers(Map.of("birth", "2026-02-01T00:00:00Z")))
                .isNotEqualTo(toldPeers(Map.of("birth", "2026-02-01T00:00:01Z")));
        assertThat(toldPeers(Map.of("client.result-bytes", "64")))
                .isNotEqualTo(toldPeers(Map.of("client.result-bytes", "128")));
    }

    private static ServerConfig ofThree(Map<String, String> keys) {
        Map<String, String> given = LoopbackOptions.of(
                3, "protocol", "occ", "replication", "raft", "durability", "disk", "data-dir", "data");
        given.putAll(keys);
        return ServerConfig.of(given);
    }

    @Test
    void shouldHaveRaftsLogsOnDiskWhereTheDataIs() {
        assertThat(ofThree(Map.of()).cluster().raft())
                .isEqualTo(new RaftOptions(Path.of("data").resolve("raft"), true));
        assertThat(ofThree(Map.of("durability", "memory")).cluster().raft().durable())
                .isFalse();
    }

    // Goal: files of one way of replicating are not taken for those of another.
    @Test
    void shouldDistinguishTheDataOfRaftFromTheDataOfRings() {
        assertThat(ofThree(Map.of()).cluster().dataFingerprint())
                .isNotEqualTo(ofThree(Map.of("replication", "rings")).cluster().dataFingerprint());
    }

    // Goal: a node that is killed alone can come back.
    @Test
    void shouldRefuseRaftOnDiskWhereDeadNodesAreNotReplaced() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ofThree(Map.of("recovery-seconds", "0")))
                .withMessageContaining("recovery-seconds")
                .withMessageContaining("more than 0 with replication raft and durability disk");
    }

    // Goal: no worker lacks the room to notify the other nodes of what is decided, which would show at the first change
    // of the configuration.
    @Test
    void shouldRefuseBuffersThatAreTooSmallForRaft() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ofThree(Map.of("buffer-bytes", "16576")))
                .withMessageContaining("buffer-bytes")
                .withMessageContaining("at least 16640 with replication raft");
        assertThat(ofThree(Map.of("buffer-bytes", "16640")).cluster().memory().bufferBytes())
                .isEqualTo(16_640);
    }

    // Goal: an unused feature costs nothing, unless it was asked for.
    @ParameterizedTest
    @CsvSource({
        "tcp, t:long:8:9, 3",
        "shm, t:long:8:9, 0",
        "shm, t:long:8:9:ordered:growth=7, 7",
        "tcp, t:long:8:9:placed=3:growth=0, 0"
    })
    void shouldHaveTablesGrowWhereThatTakesNoMemoryAtOnce(String network, String table, int growth) {
        ServerConfig config = ServerConfig.of(
                LoopbackOptions.of(1, "protocol", "occ", "code", "rpc", "fabric", network, "tables", table));
        assertThat(config.cluster().tables().getFirst().growth()).isEqualTo(growth);
        assertThat(toldPeers(Map.of("tables", "t:long:8:9")))
                .isNotEqualTo(toldPeers(Map.of("tables", "t:long:8:9:growth=4")));
    }

    // Goal: a configuration that was printed can be run. Method: two copies on disk, of which a dead node's is not
    // replaced.
    @Test
    void shouldShowTheOptionsInEffectSoThatTheyCanBeGiven() {
        Map<String, String> two = Map.of("replication", "rings", "replicas", "2");
        Map<String, String> effective = ofThree(two).effective();
        assertThat(effective).containsEntry("replicas", "2").containsEntry("recovery-seconds", "0");
        effective.values().removeIf(String::isEmpty); // in a file, an empty value counts as absent
        assertThat(ServerConfig.of(effective).effective()).containsAllEntriesOf(effective);
        assertThat(ofThree(Map.of()).effective()).containsEntry("recovery-seconds", "10");
    }

    @Test
    void shouldAcceptABirthFromWhichTimestampsStillLast() {
        Instant first = Instant.now().minusNanos(Timestamp.LIFE_NANOS).plus(Duration.ofMinutes(5));
        assertThat(ofThree(Map.of("birth", first.toString())).birth()).isEqualTo(first);
    }

    // Goal: no node starts whose every transaction would fail, or whose time since the birth exceeds a word.
    @Test
    void shouldRefuseABirthFromWhichNoTimestampIsLeft() {
        Instant earlier = Instant.now().minusNanos(Timestamp.LIFE_NANOS);
        Instant future = Instant.now().plus(Duration.ofMinutes(5));
        for (String birth : List.of(earlier.toString(), "0001-01-01T00:00:00Z", future.toString(), "tomorrow")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ofThree(Map.of("birth", birth)))
                    .withMessage("birth: got '" + birth
                            + "', allowed: an ISO instant of the last 9.1 years, the same on all nodes");
        }
    }

    @Test
    void shouldNotSendPeersTheOptionsOfASingleNode() {
        assertThat(toldPeers(Map.of("node", "1", "admin", "127.0.0.1:7080", "tcp.port", "7101", "data-dir", "one")))
                .isEqualTo(toldPeers(Map.of()));
    }

    @ParameterizedTest
    @CsvSource({"tcp, rpc", "shm, one-sided"})
    void shouldCommunicateAsSuitsTheNetworkIfNoCodeIsGiven(String network, String code) {
        assertThat(toldPeers(Map.of("fabric", network))).isEqualTo(toldPeers(Map.of("fabric", network, "code", code)));
        assertThat(toldPeers(Map.of("fabric", network, "code", "auto")))
                .isEqualTo(toldPeers(Map.of("fabric", network)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t:long:8:9:placed",
                "t:long:8:9:placed=",
                "t:long:8:9:growth=",
                "t:long:8:9:growth=1:ordered",
                "t:long:8:9:placed=1:modulo=1",
                "t:long:8:9:placed=1:ordered"
            })
    void shouldReportTheSyntaxOfATableDeclaration(String table) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("tables", table)))
                .withMessageContaining(
                        "tables: got '" + table + "', allowed: name:key:record-bytes:capacity[:ordered]");
    }

    @ParameterizedTest
    @CsvSource({
        "t:long:8:9:placed=9, the bytes of a key that decide the partition must be 1 to 8",
        "t:bytes4:8:9:ordered:modulo=5, the bytes of a key that decide the partition must be 1 to 4",
        "t:long:8:9:ordered:replicated, a replicated table cannot be ordered",
        "t:long:8:9:growth=256, growth must be 0 to 255"
    })
    void shouldReportInvalidOptionsOfATable(String table, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("tables", table)))
                .withMessageContaining("tables: got '" + table + "', table t: " + message);
    }

    // Of 64 tables, the servers have one for the outcomes of commits, and one more with locks.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "65 | ''       | ''       | got 65 tables, allowed: at most 64",
                "64 | ''       | ''       | got 64 tables, of which 0 are ordered or indexes and count twice, and the servers add 1, 65 in all, allowed: at most 64 in all",
                "63 | ''       | jobs:100 | got 63 tables, of which 0 are ordered or indexes and count twice, and the servers add 2, 65 in all, allowed: at most 64 in all",
                "32 | :ordered | ''       | got 32 tables, of which 32 are ordered or indexes and count twice, and the servers add 1, 65 in all, allowed: at most 64 in all"
            })
    void shouldReportTheNumberOfTablesAndTheLimit(int count, String kind, String locks, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(manyTables(count, kind, locks)))
                .withMessageContaining("tables: " + message);
        assertThat(toldPeers(manyTables(count - (count > 64 ? 2 : 1), kind, locks)))
                .isNotNull();
    }

    private static Map<String, String> manyTables(int count, String kind, String locks) {
        String tables = IntStream.range(0, count)
                .mapToObj(table -> "t" + table + ":long:8:10" + kind)
                .collect(Collectors.joining(","));
        return locks.isEmpty() ? Map.of("tables", tables) : Map.of("tables", tables, "locks", locks);
    }

    @Test
    void shouldSendPeersTheIndexes() {
        String customer = "customer:long:64:100";
        assertThat(toldPeers(Map.of("tables", customer + ",by_name:index:customer:many:key0-2+bytes16-32")))
                .isNotEqualTo(
                        toldPeers(Map.of("tables", customer + ",by_name:index:customer:unique:key0-2+bytes16-32")))
                .isNotEqualTo(toldPeers(
                        Map.of("tables", customer + ",by_name:index:customer:many:long0+integerle8:modulo=2")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "i:index:t:many:bytes8-65 | index i: table t has records of 64 bytes, got a part of 57 bytes from byte 8 on",
                "i:index:t:many:longle60 | index i: table t has records of 64 bytes, got a part of 8 bytes from byte 60 on",
                "i:index:t:unique:key4-9 | index i: table t has keys of 8 bytes, got a part of 5 bytes from byte 4 on",
                "i:index:t:many:key4-4 | a part of an index has at least 1 byte from an offset of at least 0, got 0 from 4",
                "i:index:t:many:word0 | and of it the part 'word0', allowed: keyA-B, bytesA-B, longA, integerA, longleA or integerleA",
                "i:index:other:many:long0 | an index of other; allowed: a table before it, which are [t, r, j]",
                "i:index:r:many:long0 | index i: table r is replicated, and such a table has no indexes",
                "i:index:j:many:key0-8 | index i: table j is an index itself",
                "i:index:t:many:long0:placed=17 | table i: the bytes of a key that decide the partition must be 1 to 16"
            })
    void shouldReportWhyAnIndexIsInvalid(String index, String message) {
        String before = "t:long:64:100,r:long:8:9:replicated,j:index:t:many:long0";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("tables", before + "," + index)))
                .withMessageContaining("tables: got '" + index + "', " + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"i:index:t:some:long0", "i:index:t:many", "i:index:t:many:long0:ordered", "i:index:t:many:Long0"
            })
    void shouldReportTheSyntaxOfAnIndexDeclaration(String index) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("tables", "t:long:64:100," + index)))
                .withMessageContaining("or name:index:table:unique or many:parts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jobs | locks: got 'jobs', allowed: NAME:NAMES",
                "jobs:5:500:513 | locks: got 'jobs:5:500:513', slots: got 513, allowed: 1 to 512",
                "jobs:1,jobs:2 | locks: got 'jobs:1,jobs:2', allowed: each name once",
                "jobs:1:500:512 | allowed are 1 coroutines, or fewer slots"
            })
    void shouldReportWhichLocksAreAllowed(String locks, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("locks", locks)))
                .withMessageContaining(message);
    }

    @Test
    void shouldReportWhichCodesAreAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> toldPeers(Map.of("code", "both")))
                .withMessageContaining("code: got 'both'; allowed for mvcc: rpc, one-sided")
                .withMessageContaining("; or auto");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "accounts:long:8:1000",
                "users:bytes32:100:1000:ordered",
                "district:long:105:10:modulo=3",
                "orders:bytes40:1:5:ordered:placed=4",
                "item:long:90:100:replicated",
                "stock:long:1:5:modulo=2:growth=7",
                "t:bytes9:32:10,a:index:t:many:key0-2+bytes16-32:modulo=2,b:index:t:unique:long0+integer8+longle16+integerle24",
                "t:long:8:9:growth=2,i:index:t:many:long0"
            })
    void shouldDescribeTablesAsTheyWereDescribed(String text) {
        assertThat(ServerOptions.describe(ServerOptions.tables(text, 0))).isEqualTo(text);
    }

    @Test
    void shouldNotDescribeATableThatNoTextDescribes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerOptions.describe(
                        List.of(TableSchema.ofLongKeys(0, "sorted", 8, 10).ordered(256))))
                .withMessageContaining("sorted:long:8:10:ordered");
    }
}
