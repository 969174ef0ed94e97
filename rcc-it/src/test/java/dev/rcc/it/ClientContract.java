package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyType;
import dev.rcc.client.MaxBytes;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.it.client.BankService;
import dev.rcc.it.client.BankServiceTest;
import dev.rcc.it.client.Deposit;
import dev.rcc.server.gateway.Users;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Clients of a cluster of real processes on a network. */
abstract class ClientContract {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int CLIENTS = 6;

    private static final ClientOptions PATIENT = ClientOptions.DEFAULT.withCall(RccProcess.PATIENT);
    private static final Table<Long, Long> ACCOUNTS = new Table<>("accounts", KeyType.LONG, Codec.ofLong());

    record Person(@MaxBytes(500) String name) {}

    private static final Table<String, Person> PEOPLE = Table.of("people", KeyType.STRING, Person.class);

    @TempDir
    private Path directory;

    /** The network. */
    abstract String fabric();

    @BeforeEach
    void assumeDrawn(TestInfo test) {
        BuildDraw.assumeDrawn(test, fabric(), List.of("tcp", "shm"));
    }

    private RccProcess up(String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of("--fabric", fabric()));
        options.addAll(List.of(more));
        if (!options.contains("--tables")) {
            options.addAll(List.of("--tables", "accounts:long:8:4000:ordered,people:bytes32:502:1000"));
        }
        return RccProcess.up(directory, options.toArray(String[]::new));
    }

    private JsonNode nodes() {
        return RccProcess.status(directory).get("nodes");
    }

    /** A jar with a stored procedure, as its author makes it; the servers have the class from nowhere else. */
    private Path procedures() throws IOException {
        Path jars = Files.createDirectory(directory.resolve("jars"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve("deposit.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + StoredProcedure.class.getName()));
            jar.write(Deposit.class.getName().getBytes(StandardCharsets.UTF_8));
            for (Class<?> type : List.of(Deposit.class, Deposit.Slip.class)) {
                String path = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(path));
                try (InputStream in = type.getClassLoader().getResourceAsStream(path)) {
                    in.transferTo(jar);
                }
            }
        }
        return jars;
    }

    private static String user(String token) {
        return "app sha256=" + Users.hash(token) + " admin:*\n";
    }

    private static boolean isKnownEverywhere(String gateway, String token) {
        try (RccClient client = RccClient.connect(gateway, PATIENT.withToken(token))) {
            return client.administration().sessions().stream()
                    .allMatch(session -> session.user().equals("app"));
        } catch (PermissionException e) {
            return false;
        }
    }

    private static boolean isShutOut(RccClient client) {
        try {
            client.read(txn -> txn.get(ACCOUNTS, 1L));
            return false;
        } catch (PermissionException e) {
            return e.code() == ErrorCode.UNAUTHENTICATED;
        }
    }

    // Goal: a client in a JVM of its own works as with gateways in that JVM; from one address it finds all
    // members. It calls the procedure that the servers have in a jar, and is shut out when the file of users
    // does not have it any more.
    @Test
    void shouldServeTransactionsFromAnyMember() throws Exception {
        Path users = Files.writeString(directory.resolve("users"), user("old token"));
        try (RccProcess up = up(
                "--protocol", "sundial", "--procedures", procedures().toString(), "--users-file", users.toString())) {
            JsonNode nodes = nodes();
            String one = nodes.get(1).get("client").asString();
            assertThat(up.out()).contains(one);
            try (RccClient client = RccClient.connect(one, PATIENT.withToken("old token"))) {
                client.execute(txn -> {
                    for (long account = 0; account < 100; account++) {
                        txn.insert(ACCOUNTS, account, 100L);
                    }
                });
                for (int person = 0; person < 50; person++) {
                    Person written = new Person(String.valueOf(person).repeat(250));
                    String name = "person" + person;
                    client.execute(txn -> txn.put(PEOPLE, name, written));
                    assertThat(client.<Person>read(txn -> txn.require(PEOPLE, name)))
                            .isEqualTo(written);
                }
                assertThat(client.<Boolean>transact(txn -> txn.delete(PEOPLE, "person7")))
                        .isTrue();
                assertThat(client.<Optional<Person>>read(txn -> txn.get(PEOPLE, "person7")))
                        .isEmpty();

                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<CompletableFuture<Void>> clients = new ArrayList<>();
                    for (int i = 0; i < CLIENTS; i++) {
                        Random random = new Random(i);
                        clients.add(CompletableFuture.runAsync(() -> transfer(client, random), threads));
                    }
                    CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                            .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
                }
                List<Entry<Long, Long>> all = client.read(txn -> txn.scan(ACCOUNTS, 0L, Long.MAX_VALUE, 1_000));
                assertThat(all).hasSize(100);
                assertThat(all.stream().mapToLong(Entry::value).sum()).isEqualTo(100 * 100L);

                for (long deposit = 1; deposit <= 9; deposit++) { // three at each gateway
                    assertThat(client.call(Deposit.TYPE, new Deposit.Slip(1_000, 5)))
                            .isEqualTo(5 * deposit);
                }
                assertThat(client.<Long>read(txn -> txn.require(ACCOUNTS, 1_000L)))
                        .isEqualTo(45);
                assertThat(client.administration().usage("accounts").records()).isEqualTo(101);

                Files.writeString(users, user("new token"));
                RccProcess.await("every node knows the new token", () -> isKnownEverywhere(one, "new token"));
                RccProcess.await("the old token is refused", () -> isShutOut(client));
            }
            // Each node has coordinated some: the client was given one, and has used all.
            for (JsonNode node : nodes) {
                assertThat(Admin.commits(node)).as("%s", node).isPositive();
            }
        }
    }

    private static void transfer(RccClient client, Random random) {
        for (int i = 0; i < 40; i++) {
            long from = random.nextInt(100);
            long to = (from + 1 + random.nextInt(99)) % 100;
            client.execute(txn -> {
                txn.put(ACCOUNTS, from, txn.require(ACCOUNTS, from) - 1);
                txn.put(ACCOUNTS, to, txn.require(ACCOUNTS, to) + 1);
            });
        }
    }

    // Goal: the service that the manual shows runs on a cluster of processes as it is printed.
    @Test
    void shouldRunTheServiceOfTheManual() throws Exception {
        try (RccProcess up = up("--tables", "accounts:long:50:1000:ordered")) {
            JsonNode nodes = nodes();
            try (RccClient client = RccClient.connect(nodes.get(0).get("client").asString(), PATIENT)) {
                BankServiceTest.assertThatItLosesNoCent(new BankService(client));
            }
            assertThat(up.process().isAlive()).as("%s", up).isTrue();
        }
    }

    // Goal: clients of a node that is stopped (SIGTERM) or dies (SIGKILL) go on at others, no commit that was
    // acknowledged is lost, and no outcome stays unknown. Method: each client counts in accounts of its own,
    // and its counts must be there, no more and no less.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLoseNoCommitAndReportEveryOutcomeWhenANodeStopsOrDies(boolean isKilled, TestInfo test) throws Exception {
        BuildDraw.assumeDrawn(test, Boolean.toString(isKilled), List.of("false", "true"));
        int perClient = 20;
        try (RccProcess up = up()) {
            JsonNode nodes = nodes();
            ProcessHandle goes =
                    ProcessHandle.of(nodes.get(2).get("pid").asLong()).orElseThrow();
            AtomicLongArray acknowledged = new AtomicLongArray(CLIENTS * perClient);
            try (RccClient client = RccClient.connect(nodes.get(2).get("client").asString(), PATIENT);
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                CompletableFuture<Void> gone = new CompletableFuture<>();
                List<CompletableFuture<Void>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    long first = (long) i * perClient;
                    Random random = new Random(i);
                    clients.add(CompletableFuture.runAsync(
                            () -> {
                                for (int afterwards = 0; afterwards < 20; ) {
                                    long account = first + random.nextInt(perClient);
                                    boolean isAfterwards = gone.isDone();
                                    client.execute(txn -> txn.put(
                                            ACCOUNTS,
                                            account,
                                            txn.getForUpdate(ACCOUNTS, account).orElse(0L) + 1));
                                    acknowledged.incrementAndGet((int) account);
                                    afterwards += isAfterwards ? 1 : 0;
                                }
                            },
                            threads));
                }
                RccProcess.await("node 2 has committed something", () -> Admin.commits(nodes.get(2)) > 50);
                if (isKilled) {
                    goes.destroyForcibly();
                } else {
                    goes.destroy();
                }
                goes.onExit().get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
                gone.complete(null);
                CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)) // or an error of one of them
                        .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
                List<Entry<Long, Long>> all = client.read(txn -> txn.scan(ACCOUNTS, 0L, Long.MAX_VALUE, 1_000));
                long[] found = new long[acknowledged.length()];
                all.forEach(account -> found[account.key().intValue()] = account.value());
                for (int account = 0; account < found.length; account++) {
                    assertThat(found[account]).as("account %d", account).isEqualTo(acknowledged.get(account));
                }
            }
            if (!isKilled) {
                assertThatTheOthersGoOnInOrder(nodes.get(0));
                assertThat(Files.readString(directory.resolve("c/node2.log")))
                        .contains("draining", "node 2: ended")
                        .doesNotContain("cut off");
            }
            assertThat(up.process().isAlive()).as("%s", up).isTrue();
        }
    }

    /** A node that ends on purpose gives its place up: one change of the configuration, and no alarm. */
    private static void assertThatTheOthersGoOnInOrder(JsonNode node) {
        JsonNode status = MAPPER.readTree(Admin.get(node, "/status").body());
        assertThat(status.get("epoch").asLong()).isEqualTo(2);
        assertThat(status.get("members").get(2).get("member").asBoolean()).isFalse();
        assertThat(status.get("partitions").get(2).get("primary").asInt()).isZero();
        assertThat(status.get("partitions").get(2).get("backups").toString()).isEqualTo("[1]");
    }
}
