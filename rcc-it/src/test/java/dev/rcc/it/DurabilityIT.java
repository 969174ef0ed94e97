package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Clusters of real processes whose data survives: all of them are killed at once, while clients write, and started again. Each client
 * counts in two records at once, on different nodes as a rule.
 */
class DurabilityIT {
    private static final Table<Long, Long> COUNTS = new Table<>("counts", KeyType.LONG, Codec.ofLong());
    private static final int CLIENTS = 4;
    private static final int LIVES = 2;

    @TempDir
    private Path directory;

    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicInteger failed = new AtomicInteger();
    /** By client: the last count that it was told of. */
    private final AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS);
    /** By client: the last count that it has tried. */
    private final AtomicLongArray tried = new AtomicLongArray(CLIENTS);

    private RccProcess up() throws Exception {
        List<String> options = new ArrayList<>(List.of("--fabric", "tcp", "--protocol", "sundial"));
        options.addAll(List.of("--tables", "counts:long:8:4000:ordered"));
        options.addAll(List.of("--failure-ms", "30000", "--durability", "disk"));
        return RccProcess.up(directory, options.toArray(String[]::new));
    }

    private List<JsonNode> nodes() throws Exception {
        return RccProcess.status(directory).get("nodes").valueStream().toList();
    }

    @Test
    void shouldLoseNothingThatWasAcknowledgedWhenAllProcessesAreKilled() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("rcc.seed", 5));
        for (int life = 0; life < LIVES; life++) {
            try (RccProcess up = up();
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<JsonNode> nodes = nodes();
                List<String> addresses = nodes.stream()
                        .map(node -> node.get("client").asString())
                        .toList();
                ClientOptions options = ClientOptions.DEFAULT.withCall(
                        CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)).withMaxAttempts(3));
                try (RccClient client = RccClient.connect(addresses.get(0), options)) {
                    check(client);
                    killed.set(false);
                    List<CompletableFuture<Void>> clients = new ArrayList<>();
                    for (int i = 0; i < CLIENTS; i++) {
                        int number = i;
                        clients.add(CompletableFuture.runAsync(() -> count(client, number), threads));
                    }
                    long goal = sum() + 40 + random.nextInt(60);
                    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RccProcess.HANG_SECONDS);
                    while (sum() < goal) {
                        assertThat(System.nanoTime() - deadline)
                                .as("%s", up.err())
                                .isNegative();
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    kill(nodes);
                    killed.set(true);
                    CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                            .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
                }
            }
        }
        try (RccProcess up = up();
                RccClient client =
                        RccClient.connect(nodes().getFirst().get("client").asString())) {
            check(client);
            assertThat(up.err()).doesNotContain("damaged");
        }
    }

    private static void kill(List<JsonNode> nodes) {
        List<ProcessHandle> processes = nodes.stream()
                .map(node -> ProcessHandle.of(node.get("pid").asLong()).orElseThrow())
                .toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
    }

    private long sum() {
        long sum = 0;
        for (int i = 0; i < CLIENTS; i++) {
            sum += acknowledged.get(i);
        }
        return sum;
    }

    /** Counts until the cluster is killed; of a count that fails, nobody knows whether it has happened. */
    private void count(RccClient client, int number) {
        while (!killed.get()) {
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
            long[] found = client.<long[]>read(
                    CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(RccProcess.HANG_SECONDS)), txn -> {
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
