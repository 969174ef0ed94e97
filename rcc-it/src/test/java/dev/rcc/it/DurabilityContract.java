package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import dev.rcc.core.testing.BuildDraw;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Clusters of real processes whose data survives harm while clients write. Each client counts in two records at once, on different
 * nodes as a rule.
 */
abstract class DurabilityContract {
    private static final Table<Long, Long> COUNTS = new Table<>("counts", KeyType.LONG, Codec.ofLong());
    private static final int CLIENTS = 4;

    @TempDir
    private Path directory;

    private int size = 3;
    private final AtomicBoolean harmed = new AtomicBoolean();
    private final AtomicInteger failed = new AtomicInteger();
    /** By client: the last count that was acknowledged to it. */
    private final AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS);
    /** By client: the last count that it has tried. */
    private final AtomicLongArray tried = new AtomicLongArray(CLIENTS);

    /** How the cluster replicates. */
    abstract String replication();

    @BeforeEach
    void assumeDrawn(TestInfo test) {
        BuildDraw.assumeDrawn(test, replication(), List.of("rings", "raft"));
    }

    private RccProcess up() throws Exception {
        List<String> options = new ArrayList<>(List.of("--fabric", "tcp", "--protocol", "sundial"));
        options.addAll(List.of("--tables", "counts:long:8:4000:ordered"));
        options.addAll(List.of("--nodes", Integer.toString(size)));
        options.addAll(List.of("--failure-ms", "30000", "--durability", "disk", "--replication", replication()));
        return RccProcess.up(directory, options.toArray(String[]::new));
    }

    private List<JsonNode> nodes() {
        return RccProcess.status(directory).get("nodes").valueStream().toList();
    }

    // Method: one cluster is killed twice, the first time in one of three ways, and brought up again from its
    // disks.
    @ParameterizedTest
    @ValueSource(strings = {"one by one", "two at once", "two of five"})
    void shouldLoseNothingThatWasAcknowledgedHoweverItsProcessesAreKilled(String first) throws Exception {
        LongTest.KILLED.assumeDrawn();
        BuildDraw.assumeDrawn(
                "how processes are killed first", first, List.of("one by one", "two at once", "two of five"));
        switch (first) {
            case "one by one" -> killOneAndThenTheOthers();
            case "two at once" -> killTogether(0, 1);
            default -> {
                size = 5;
                killTogether(1, 3);
            }
        }
        killAllAndHarmALog();
        assertThatNothingIsLost();
        checkLog(directory.resolve(RccProcess.CLUSTER).resolve("node0.log"));
    }

    /** Damages the log of node 0. */
    abstract void harm(Path data) throws IOException;

    /** Checks the messages of node 0 about that. */
    abstract void checkLog(Path log) throws IOException;

    /** When a node is killed, the others go on, and then they are killed. */
    private void killOneAndThenTheOthers() throws Exception {
        try (RccProcess up = up()) {
            List<JsonNode> nodes = nodes();
            countUntil(nodes, () -> {
                awaitCounts(up, 40);
                RccProcess.kill(List.of(nodes.get(1)));
                awaitCounts(up, 40);
                RccProcess.kill(List.of(nodes.get(0), nodes.get(2)));
            });
        }
    }

    /**
     * Two processes are killed at once, and started again while node 2 lives. Of three nodes, no partition with a copy there has a backup left,
     * so all go on from their disks. Of five nodes, each partition has a backup left, but one of them no majority of its copies.
     */
    private void killTogether(int one, int other) throws Exception {
        try (RccProcess up = up()) {
            List<JsonNode> nodes = nodes();
            countUntil(nodes, () -> {
                awaitCounts(up, 40);
                RccProcess.kill(List.of(nodes.get(one), nodes.get(other)));
            });
            Path cluster = directory.resolve(RccProcess.CLUSTER);
            try (RccProcess first = start(cluster, one);
                    RccProcess second = start(cluster, other);
                    RccClient client =
                            RccClient.connect(nodes.get(2).get("client").asString())) {
                check(client);
                assertThat(List.of(first, second))
                        .allSatisfy(node -> assertThat(node.err()).doesNotContain("damaged"));
            }
        }
    }

    private static RccProcess start(Path cluster, int node) throws IOException {
        return RccProcess.start(cluster, List.of("server", "--config", "node" + node + ".yaml"));
    }

    private void killAllAndHarmALog() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("rcc.seed", 5));
        try (RccProcess up = up()) {
            List<JsonNode> nodes = nodes();
            countUntil(nodes, () -> {
                awaitCounts(up, 40 + random.nextInt(60));
                RccProcess.kill(nodes);
            });
        }
        harm(directory.resolve(RccProcess.CLUSTER).resolve("node0-data"));
    }

    /** A file has lost a quarter of its bytes, as after a repair of the file system. */
    static void cut(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() * 3 / 4);
        }
    }

    private void awaitCounts(RccProcess up, int more) throws InterruptedException {
        long goal = sum() + more;
        RccProcess.await("clients count, of " + up, () -> sum() >= goal);
    }

    // Goal: a node whose disk is full acknowledges nothing more, logs the reason and ends; when there is room
    // again, every count is there that was acknowledged by then.
    @Test
    void shouldLoseNothingThatWasAcknowledgedWhenADiskIsFull() throws Exception {
        LongTest.FULL_DISK.assumeDrawn();
        String mount = "mount -t tmpfs -o size=64m tmpfs";
        Machine.assumeAllows(("unshare --mount " + mount + " " + directory).split(" ", -1));
        Path disk = directory.resolve(RccProcess.CLUSTER).resolve("node2-data");
        Files.createDirectories(disk);
        Machine.run((mount + " " + disk).split(" ", -1));
        try {
            Path other = disk.resolve("of-somebody-else");
            try (RccProcess up = up()) {
                countUntil(nodes(), () -> {
                    awaitCounts(up, 40);
                    fill(other);
                    RccProcess.await("node 2 ends", () -> up.out().contains("node 2 has ended, exit code 1;"));
                });
                assertThat(Files.readString(
                                directory.resolve(RccProcess.CLUSTER).resolve("node2.log")))
                        .contains("No space left on device", "node 2: cannot go on: the disk has failed");
            }
            Files.delete(other);
            assertThatNothingIsLost();
        } finally {
            Machine.run("umount", disk.toString());
        }
    }

    /** Fills the disk, except for a few commits. */
    private static void fill(Path file) throws IOException {
        int left = 64 << 10;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(1 << 12);
            try {
                while (channel.write(zeros) > 0) {
                    zeros.clear();
                }
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("No space left on device");
            }
            channel.truncate(channel.size() - left);
        }
    }

    /** The harm done to the cluster while clients count. */
    private interface Harm {
        void happen() throws Exception;
    }

    private void countUntil(List<JsonNode> nodes, Harm harm) throws Exception {
        ClientOptions options = ClientOptions.DEFAULT.withCall(
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)).withMaxAttempts(3));
        try (RccClient client = RccClient.connect(nodes.getFirst().get("client").asString(), options);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            check(client);
            harmed.set(false);
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    clients.add(CompletableFuture.runAsync(() -> count(client, number), threads));
                }
                harm.happen();
            } finally {
                harmed.set(true);
            }
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                    .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void assertThatNothingIsLost() throws Exception {
        try (RccProcess up = up();
                RccClient client =
                        RccClient.connect(nodes().getFirst().get("client").asString())) {
            check(client);
            assertThat(up.err()).doesNotContain("damaged");
        }
    }

    private long sum() {
        long sum = 0;
        for (int i = 0; i < CLIENTS; i++) {
            sum += acknowledged.get(i);
        }
        return sum;
    }

    /** Counts until the cluster is harmed; a count that fails may have happened or not. */
    private void count(RccClient client, int number) {
        while (!harmed.get()) {
            long next = tried.incrementAndGet(number);
            try {
                client.execute(txn -> {
                    txn.put(COUNTS, (long) number, next);
                    txn.put(COUNTS, 1000L + number, next);
                });
                acknowledged.set(number, next);
            } catch (RccException e) {
                failed.incrementAndGet();
            }
        }
    }

    private void check(RccClient client) {
        for (int i = 0; i < CLIENTS; i++) {
            long number = i;
            long[] found = client.<long[]>read(RccProcess.PATIENT, txn -> {
                Optional<Long> one = txn.get(COUNTS, number);
                Optional<Long> other = txn.get(COUNTS, 1000L + number);
                return new long[] {one.orElse(0L), other.orElse(0L)};
            });
            assertThat(found[0]).isEqualTo(found[1]).isBetween(acknowledged.get(i), tried.get(i));
            acknowledged.set(i, found[0]);
            tried.set(i, found[0]);
        }
    }
}
