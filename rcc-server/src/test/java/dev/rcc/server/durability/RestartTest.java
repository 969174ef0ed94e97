package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cluster is stopped without notice, and started again from its disks. Each client moves amounts between accounts, writes a numbered receipt of
 * each transfer, keeps a note that exists after every second transfer, and writes the number of every fourth to a replicated table. Afterwards these
 * records show that each transfer has happened as a whole or not at all, in the client's order, and that no acknowledged transfer is missing.
 */
class RestartTest {
    private static final long SEED = Long.getLong("rcc.seed", 11);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ACCOUNTS = 24;
    private static final long INITIAL = 1000;
    private static final List<FailingDisk.Fault> FAULTS = List.of(FailingDisk.Fault.values());
    private static final int NODES = 3;
    private static final int LIVES = Integer.getInteger("rcc.lives", 4);
    private static final int CUTS = Integer.getInteger("rcc.cuts", 6);
    private static final int COROUTINES = 3;
    private static final int CLIENTS = NODES * COROUTINES;
    private static final long RECEIPTS_PER_CLIENT = 1L << (3 * Byte.SIZE);

    @TempDir
    private Path directory;

    private final FailingDisk disk = new FailingDisk();
    /** Whether each transfer changes accounts of two partitions, so that it is in the log of every node. */
    private boolean acrossPartitions;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger commits = new AtomicInteger();
    /** By client: the number of its last acknowledged transfer. */
    private final AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS);
    /** By client: the number of the last transfer in the data. */
    private final long[] found = new long[CLIENTS];

    static Stream<Arguments> everyProtocol() {
        return Protocols.names().stream()
                .flatMap(protocol -> Stream.of(Primitive.values()).map(primitive -> Arguments.of(protocol, primitive)));
    }

    private ClusterConfig config(String name, Primitive primitive, int replicas) {
        Protocol protocol = Protocols.byName(name);
        return ClusterConfig.of(
                        protocol,
                        List.of(
                                TableSchema.ofLongKeys(0, "accounts", 8, ACCOUNTS),
                                TableSchema.ofLongKeys(1, "receipts", 24, 100)
                                        .growing(TableSchema.MAX_GROWTH) // overflows, deeper and deeper
                                        .ordered(256)
                                        .modulo(Long.BYTES - 3),
                                TableSchema.ofByteKeys(2, "notes", 16, 8, 64).placedBy(6),
                                TableSchema.ofLongKeys(3, "fourths", 8, CLIENTS).replicated()))
                .withCode(HybridCode.uniform(protocol, primitive))
                .withShape(NODES, 1, COROUTINES, replicas)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withDurability(DurabilityOptions.in(directory)
                        .withSizes(1 << 14, 1 << 15)
                        .withDisk(disk));
    }

    private EmbeddedCluster start(ClusterConfig config) {
        EmbeddedCluster cluster = new EmbeddedCluster(config);
        try {
            if (!cluster.isRecovered()) {
                for (long key = 0; key < ACCOUNTS; key++) {
                    cluster.loader().load(cluster.catalog().table(0), key, record -> record.putLong(0, INITIAL));
                }
                for (long client = 0; client < CLIENTS; client++) {
                    cluster.loader().load(cluster.catalog().table(3), client, record -> {});
                }
            }
            cluster.start();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private void runClients(EmbeddedCluster cluster) {
        over.set(false);
        commits.set(0);
        for (int node = 0; node < NODES; node++) {
            for (int coroutine = 0; coroutine < COROUTINES; coroutine++) {
                int number = node * COROUTINES + coroutine;
                cluster.spawn(node, 0, coroutine, (runner, self) -> transfer(runner, self, number));
            }
        }
    }

    private void transfer(TransactionRunner runner, Coroutine self, int client) {
        long number = found[client];
        while (!over.get()) {
            number++;
            long from = self.worker().random(ACCOUNTS);
            long to;
            do {
                to = (from + 1 + self.worker().random(ACCOUNTS - 1)) % ACCOUNTS;
            } while (acrossPartitions && partition(from) == partition(to));
            Outcome outcome = runner.run(new Transfer(client, number, from, to));
            if (outcome != Outcome.COMMITTED) {
                return; // the cluster is dying
            }
            acknowledged.set(client, number);
            commits.incrementAndGet();
        }
    }

    private static int partition(long key) {
        return new RingPlacement(NODES, NODES).partition(KeyHash.of(key));
    }

    private static byte[] note(int client) {
        return ("client" + client).getBytes(StandardCharsets.UTF_8);
    }

    /** A transfer of 1 with its receipt and its note. */
    private static final class Transfer implements Procedure {
        private final int client;
        private final long number;
        private final long from;
        private final long to;
        private final Access[] accesses = new Access[5];

        Transfer(int client, long number, long from, long to) {
            this.client = client;
            this.number = number;
            this.from = from;
            this.to = to;
        }

        @Override
        public void declare(Transaction txn) {
            accesses[0] = txn.update(txn.catalog().table(0), from);
            accesses[1] = txn.update(txn.catalog().table(0), to);
            accesses[2] = txn.insert(txn.catalog().table(1), client * RECEIPTS_PER_CLIENT + number);
            Table notes = txn.catalog().table(2);
            accesses[3] = number % 2 == 1 ? txn.insert(notes, note(client)) : txn.delete(notes, note(client));
            Table fourths = txn.catalog().table(3);
            accesses[4] = number % 4 == 0 ? txn.update(fourths, client) : txn.read(fourths, client);
        }

        @Override
        public void execute(Transaction txn) {
            accesses[0].putLong(0, accesses[0].getLong(0) - 1);
            accesses[1].putLong(0, accesses[1].getLong(0) + 1);
            accesses[2].putLong(0, from);
            accesses[2].putLong(8, to);
            accesses[2].putLong(16, number);
            if (number % 2 == 1) {
                accesses[3].putLong(0, number);
            }
            if (number % 4 == 0) {
                accesses[4].putLong(0, number);
            }
        }
    }

    /** Checks a cluster at rest, and its data. */
    private void check(EmbeddedCluster cluster) {
        assertThat(cluster.quiesce(PATIENCE)).isTrue();
        ClusterInspection inspection = cluster.inspect();
        assertThat(inspection.violations()).isEmpty();
        Map<Long, Long> balances = new HashMap<>();
        Map<Long, Long> receipts = new HashMap<>();
        long[] last = new long[CLIENTS];
        inspection.forEachTuple(
                cluster.catalog().table(0),
                (memory, key, record) -> balances.merge(memory.getLong(key), memory.getLong(record), Long::sum));
        inspection.forEachTuple(cluster.catalog().table(1), (memory, key, record) -> {
            balances.merge(memory.getLong(record), 1L, Long::sum);
            balances.merge(memory.getLong(record + 8), -1L, Long::sum);
            assertThat(receipts.put(memory.getLong(key), memory.getLong(record + 16)))
                    .isNull();
            int client = (int) (memory.getLong(key) / RECEIPTS_PER_CLIENT);
            last[client] = Math.max(last[client], memory.getLong(record + 16));
        });
        Map<String, Long> notes = notes(cluster.catalog().table(2), inspection);
        Map<Long, Long> fourths = new HashMap<>(); // of all partitions; copies are equal, as no violation was found
        inspection.forEachTuple(
                cluster.catalog().table(3),
                (memory, key, record) -> fourths.put(memory.getLong(key), memory.getLong(record)));
        for (int client = 0; client < CLIENTS; client++) {
            assertThat(last[client])
                    .as("the last transfer of client %d, which was told of %d", client, acknowledged.get(client))
                    .isGreaterThanOrEqualTo(acknowledged.get(client))
                    .isLessThanOrEqualTo(acknowledged.get(client) + 1);
            for (long number = 1; number <= last[client]; number++) {
                assertThat(receipts).containsEntry(client * RECEIPTS_PER_CLIENT + number, number);
            }
            assertThat(notes.get("client" + client)).isEqualTo(last[client] % 2 == 1 ? last[client] : null);
            assertThat(fourths.get((long) client)).isEqualTo(last[client] - last[client] % 4);
            found[client] = last[client];
            acknowledged.set(client, last[client]);
        }
        assertThat(balances)
                .hasSize(ACCOUNTS)
                .allSatisfy((key, balance) -> assertThat(balance).isEqualTo(INITIAL));
    }

    private static Map<String, Long> notes(Table table, ClusterInspection inspection) {
        Map<String, Long> notes = new HashMap<>();
        inspection.forEachTuple(table, (memory, key, record) -> {
            byte[] name = new byte[7];
            memory.getBytes(key, name, 0, name.length);
            notes.put(new String(name, StandardCharsets.UTF_8), memory.getLong(record));
        });
        return notes;
    }

    private void awaitCommits(EmbeddedCluster cluster, int count) {
        assertThat(cluster.await(PATIENCE, () -> commits.get() >= count))
                .as("%d of %d commits", commits.get(), count)
                .isTrue();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyProtocol")
    void shouldHaveEverythingAfterAnOrderlyStop(String protocol, Primitive primitive) throws IOException {
        ClusterConfig config = config(protocol, primitive, 3);
        for (int incarnation = 0; incarnation < 2; incarnation++) {
            try (EmbeddedCluster cluster = start(config)) {
                assertThat(cluster.isRecovered()).isEqualTo(incarnation > 0);
                check(cluster);
                runClients(cluster);
                awaitCommits(cluster, 150);
                assertThat(cluster.await(PATIENCE, () -> hasSnapshots(cluster, 2)))
                        .as("each node makes one more than at its start")
                        .isTrue();
                over.set(true);
                assertThat(cluster.awaitClients(PATIENCE)).isTrue();
                check(cluster);
            }
        }
        try (Stream<Path> files = Files.list(directory.resolve("node-0"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".rcc"))).hasSize(1);
        }
    }

    // Goal: the space of old snapshots and logs is free as soon as they are deleted.
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNotKeepTheFilesThatItHasRead() throws IOException {
        ClusterConfig config = config("nowait", Primitive.RPC, 3);
        start(config).close();
        try (EmbeddedCluster cluster = start(config)) {
            assertThat(cluster.isRecovered()).isTrue();
            assertThat(Files.readAllLines(Path.of("/proc/self/maps")).stream()
                            .filter(line -> line.contains(directory.toString())))
                    .isEmpty();
        }
    }

    private static boolean hasSnapshots(EmbeddedCluster cluster, int count) {
        return IntStream.range(0, NODES)
                .allMatch(node -> cluster.durability(node).orElseThrow().snapshots() >= count);
    }

    // Method: at a random operation the disk fails, for all nodes; the cluster is closed, unforced data is
    // cut somewhere, and the cluster is started again, perhaps to fail again while it recovers.
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyProtocol")
    void shouldLoseNothingThatWasAcknowledgedWhenThePowerFails(String protocol, Primitive primitive)
            throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        ClusterConfig config = config(protocol, primitive, 2 + random.nextInt(2));
        int crashes = 0;
        for (int incarnation = 0; incarnation < LIVES; incarnation++) {
            FailingDisk.Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            boolean duringStart = incarnation > 0 && random.nextInt(4) == 0;
            if (duringStart) {
                disk.failAfter(random.nextInt(30), fault);
            }
            try (EmbeddedCluster cluster = start(config)) {
                if (!duringStart) {
                    check(cluster);
                    runClients(cluster);
                    awaitCommits(cluster, 1 + random.nextInt(100));
                    disk.failAfter(random.nextInt(200), fault);
                }
                assertThat(cluster.await(PATIENCE, disk::isFailing) || duringStart)
                        .isTrue();
                over.set(true);
            } catch (UncheckedIOException e) {
                assertThat(duringStart).isTrue();
            }
            crashes++;
            disk.losePower(random);
            disk.mend();
        }
        assertThat(crashes).isEqualTo(LIVES);
        try (EmbeddedCluster cluster = start(config)) {
            check(cluster);
        }
    }

    // Goal: a log that has lost its end is completed from the other backups' logs; where they do not have all
    // of it either, the cluster does not start. A cluster that starts misses no acknowledged transfer.
    // Method: the logs of random nodes are cut at a random byte. With a large log there are no snapshots, so
    // the other nodes' logs have everything. Every transfer is in all three logs: an entry that all logs have
    // lost leaves no trace.
    @ParameterizedTest(name = "{0} nodes, log of {1} bytes")
    @CsvSource({"1, 1000000", "1, 32768", "2, 1000000", "2, 32768"})
    void shouldHaveAllThatWasAcknowledgedOrRefuseWhenLogsAreCut(int victims, int walBytes) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED + victims);
        acrossPartitions = true;
        int starts = 0;
        int refused = 0;
        for (int incarnation = 0; incarnation < CUTS; incarnation++) {
            Primitive primitive = random.nextBoolean() ? Primitive.RPC : Primitive.ONE_SIDED;
            ClusterConfig config = config("nowait", primitive, 3)
                    .withDurability(DurabilityOptions.in(directory)
                            .withSizes(1 << 19, walBytes)
                            .withDisk(disk));
            try (EmbeddedCluster cluster = start(config)) {
                check(cluster);
                runClients(cluster);
                awaitCommits(cluster, 20 + random.nextInt(200));
                over.set(true);
                assertThat(cluster.awaitClients(PATIENCE)).isTrue();
            }
            Map<Path, byte[]> whole = cut(victims, random);
            try (EmbeddedCluster cluster = start(config)) {
                check(cluster);
                starts++;
            } catch (WalDamaged e) {
                refused++;
                assertThat(e).hasMessageContaining("segment-").hasMessageContaining("offset");
                for (Map.Entry<Path, byte[]> file : whole.entrySet()) {
                    Files.write(file.getKey(), file.getValue());
                }
            }
        }
        if (walBytes > 100_000) {
            assertThat(starts).isEqualTo(CUTS);
        }
        assertThat(starts + refused).isEqualTo(CUTS);
    }

    /** Cuts the last segments of some nodes' logs; returns the whole segments. */
    private Map<Path, byte[]> cut(int victims, SplittableRandom random) throws IOException {
        Map<Path, byte[]> whole = new HashMap<>();
        int first = random.nextInt(NODES);
        for (int i = 0; i < victims; i++) {
            Path node = directory.resolve("node-" + (first + i) % NODES);
            Path segment = WalLayout.file(node, WalFiles.segments(node).getLast());
            byte[] bytes = Files.readAllBytes(segment);
            whole.put(segment, bytes);
            int most = WalLayout.HEADER_BYTES;
            Files.write(segment, Arrays.copyOf(bytes, most + random.nextInt(bytes.length - most + 1)));
        }
        return whole;
    }

    @Test
    void shouldAcknowledgeOnlyDurableCommitsAndReportAFullDisk() {
        ClusterConfig config = config("nowait", Primitive.ONE_SIDED, 3);
        try (EmbeddedCluster cluster = start(config)) {
            runClients(cluster);
            awaitCommits(cluster, 20);
            disk.fill();
            int before = commits.get();
            // Not on every node: a transaction that can neither be committed nor aborted keeps its locks, so
            // perhaps no client writes there any more.
            assertThat(cluster.await(PATIENCE, () -> !cluster.failedDisks().isEmpty()))
                    .isTrue();
            // Each client may have had one transaction on all its disks that was not acknowledged yet.
            assertThat(cluster.await(Duration.ofMillis(200), () -> commits.get() > before + CLIENTS))
                    .isFalse();
        }
        disk.mend();
        try (EmbeddedCluster cluster = start(config)) {
            check(cluster);
        }
    }

    // Goal: other users of the machine can read nothing of the data, whatever the umask, and whichever user
    // has created the directory.
    @Test
    void shouldDenyOtherUsersAccessToTheData() throws IOException {
        Files.createDirectories(directory.resolve("node-1"));
        Files.setPosixFilePermissions(directory.resolve("node-1"), PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedCluster cluster = start(config("nowait", Primitive.RPC, 3))) {
            runClients(cluster);
            awaitCommits(cluster, 20);
            over.set(true);
            assertThat(cluster.awaitClients(PATIENCE)).isTrue();
        }
        for (int node = 0; node < NODES; node++) {
            Path data = directory.resolve("node-" + node);
            assertThat(rights(data)).isEqualTo("rwx------");
            try (Stream<Path> files = Files.list(data)) {
                assertThat(files)
                        .hasSizeGreaterThanOrEqualTo(2)
                        .allSatisfy(file -> assertThat(rights(file)).isEqualTo("rw-------"));
            }
        }
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void shouldRefuseDataOfAnotherConfigurationAndMissingData() throws IOException {
        ClusterConfig config = config("occ", Primitive.RPC, 3);
        start(config).close();
        assertThatThrownBy(() -> start(config.withShape(NODES, 2, COROUTINES, 3)))
                .isInstanceOf(WalDamaged.class)
                .hasMessageContaining("fingerprint");
        assertThatThrownBy(() -> config.withShape(NODES, 1, COROUTINES, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replicas");
        Path node = directory.resolve("node-1");
        try (Stream<Path> files = Files.list(node)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> start(config)).hasMessageContaining("[1]");
    }

    @Test
    void shouldNoticeADamagedSnapshot() throws IOException {
        ClusterConfig config = config("sundial", Primitive.RPC, 2);
        start(config).close();
        Path snapshot;
        try (Stream<Path> files = Files.list(directory.resolve("node-2"))) {
            snapshot = files.filter(file -> file.toString().endsWith(".rcc"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(snapshot);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20; i++) {
            byte[] damaged = bytes.clone();
            int at = i == 0 ? bytes.length - 1 : random.nextInt(40, bytes.length);
            boolean isPadding = at < WalLayout.HEADER_BYTES;
            damaged[at] ^= 0x10;
            Files.write(snapshot, damaged);
            if (!isPadding) {
                assertThatThrownBy(() -> start(config))
                        .as("byte %d of %d", at, bytes.length)
                        .isInstanceOf(WalDamaged.class)
                        .hasMessageContaining(snapshot.toString());
            }
            Files.write(snapshot, Arrays.copyOf(bytes, at));
            assertThatThrownBy(() -> start(config)).isInstanceOf(WalDamaged.class);
        }
    }
}
