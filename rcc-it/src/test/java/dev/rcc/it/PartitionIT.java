package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A cluster in network namespaces, one of whose cables is pulled and plugged in again. */
class PartitionIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Table<Long, Long> ACCOUNTS = new Table<>("accounts", KeyType.LONG, Codec.ofLong());
    private static final int CLIENTS = 4;
    private static final long MONEY = 100;
    private static final int NUMBER = 20;
    /** Behind the accounts, each client counts its transfers. */
    private static final long COUNTS = 1_000;

    private static final int CUT = 2;
    private static final int CALL_MILLIS = 60_000;
    private static final Pattern PLUG = Pattern.compile("'ip -n (rcc-\\d+-)switch link set node0 down'");

    @TempDir
    private Path directory;

    /** The beginning of the namespaces' names. */
    private String network;

    private final AtomicBoolean ending = new AtomicBoolean();
    /** By client: how many transfers were acknowledged. */
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();

    private final AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS);

    // Goal: while a node is cut off it refuses reads and writes and reports that, all other nodes go on, and
    // when the network is whole again it comes back in the same process; all acknowledged transfers are
    // there, no money is missing, and nothing stays locked.
    @Test
    void shouldRejectRequestsInTheMinorityAndServeThemInTheMajority(TestReporter reporter) throws Exception {
        LongTest.PARTITION.assumeDrawn();
        Machine.assumeAllows("unshare", "--net", "ip", "link", "add", "name", "switch", "type", "bridge");
        List<String> options = new ArrayList<>(List.of("--nodes", "3", "--namespaces"));
        options.addAll(List.of("--tables", "accounts:long:8:1000:ordered"));
        try (RccProcess up = RccProcess.up(directory, options.toArray(String[]::new))) {
            Matcher command = PLUG.matcher(up.out());
            assertThat(command.find()).as("%s", up).isTrue();
            network = command.group(1);
            JsonNode nodes = RccProcess.status(directory).get("nodes");
            String address = nodes.get(CUT).get("client").asString();
            ClientOptions patient = ClientOptions.DEFAULT.withCall(RccProcess.PATIENT);
            try (RccClient client = RccClient.connect(address, patient);
                    WireConnection open = new WireConnection(address);
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                assertThat(open.hello().node()).isEqualTo(CUT);
                client.execute(
                        txn -> LongStream.range(0, NUMBER).forEach(account -> txn.insert(ACCOUNTS, account, MONEY)));
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    clients.add(CompletableFuture.runAsync(() -> transfer(client, number), threads));
                }
                try {
                    awaitTransfers(50, "with a network that is whole");
                    plug(false);
                    assertThatTheOthersGoOn(nodes, reporter);
                    assertThat(open.closing()).satisfies(PartitionIT::assertThatIsUnavailable);
                    assertThatItRefuses(address);
                    assertThat(Admin.get(nodes.get(CUT), "/health/live").statusCode())
                            .isEqualTo(200);
                    plug(true);
                    RccProcess.await(
                            "node 2 is ready again, of " + up,
                            () -> ready(nodes).statusCode() == 200);
                    assertThat(status(nodes, CUT).get("pid").asLong())
                            .isEqualTo(nodes.get(CUT).get("pid").asLong());
                    assertThatItServes(address);
                    awaitTransfers(50, "with a network that is whole again");
                } finally {
                    ending.set(true);
                }
                CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                        .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
                assertThatNothingIsMissingOrLocked(client);
            }
            RccProcess faults = RccProcess.run(
                    directory,
                    "cluster",
                    "faults",
                    "--dir",
                    "c",
                    "--fault",
                    "cut",
                    "--count",
                    "1",
                    "--stop-seconds-min",
                    "4",
                    "--stop-seconds-max",
                    "5",
                    "--think-ms",
                    Drills.THINK_MILLIS);
            assertThat(faults.exitCode()).as("%s, of %s", faults, up).isZero();
            reporter.publishEntry("cut", faults.out());
        }
        assertThat(Machine.run("ip", "netns", "list")).doesNotContain(network);
    }

    /** Ends the cluster that a failed test may leave. */
    @AfterEach
    void removeNetwork() throws Exception {
        if (Files.exists(directory.resolve(RccProcess.CLUSTER).resolve("cluster.json"))) {
            RccProcess.run(directory, "cluster", "down", "--dir", RccProcess.CLUSTER);
        }
    }

    private void plug(boolean in) throws Exception {
        Machine.run("ip", "-n", network + "switch", "link", "set", "node" + CUT, in ? "up" : "down");
    }

    private void transfer(RccClient client, int number) {
        Random random = new Random(number);
        while (!ending.get()) {
            long from = random.nextInt(NUMBER);
            long to = (from + 1 + random.nextInt(NUMBER - 1)) % NUMBER;
            long count = acknowledged.get(number) + 1;
            client.execute(txn -> {
                txn.put(ACCOUNTS, from, txn.getForUpdate(ACCOUNTS, from).orElseThrow() - 1);
                txn.put(ACCOUNTS, to, txn.getForUpdate(ACCOUNTS, to).orElseThrow() + 1);
                txn.put(ACCOUNTS, COUNTS + number, count);
            });
            acknowledged.set(number, count);
            think();
        }
    }

    /** Other tests run beside this one. */
    private static void think() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long transfers() {
        return LongStream.range(0, CLIENTS)
                .map(number -> acknowledged.get((int) number))
                .sum();
    }

    private void awaitTransfers(int more, String when) throws InterruptedException {
        long goal = transfers() + more;
        RccProcess.await(
                "transfers go on " + when,
                () -> transfers() >= goal || clients.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
        clients.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
    }

    private static java.net.http.HttpResponse<String> ready(JsonNode nodes) {
        return Admin.get(nodes.get(CUT), "/health/ready");
    }

    private static JsonNode status(JsonNode nodes, int node) {
        return MAPPER.readTree(Admin.get(nodes.get(node), "/status").body());
    }

    private void assertThatTheOthersGoOn(JsonNode nodes, TestReporter reporter) throws InterruptedException {
        long cut = System.nanoTime();
        RccProcess.await(
                "the others go on in a configuration without it",
                () -> !status(nodes, 0).get("members").get(CUT).get("member").asBoolean());
        awaitTransfers(1, "in the majority");
        reporter.publishEntry(
                "from the cut to the next commit, ms",
                Long.toString(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - cut)));
        awaitTransfers(50, "in the majority");
        RccProcess.await("node 2 is not ready", () -> ready(nodes).statusCode() == 503);
        assertThat(ready(nodes).body())
                .isEqualTo("not ready: the node has no place in a configuration of a majority\n");
    }

    private static void assertThatItRefuses(String address) throws Exception {
        try (WireConnection minority = new WireConnection(address)) {
            assertThat(minority.hello().members()).hasSize(2).doesNotContain(address);
            int table = minority.table(ACCOUNTS.name());
            minority.send(new Message.Begin(1, true, CALL_MILLIS, 0));
            minority.send(new Message.Begin(2, false, CALL_MILLIS, 0));
            minority.send(new Message.Put(2, table, Key.of(0), Bytes.copyOf(new byte[8])));
            assertThatIsRefused(minority.ask(new Message.Get(1, table, false, Key.of(0))));
            assertThatIsRefused(minority.ask(new Message.Commit(2, CommitId.NONE)));
        }
    }

    private static void assertThatIsRefused(Message answer) {
        assertThatIsUnavailable(answer);
        assertThat(((Message.Failed) answer).transactionOver()).isTrue();
    }

    private static void assertThatIsUnavailable(Message answer) {
        assertThat(answer).isInstanceOfSatisfying(Message.Failed.class, failed -> {
            assertThat(ErrorCode.of(failed.code())).as("%s", failed).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(failed.retryable()).isTrue();
        });
    }

    private static void assertThatItServes(String address) throws Exception {
        try (WireConnection connection = new WireConnection(address)) {
            assertThat(connection.hello().node()).isEqualTo(CUT);
            connection.send(new Message.Begin(1, false, CALL_MILLIS, 0));
            connection.send(new Message.Put(
                    1, connection.table(ACCOUNTS.name()), Key.of(COUNTS + CLIENTS), Bytes.copyOf(new byte[8])));
            assertThat(connection.ask(new Message.Commit(1, CommitId.NONE))).isInstanceOf(Message.Committed.class);
        }
    }

    private void assertThatNothingIsMissingOrLocked(RccClient client) {
        List<Entry<Long, Long>> all = client.read(txn -> txn.scan(ACCOUNTS, 0L, COUNTS + CLIENTS, 2_000));
        assertThat(all.stream()
                        .filter(entry -> entry.key() < COUNTS)
                        .mapToLong(Entry::value)
                        .sum())
                .isEqualTo(NUMBER * MONEY);
        for (int number = 0; number < CLIENTS; number++) {
            long key = COUNTS + number;
            assertThat(client.<Long>read(txn -> txn.require(ACCOUNTS, key)))
                    .as("transfers of client %d", number)
                    .isEqualTo(acknowledged.get(number));
        }
        CallOptions once = CallOptions.DEFAULT.withMaxAttempts(1);
        client.<Void>transact(once, txn -> {
            all.forEach(entry -> txn.put(ACCOUNTS, entry.key(), entry.value()));
            return null;
        });
    }
}
