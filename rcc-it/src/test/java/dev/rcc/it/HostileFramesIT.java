package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Three server processes with a small heap, clients that read and write, and attackers at all of their ports. */
class HostileFramesIT {
    private static final int FRAMES = Integer.getInteger("rcc.hostile.frames", 20_000);
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final String CLUSTER = "attacked";
    private static final int NODES = 3;
    private static final int ATTACKERS = 2;
    private static final int CLIENTS = 2;
    private static final int KEYS = 100;
    /** The share of the frames after which the code has been compiled and buffers have their size. */
    private static final double WARM_UP = 0.2;

    /** The limit of a client for one operation: attackers and servers share the processors. */
    private static final Duration PATIENCE = Duration.ofSeconds(RccProcess.HANG_SECONDS);

    private static final double GROWTH_MAX = 0.10;
    private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    @TempDir
    private Path directory;

    private final AtomicLong framesLeft = new AtomicLong();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void shouldServeItsClientsInBoundedMemoryUnderHostileFrames(TestReporter reporter) throws Exception {
        LongTest.HOSTILE_FRAMES.assumeDrawn();
        // The heap has its full size from the start: any growth is elsewhere.
        List<String> jvm = List.of("-Xmx400m", "-Xms400m", "-XX:+AlwaysPreTouch");
        try (ServerProcesses servers = ServerProcesses.start(
                        directory, CLUSTER, NODES, jvm, "tables: [accounts:long:16:1000, others:long:16:1000]");
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Void>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                clients.add(threads.submit(() -> load(servers, number)));
            }
            List<Long> before;
            List<Long> after;
            long done;
            try {
                RccProcess.await("the clients are at work", () -> operations.get() > KEYS || isOver(clients));
                attack(servers, threads, (long) (FRAMES * WARM_UP));
                before = memory(servers);
                done = operations.get();
                attack(servers, threads, FRAMES - (long) (FRAMES * WARM_UP));
                after = memory(servers);
                long doneBefore = done;
                RccProcess.await("clients go on", () -> operations.get() > doneBefore || isOver(clients));
                done = operations.get() - doneBefore;
            } finally {
                over.set(true);
            }
            for (Future<Void> client : clients) {
                client.get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS); // none of its operations failed
            }
            String said = "%,d frames; resident memory %s kB, then %s kB; %,d operations meanwhile"
                    .formatted(FRAMES, before, after, done);
            reporter.publishEntry("attack", said);
            for (int node = 0; node < NODES; node++) {
                assertThat((double) after.get(node)).as(said).isLessThan(before.get(node) * (1 + GROWTH_MAX));
                assertThat(Admin.get(servers.state(node), "/metrics").body())
                        .contains("rcc_peers_missing{node=\"" + node + "\"} 0.0");
            }
        }
    }

    private static boolean isOver(List<Future<Void>> clients) {
        return clients.stream().anyMatch(Future::isDone);
    }

    private Void load(ServerProcesses servers, int number) {
        Table<Long, byte[]> table = new Table<>("accounts", KeyType.LONG, Codec.ofBytes(16));
        String gateways = IntStream.range(0, NODES).mapToObj(servers::gateway).collect(Collectors.joining(","));
        try (RccClient client = RccClient.builder(gateways).deadline(PATIENCE).connect()) {
            for (long i = number; !over.get(); i++) {
                long key = 1_000_000 + i % KEYS; // which no hostile frame is likely to name
                client.execute(txn -> {
                    byte[] record = txn.getForUpdate(table, key).orElse(new byte[16]);
                    record[0]++;
                    txn.put(table, key, record);
                });
                operations.incrementAndGet();
            }
        }
        return null;
    }

    private void attack(ServerProcesses servers, ExecutorService threads, long frames) throws Exception {
        framesLeft.set(frames);
        List<Future<Void>> attackers = new ArrayList<>();
        for (int attacker = 0; attacker < ATTACKERS; attacker++) {
            HostileFrames hostile = new HostileFrames(servers, CLUSTER, SEED + attacker);
            attackers.add(threads.submit(() -> {
                while (framesLeft.get() > 0) {
                    long sent = hostile.sent();
                    hostile.connectAndSend();
                    framesLeft.addAndGet(sent - hostile.sent());
                }
                return null;
            }));
        }
        for (Future<Void> attacker : attackers) {
            attacker.get();
        }
    }

    /** Resident memory of each process in kB. */
    private static List<Long> memory(ServerProcesses servers) throws IOException {
        List<Long> sizes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            Matcher rss = RSS.matcher(
                    Files.readString(Path.of("/proc/" + servers.process(node).pid() + "/status")));
            assertThat(rss.find()).isTrue();
            sizes.add(Long.parseLong(rss.group(1)));
        }
        return sizes;
    }
}
