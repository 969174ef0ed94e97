package dev.rcc.bench.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.ycsb.RccYcsbClient;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("JdkObsolete") // YCSB's scan fills a Vector
class RccYcsbClientTest {
    private static final String TABLE = "usertable";

    private static EmbeddedCluster cluster;
    private static EmbeddedGateways gateways;

    @BeforeAll
    static void start() {
        List<TableSchema> tables = List.of(
                TableSchema.ofByteKeys(0, TABLE, 24, 100, 1_000).ordered(),
                TableSchema.ofByteKeys(1, "hashed", 24, 100, 1_000),
                TableSchema.ofLongKeys(2, "numbers", 100, 1_000));
        cluster = new EmbeddedCluster(ClusterConfig.of(new Sundial(), tables));
        cluster.start();
        gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
    }

    @AfterAll
    static void stop() {
        gateways.close();
        cluster.close();
    }

    @BeforeEach
    void measure() {
        Measurements.setProperties(new Properties());
    }

    private static DB open(String... keysAndValues) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("rcc.hosts", gateways.addresses());
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        DB db = new RccYcsbClient();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static Map<String, ByteIterator> values(String... fieldsAndValues) {
        Map<String, ByteIterator> values = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.length; i += 2) {
            values.put(fieldsAndValues[i], new StringByteIterator(fieldsAndValues[i + 1]));
        }
        return values;
    }

    private static Map<String, String> read(DB db, String key, Set<String> fields) {
        Map<String, ByteIterator> result = new HashMap<>();
        assertThat(db.read(TABLE, key, fields, result)).isEqualTo(Status.OK);
        return text(result);
    }

    private static Map<String, String> text(Map<String, ByteIterator> values) {
        Map<String, String> text = new TreeMap<>();
        values.forEach((field, value) -> text.put(field, value.toString()));
        return text;
    }

    @Test
    void shouldReadTheFieldsThatWereInserted() throws Exception {
        DB db = open();
        assertThat(db.insert(TABLE, "fields", values("field0", "a", "field1", "", "name", "x")))
                .isEqualTo(Status.OK);
        assertThat(read(db, "fields", null)).isEqualTo(Map.of("field0", "a", "field1", "", "name", "x"));
        assertThat(read(db, "fields", Set.of("name", "none"))).isEqualTo(Map.of("name", "x"));
        db.cleanup();
    }

    @Test
    void shouldChangeTheFieldsThatAnUpdateNames() throws Exception {
        DB db = open();
        db.insert(TABLE, "updated", values("field0", "a", "field1", "b", "field2", "c"));
        assertThat(db.update(TABLE, "updated", values("field1", "longer than before")))
                .isEqualTo(Status.OK);
        assertThat(read(db, "updated", null))
                .isEqualTo(Map.of("field0", "a", "field1", "longer than before", "field2", "c"));
        assertThat(db.update(TABLE, "updated", values("field1", "", "field3", "new")))
                .isEqualTo(Status.OK);
        assertThat(read(db, "updated", null))
                .isEqualTo(Map.of("field0", "a", "field1", "", "field2", "c", "field3", "new"));
        db.cleanup();
    }

    // Goal: an update has the same effect whether or not it finds the fields where the record before had
    // them.
    @Test
    void shouldChangeFieldsWhereTheyAre() throws Exception {
        DB db = open();
        for (String key : List.of("first", "alike", "other")) {
            db.insert(TABLE, key, key.equals("other") ? values("field1", "bb") : values("field0", "a", "field1", "b"));
        }
        for (String key : List.of("first", "alike", "other", "alike")) {
            assertThat(db.update(TABLE, key, values("field1", key.equals("other") ? "xx" : "y")))
                    .isEqualTo(Status.OK);
        }
        assertThat(read(db, "first", null)).isEqualTo(Map.of("field0", "a", "field1", "y"));
        assertThat(read(db, "alike", null)).isEqualTo(Map.of("field0", "a", "field1", "y"));
        assertThat(read(db, "other", null)).isEqualTo(Map.of("field1", "xx"));
        assertThat(db.update(TABLE, "none", values("field1", "y"))).isEqualTo(Status.NOT_FOUND);
        db.cleanup();
    }

    @Test
    void shouldReturnNotFoundForAMissingRecord() throws Exception {
        DB db = open();
        assertThat(db.read(TABLE, "none", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        assertThat(db.update(TABLE, "none", values("field0", "a"))).isEqualTo(Status.NOT_FOUND);
        assertThat(db.delete(TABLE, "none")).isEqualTo(Status.NOT_FOUND);
        assertThat(db.read(TABLE, "none", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        db.cleanup();
    }

    @Test
    void shouldRejectADuplicateInsertUnlessUpsertIsSet() throws Exception {
        DB db = open();
        assertThat(db.insert(TABLE, "once", values("field0", "a"))).isEqualTo(Status.OK);
        assertThat(db.insert(TABLE, "once", values("field0", "b")).getName()).isEqualTo("ALREADY_EXISTS");
        assertThat(read(db, "once", null)).isEqualTo(Map.of("field0", "a"));
        assertThat(db.delete(TABLE, "once")).isEqualTo(Status.OK);
        assertThat(db.insert(TABLE, "once", values("field0", "c"))).isEqualTo(Status.OK);
        DB upserting = open("rcc.upsert", "true");
        assertThat(upserting.insert(TABLE, "once", values("field1", "d"))).isEqualTo(Status.OK);
        assertThat(read(db, "once", null)).isEqualTo(Map.of("field1", "d"));
        upserting.cleanup();
        db.cleanup();
    }

    @Test
    void shouldScanInTheOrderOfKeys() throws Exception {
        DB db = open();
        for (String key : List.of("scan2", "scan10", "scan1", "scan3")) {
            assertThat(db.insert(TABLE, key, values("field0", key, "field1", "x")))
                    .isEqualTo(Status.OK);
        }
        assertThat(scan(db, "scan1", 3)).containsExactly("scan1", "scan10", "scan2");
        assertThat(scan(db, "scan11", 1)).containsExactly("scan2");
        assertThat(scan(db, "scan4", 10)).doesNotContain("scan3");
        db.cleanup();
    }

    private static List<String> scan(DB db, String from, int count) {
        Vector<HashMap<String, ByteIterator>> result = new Vector<>();
        assertThat(db.scan(TABLE, from, count, Set.of("field0"), result)).isEqualTo(Status.OK);
        List<String> found = new ArrayList<>();
        result.forEach(record -> {
            assertThat(record).containsOnlyKeys("field0");
            found.add(record.get("field0").toString());
        });
        return found;
    }

    @Test
    void shouldRejectInvalidInput() throws Exception {
        DB db = open();
        assertThat(db.insert(TABLE, "large", values("field0", "x".repeat(92)))).isEqualTo(Status.BAD_REQUEST);
        assertThat(db.insert(TABLE, "large", values("field0", "x".repeat(91)))).isEqualTo(Status.OK);
        assertThat(db.read(TABLE, "k".repeat(25), null, new HashMap<>())).isEqualTo(Status.BAD_REQUEST);
        assertThat(db.read("nowhere", "a", null, new HashMap<>())).isEqualTo(Status.BAD_REQUEST);
        assertThat(db.read("numbers", "1", null, new HashMap<>())).isEqualTo(Status.BAD_REQUEST);
        assertThat(db.scan("hashed", "a", 1, null, new Vector<>())).isEqualTo(Status.BAD_REQUEST);
        db.cleanup();
    }

    @Test
    void shouldShareOneConnectionAndCloseItLast() throws Exception {
        DB first = open();
        DB second = open();
        first.cleanup();
        assertThat(second.read(TABLE, "none", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        second.cleanup();
        second.cleanup(); // does nothing
        DB third = open();
        assertThat(third.read(TABLE, "none", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        third.cleanup();
    }

    @Test
    void shouldReportAndCountTheCauseOfAFailedInit() throws Exception {
        int badBefore = measured("[INIT], Return=BAD_REQUEST");
        int unavailableBefore = measured("[INIT], Return=SERVICE_UNAVAILABLE");
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> open("rcc.upsert", "perhaps"))
                .withMessageContaining("rcc.upsert: got 'perhaps'");
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> open("rcc.hosts", "localhost:1"))
                .withMessageContaining("localhost:1");
        assertThat(measured("[INIT], Return=BAD_REQUEST")).isEqualTo(badBefore + 1);
        assertThat(measured("[INIT], Return=SERVICE_UNAVAILABLE")).isEqualTo(unavailableBefore + 1);
    }

    // ---- several operations a transaction --------------------------------------------------------------------------

    @Test
    void shouldCommitAfterTheLastOperationOfATransaction() throws Exception {
        int before = measured("[TRANSACTION], Return=OK");
        DB watcher = open();
        DB db = open("rcc.transaction.ops", "3");
        assertThat(db.insert(TABLE, "batch1", values("field0", "a"))).isEqualTo(Status.BATCHED_OK);
        assertThat(readExpecting(db, "batch1", Status.BATCHED_OK)).isEqualTo(Map.of("field0", "a"));
        assertThat(watcher.read(TABLE, "batch1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        assertThat(db.update(TABLE, "batch1", values("field1", "b"))).isEqualTo(Status.OK);
        assertThat(read(watcher, "batch1", null)).isEqualTo(Map.of("field0", "a", "field1", "b"));
        db.insert(TABLE, "batch2", values("field0", "left over"));
        db.cleanup();
        assertThat(read(watcher, "batch2", null)).isEqualTo(Map.of("field0", "left over"));
        watcher.cleanup();
        assertThat(measured("[TRANSACTION], Return=OK")).isEqualTo(before + 2);
        assertThat(measured()).doesNotContain("FAILED");
    }

    private static Map<String, String> readExpecting(DB db, String key, Status expected) {
        Map<String, ByteIterator> result = new HashMap<>();
        assertThat(db.read(TABLE, key, null, result)).isEqualTo(expected);
        return text(result);
    }

    // Goal: nothing is lost when a transaction of several operations meets another one. Method: a record that
    // it has read changes before it commits.
    @Test
    void shouldDoAllOfATransactionAgainAfterAConflict() throws Exception {
        DB other = open();
        other.insert(TABLE, "met", values("field0", "0", "field1", "0"));
        DB db = open("rcc.transaction.ops", "2");
        assertThat(db.update(TABLE, "met", values("field0", "1"))).isEqualTo(Status.BATCHED_OK);
        assertThat(db.read(TABLE, "free", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        assertThat(db.read(TABLE, "met", null, new HashMap<>())).isEqualTo(Status.BATCHED_OK);
        assertThat(other.update(TABLE, "met", values("field1", "2"))).isEqualTo(Status.OK);
        assertThat(db.update(TABLE, "met", values("field0", "3"))).isEqualTo(Status.OK);
        assertThat(read(other, "met", null)).isEqualTo(Map.of("field0", "3", "field1", "2"));
        db.cleanup();
        other.cleanup();
    }

    // A transaction that cannot commit is no success of any of its operations.
    @Test
    void shouldMeasureATransactionThatFails() throws Exception {
        int before = measured("[TRANSACTION], Return=BAD_REQUEST");
        DB db = open("rcc.transaction.ops", "2");
        assertThat(db.insert(TABLE, "failing", values("field0", "a"))).isEqualTo(Status.BATCHED_OK);
        assertThat(db.insert(TABLE, "failing2", values("field0", "x".repeat(92))))
                .isEqualTo(Status.BAD_REQUEST);
        assertThat(measured("[TRANSACTION], Return=BAD_REQUEST")).isEqualTo(before + 1);
        db.cleanup();
        DB watcher = open();
        assertThat(watcher.read(TABLE, "failing", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        watcher.cleanup();
    }

    /** A counter of YCSB, which all tests of the JVM share. */
    private static int measured(String name) throws Exception {
        return measured()
                .lines()
                .filter(line -> line.startsWith(name + ", "))
                .mapToInt(line -> Integer.parseInt(line.substring(name.length() + 2)))
                .sum();
    }

    private static String measured() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TextMeasurementsExporter exporter = new TextMeasurementsExporter(out)) {
            Measurements.getMeasurements().exportMeasurements(exporter);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
