package dev.rcc.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.Codec;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Message;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.gateway.Role;
import dev.rcc.server.gateway.User;
import dev.rcc.server.gateway.Users;
import dev.rcc.server.procedure.ProcedureJar;
import dev.rcc.server.procedure.bank.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of a server for its clients. */
class ClientAccessOptionsTest {
    private static final String HASH = Users.hash("secret");

    private static ServerConfig config(String... keysAndValues) {
        Map<String, String> given = LoopbackOptions.of(1, keysAndValues);
        given.putIfAbsent("tables", "accounts:long:8:100,names:bytes8:8:100");
        return ServerConfig.of(given);
    }

    @Test
    void shouldHaveAKeyForEveryLimitOfTheGateway() {
        GatewayOptions options = config(
                        "client", "localhost:7400",
                        "client.frame-bytes", "200000",
                        "client.transactions", "11",
                        "client.pipelined", "12",
                        "client.scan-records", "13",
                        "client.transaction-bytes", "14",
                        "client.idle-ms", "15",
                        "client.lifetime-ms", "16",
                        "client.connections", "17",
                        "client.waiting", "18",
                        "client.hello-ms", "19",
                        "client.slow-reader-ms", "20",
                        "client.outcome-seconds", "21")
                .gateway();
        assertThat(options.host()).isEqualTo("localhost");
        assertThat(options.port()).isEqualTo(7400);
        assertThat(options.limits()).isEqualTo(new Message.Limits(200_000, 11, 12, 13, 14, 15, 16));
        assertThat(options.capacity().connections()).isEqualTo(17);
        assertThat(options.capacity().waiting()).isEqualTo(18);
        assertThat(options.timeouts().hello()).isEqualTo(Duration.ofMillis(19));
        assertThat(options.timeouts().slowReader()).isEqualTo(Duration.ofMillis(20));
        assertThat(options.timeouts().outcomeRetention()).isEqualTo(Duration.ofSeconds(21));
        assertThat(options.cluster()).isEqualTo("rcc");
        assertThat(config("cluster", "bank").gateway().cluster()).isEqualTo("bank");
    }

    @Test
    void shouldUseTheGatewaysOwnDefaults() {
        GatewayOptions options = config().gateway();
        assertThat(options.withAddress("127.0.0.1", 0)).isEqualTo(GatewayOptions.DEFAULT);
        assertThat(options.host()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isZero();
    }

    @Test
    void shouldAppendATableOfOutcomesUnlessItsSlotsAreZero() {
        assertThat(config().cluster().tables()).hasSize(3);
        assertThat(config("client.outcome-slots", "50")
                        .cluster()
                        .tables()
                        .get(2)
                        .capacity())
                .isEqualTo(50);
        assertThat(config("client.outcome-slots", "0").cluster().tables()).hasSize(2);
    }

    @Test
    void shouldFitTheDefaultCoroutinesToANodeAndRejectTooMany() {
        assertThat(config().cluster().coroutines()).isEqualTo(100);
        assertThat(config("workers", "20").cluster().coroutines()).isEqualTo(1024 / 20 - 1);
        assertThat(config("coroutines", "7").cluster().coroutines()).isEqualTo(7);
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config("workers", "20", "coroutines", "100"));
    }

    @Test
    void shouldReadUsersWithTheirRoles() {
        Users users = config(
                        "users",
                        "audit sha256=" + HASH + " read:*,orders.svc  sha256=" + Users.hash("other")
                                + "  write:accounts read:names")
                .gateway()
                .access()
                .users();
        assertThat(users)
                .usingRecursiveComparison()
                .isEqualTo(Users.of(List.of(
                        new User("audit", HASH, "", Map.of("*", Role.READ)),
                        new User(
                                "orders.svc",
                                Users.hash("other"),
                                "",
                                Map.of("accounts", Role.WRITE, "names", Role.READ)))));
    }

    @Test
    void shouldReadTheLockRolesOfUsers() {
        Users users = config(
                        "locks",
                        "jobs:1,orders:1",
                        "users",
                        "worker sha256=" + HASH + " lock:jobs lock:orders read:names,all sha256=" + Users.hash("all")
                                + " lock:*")
                .gateway()
                .access()
                .users();
        assertThat(users)
                .usingRecursiveComparison()
                .isEqualTo(Users.of(List.of(
                        new User("worker", HASH, "", Map.of("names", Role.READ), Set.of("jobs", "orders")),
                        new User("all", Users.hash("all"), "", Map.of(), Set.of("*")))));
    }

    // Each line: the key, its value, and the text of the message.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users | ''                                      | users: got '', allowed: a user at least, as without",
                "users | audit                                   | users: got 'audit', allowed: 'NAME CREDENTIAL",
                "users | audit sha256=12 read:*                  | users: got 'audit sha256=12 read:*', allowed:",
                "users | audit sha256=HASH                       | allowed: 'NAME CREDENTIAL ROLE:TABLE...'",
                "users | audit sha256=HASH own:*                 | allowed: 'NAME CREDENTIAL ROLE:TABLE...'",
                "users | audit sha256=HASH read:acounts          | there is no acounts",
                "users | audit sha256=HASH lock:jobs             | allowed: namespaces of 'locks' or *, there is no jobs",
                "users | audit sha256=HASH read:names write:names | one role on each table",
                "users | a sha256=HASH read:*,b sha256=HASH read:* | a name, and a token or certificate, of its own",
                "users | svc cn=svc.example.org read:*           | certificates only together with 'client.tls.trust'",
                "client | 0.0.0.0:7400                           | client: got '0.0.0.0:7400', allowed: a host that",
                "client | nowhere                                | client: got 'nowhere', allowed: host:port",
                "client.advertise | here                         | client.advertise: got 'here', allowed: host:port",
                "client.advertise | 0.0.0.0:7400                 | client.advertise: got '0.0.0.0:7400', allowed: host:port",
                "client.advertise | 192.0.2.1:0                  | client.advertise: got '192.0.2.1:0', allowed: host:port",
                "client.tls.key | /no/such/file                  | client.tls.certificate: got '', allowed: a PEM file",
                "client.outcome-seconds | 100                    | client.outcome-seconds: got '100', allowed: at"
                        + " least four",
                "client.frame-bytes | 1000                       | client.frame-bytes: got '1000', allowed: an integer"
                        + " from"
            })
    void shouldRejectInvalidInput(String key, String value, String message) {
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config(key, value.replace("HASH", HASH)))
                .withMessageContaining(message);
    }

    // Goal: nodes that would forget outcomes at different times are no cluster.
    @Test
    void shouldDistinguishNodesByTheirOutcomeOptions() {
        assertThat(compared()).isEqualTo(compared()).isEqualTo(compared("client.waiting", "3"));
        assertThat(compared("client.outcome-seconds", "900"))
                .isNotEqualTo(compared())
                .contains("outcome-seconds=900");
        assertThat(compared("client.outcome-slots", "50")).isNotEqualTo(compared()); // the table is another
        assertThat(compared("client.result-bytes", "50")).isNotEqualTo(compared());
    }

    private static String compared(String... keysAndValues) {
        ServerConfig config = config(keysAndValues);
        return config.control(config.cluster()).configuration();
    }

    /** A procedure with a long result. */
    public static final class LongResult implements StoredProcedure<Void, byte[]> {
        private static final int BYTES = 200_000;

        @Override
        public ProcedureType<Void, byte[]> type() {
            return ProcedureType.of("long", Codec.ofNothing(), Codec.ofBytes(BYTES));
        }

        @Override
        public byte[] run(Transaction txn, Void argument) {
            return new byte[BYTES];
        }
    }

    @Test
    void shouldRefuseProceduresWhoseResultsAreLongerThanFrames(@TempDir Path directory) throws IOException {
        ProcedureJar.write(directory.resolve("1.jar"), Transfer.class, Transfer.Order.class, Transfer.Receipt.class);
        ProcedureJar.write(directory.resolve("2.jar"), LongResult.class);
        String jars = directory.toString();
        assertThat(config("procedures", jars, "client.frame-bytes", "200064")
                        .procedures()
                        .names())
                .containsExactly("long", "transfer");
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config("procedures", jars, "client.frame-bytes", "200063"))
                .withMessage("client.frame-bytes: got '200063', allowed: at least 200064 with 'procedures' " + jars
                        + ": the result of procedure long has 200000 bytes");
    }

    @Test
    void shouldReadUsersFromAFileAndAgainWhenItHasChanged(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("users"), "# who reads\naudit sha256=" + HASH + " read:*   # all of it\n\n");
        ServerConfig config = config("users-file", file.toString());
        assertThat(config.gateway().access().users())
                .usingRecursiveComparison()
                .isEqualTo(Users.of(List.of(new User("audit", HASH, "", Map.of("*", Role.READ)))));
        assertThat(config.usersFile(users -> {})).isPresent();
        assertThat(config().usersFile(users -> {})).isEmpty();

        Files.writeString(file, "\naudit sha256=12 read:*");
        refuses("users-file", file.toString(), "users', line 2: got 'audit sha256=12 read:*', allowed: 'NAME");
        Files.writeString(file, "# nobody\n");
        refuses("users-file", file.toString(), "there must be a user");
        Files.writeString(file, "svc cn=svc.example.org read:*");
        refuses("users-file", file.toString(), "certificates only together with 'client.tls.trust'");
        refuses("users-file", directory.resolve("none").toString(), "there is no such file");
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config("users-file", file.toString(), "users", "audit sha256=" + HASH + " read:*"))
                .withMessageContaining("either 'users-file' or 'users', not both");
    }

    private static void refuses(String key, String value, String message) {
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config(key, value))
                .withMessageContaining(key + ": got '" + value)
                .withMessageContaining(message);
    }

    // Goal: no client sends tokens in the clear unless the configuration allows it.
    @Test
    void shouldRejectTokensInTheClearOffTheHostUnlessAllowed() {
        String users = "audit sha256=" + HASH + " read:*";
        assertThat(config("users", users).gateway().access().plainTokens()).isFalse();
        assertThatExceptionOfType(ServerConfig.Problems.class)
                .isThrownBy(() -> config("users", users, "client", "192.0.2.1:7400"))
                .withMessageContaining("client.plain-tokens: yes");
        assertThat(config("users", users, "client", "192.0.2.1:7400", "client.plain-tokens", "yes")
                        .gateway()
                        .access()
                        .plainTokens())
                .isTrue();
    }
}
