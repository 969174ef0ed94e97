package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.Administration;
import dev.rcc.client.BadRequestException;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.client.SessionDescription;
import dev.rcc.client.TableUsage;
import dev.rcc.client.Transaction;
import dev.rcc.client.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users that authenticate by tokens, and their roles. Users with certificates are in {@link TlsTest}. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UsersTest {
    private static final User AUDIT = user("audit", "a-token", Map.of("numbers", Role.READ));
    private static final User ORDERS =
            user("orders", "another token", Map.of("numbers", Role.WRITE, User.ALL_TABLES, Role.READ));
    private static final User ROOT = user("root", "root's", Map.of(User.ALL_TABLES, Role.ADMIN, "names", Role.READ));
    private static final User ADMIN =
            user("admin", "numbers' admin", Map.of("numbers", Role.ADMIN, User.ALL_TABLES, Role.READ));
    private static final GatewayOptions OPTIONS =
            GatewayOptions.DEFAULT.withUsers(Users.of(List.of(AUDIT, ORDERS, ROOT, ADMIN)), false);

    private static User user(String name, String token, Map<String, Role> roles) {
        return new User(name, Users.hash(token), "", roles);
    }

    @Test
    void shouldRefuseATokenThatWouldHaveTheHashOfAnother() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Users.hash("token \ud83d"))
                .withMessageStartingWith("a token has whole characters only, got half of a surrogate pair");
    }

    private static RccClient connect(ClientFixture fixture, String token) {
        return RccClient.connect(fixture.gateways.addresses(), ClientOptions.DEFAULT.withToken(token));
    }

    private static ClientFixture fixture() {
        return new ClientFixture("sundial", OPTIONS, ClientOptions.DEFAULT.withToken("root's"));
    }

    private static ThrowableAssertAlternative<PermissionException> refuses(
            RccClient client, Consumer<Transaction> body) {
        return assertThatExceptionOfType(PermissionException.class)
                .isThrownBy(() -> client.execute(body))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
    }

    @Test
    void shouldAllowEachUserOnlyTheOperationsOfItsRoles() {
        try (ClientFixture fixture = fixture()) {
            fixture.client.execute(txn -> {
                txn.insert(NUMBERS, 1L, 10L);
                txn.put(NAMES, "a", 1L);
            });
            try (RccClient audit = connect(fixture, "a-token")) {
                assertThat(audit.<Long>read(txn -> txn.require(NUMBERS, 1L))).isEqualTo(10);
                assertThat(audit.<Integer>read(
                                txn -> txn.scan(NUMBERS, 0L, 5L, 10).size()))
                        .isEqualTo(1);
                refuses(audit, txn -> txn.put(NUMBERS, 1L, 11L))
                        .withMessageContaining("user audit lacks the role write on table numbers (it has read there)");
                refuses(audit, txn -> txn.insert(NUMBERS, 2L, 11L)).withMessageContaining("write on table numbers");
                refuses(audit, txn -> txn.delete(NUMBERS, 1L)).withMessageContaining("write on table numbers");
                refuses(audit, txn -> txn.getForUpdate(NUMBERS, 1L)).withMessageContaining("write on table numbers");
                refuses(audit, txn -> txn.scanForUpdate(NUMBERS, 0L, 5L, 10))
                        .withMessageContaining("write on table numbers");
                refuses(audit, txn -> txn.get(NAMES, "a"))
                        .withMessageContaining("lacks the role read on table names (it has none there)");
                refuses(
                                audit,
                                txn -> { // and nothing of it has taken effect
                                    txn.get(NUMBERS, 1L);
                                    txn.put(NUMBERS, 1L, 99L);
                                })
                        .withMessageContaining("write");
            }
            try (RccClient orders = connect(fixture, "another token")) {
                orders.execute(txn -> txn.put(NUMBERS, 1L, txn.require(NUMBERS, 1L) + 1));
                assertThat(orders.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
                refuses(orders, txn -> txn.put(NAMES, "a", 2L))
                        .withMessageContaining("user orders lacks the role write on table names (it has read there)");
            }
            assertThat(fixture.client.<Long>read(txn -> txn.require(NUMBERS, 1L)))
                    .isEqualTo(11);
            assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a")))
                    .isEqualTo(1);
            fixture.client.execute(txn -> txn.delete(NAMES, "a")); // the greater of two roles counts
        }
    }

    @Test
    void shouldRejectUnknownTokens() {
        try (ClientFixture fixture = fixture()) {
            for (String token : List.of("", "a-toke", "a-tokens", Users.hash("a-token"))) {
                assertThatExceptionOfType(PermissionException.class)
                        .as("token '%s'", token)
                        .isThrownBy(() -> connect(fixture, token))
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
            }
        }
    }

    @Test
    void shouldIdentifyEachUserByEitherATokenOrACertificateName() {
        Users users = Users.of(List.of(AUDIT, new User("service", "", "svc.example.org", Map.of("*", Role.WRITE))));
        assertThat(users.find("", Optional.of("svc.example.org")).map(User::name))
                .contains("service");
        assertThat(users.find("", Optional.of("other.example.org"))).isEmpty();
        assertThat(users.find("", Optional.of("")))
                .as("a certificate with an empty name")
                .isEmpty();
        assertThat(users.find("", Optional.empty())).isEmpty();
        assertThat(users.find("a-token", Optional.of("svc.example.org")).map(User::name))
                .contains("audit");
        assertThat(users.find("wrong", Optional.of("svc.example.org"))).isEmpty();
        assertThat(Users.UNCHECKED.find("", Optional.empty())).isPresent();

        assertThatIllegalArgumentException().isThrownBy(() -> Users.of(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Users.of(List.of(AUDIT, AUDIT)));
        assertThatIllegalArgumentException().isThrownBy(() -> new User("x", "", "", Map.of("*", Role.READ)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new User("x", Users.hash("t"), "cn", Map.of("*", Role.READ)));
        assertThatIllegalArgumentException().isThrownBy(() -> new User("x", "t", "", Map.of("*", Role.READ)));
        assertThatIllegalArgumentException().isThrownBy(() -> new User("x", Users.hash("t"), "", Map.of()));
    }

    // ---- administrators --------------------------------------------------------------------------------------------

    @Test
    void shouldReportTheUsageOfATableOnlyToItsAdministrators() {
        try (ClientFixture fixture = fixture();
                RccClient admin = connect(fixture, "numbers' admin")) {
            fixture.client.execute(txn -> {
                for (long number = 0; number < 100; number++) {
                    txn.insert(NUMBERS, number, 0L);
                }
                txn.put(NAMES, "a", 1L);
            });
            fixture.client.execute(txn -> txn.delete(NUMBERS, 7L));
            assertThat(admin.administration().usage("numbers"))
                    .isEqualTo(new TableUsage("numbers", 99, 3 * 4_000, 0, 0));
            assertThat(fixture.client.administration().usage("names"))
                    .isEqualTo(new TableUsage("names", 1, 3 * 1_000, 0, 0));
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> admin.administration().usage("names"))
                    .withMessageContaining("user admin lacks the role admin on table names (it has read there)");
            assertThatExceptionOfType(BadRequestException.class)
                    .isThrownBy(() -> fixture.client.administration().usage("nowhere"))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_TABLE));
        }
    }

    // Goal: an administrator finds the connection that holds a transaction, and ends it; its client goes on
    // with another one.
    @Test
    void shouldLetAdministratorsSeeConnectionsAndEndThem() {
        try (ClientFixture fixture = fixture();
                RccClient orders = RccClient.builder(fixture.gateways.addresses())
                        .token("another token")
                        .name("shop")
                        .connect()) {
            Administration administration = fixture.client.administration();
            OpenTransaction open = orders.begin();
            open.getForUpdate(NUMBERS, 1L);
            SessionDescription session = administration.sessions().getFirst();
            assertThat(session.user()).isEqualTo("orders");
            assertThat(session.client()).isEqualTo("shop");
            assertThat(session.address()).startsWith("127.0.0.1:");
            assertThat(session.transactions()).isEqualTo(1);
            assertThat(fixture.gateways.addresses()).contains(session.gateway());
            assertThat(administration.sessions())
                    .filteredOn(each -> each.user().equals("root"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.transactions()).isZero());

            assertThat(administration.endSession(session.gateway(), session.number()))
                    .isTrue();
            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> {
                        while (true) { // until the connection is notified
                            open.get(NUMBERS, 1L);
                        }
                    })
                    .withMessageContaining("an administrator has ended the connection");
            orders.execute(txn -> txn.put(NUMBERS, 1L, 2L));
            assertThat(administration.endSession(session.gateway(), session.number()))
                    .isFalse();
            assertThatExceptionOfType(BadRequestException.class)
                    .isThrownBy(() -> administration.endSession("127.0.0.1:1", 1))
                    .withMessageContaining("the cluster has no gateway 127.0.0.1:1");
        }
    }

    @Test
    void shouldShowAndEndSessionsOnlyForAdministratorsOfAllTables() {
        try (ClientFixture fixture = fixture();
                RccClient admin = connect(fixture, "numbers' admin")) {
            Administration administration = admin.administration();
            String gateway = fixture.gateways.gateway(0).address();
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(administration::sessions)
                    .withMessageContaining("user admin lacks the role admin on all tables (it has read there)");
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> administration.endSession(gateway, 1))
                    .withMessageContaining("user admin lacks the role admin on all tables");
            assertThat(fixture.client.administration().sessions())
                    .filteredOn(each -> each.user().equals("admin"))
                    .isNotEmpty();
        }
    }

    // ---- when they change ------------------------------------------------------------------------------------------

    // Goal: a removed user is shut out at once, in open transactions too; a role that is taken away is gone
    // with the next request, and no other user is affected.
    @Test
    void shouldRejectRemovedUsersAndRevokedRolesAtOnce() {
        try (ClientFixture fixture = fixture();
                RccClient audit = connect(fixture, "a-token");
                RccClient orders = connect(fixture, "another token")) {
            audit.read(txn -> txn.get(NUMBERS, 1L));
            orders.execute(txn -> txn.put(NUMBERS, 1L, 10L));
            try (OpenTransaction audited = audit.begin();
                    OpenTransaction ordered = orders.begin();
                    OpenTransaction rooted = fixture.client.begin()) {
                audited.get(NUMBERS, 1L);
                ordered.get(NUMBERS, 1L);
                rooted.get(NUMBERS, 2L);
                User less = user("orders", "another token", Map.of("numbers", Role.READ));
                fixture.gateways.users(Users.of(List.of(less, ROOT)));
                assertThatExceptionOfType(PermissionException.class)
                        .isThrownBy(() -> {
                            while (true) { // until the connections are notified
                                audited.get(NUMBERS, 1L);
                            }
                        })
                        .withMessageContaining("user audit may not come in any more")
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
                assertThatExceptionOfType(PermissionException.class)
                        .isThrownBy(() -> {
                            while (true) {
                                ordered.getForUpdate(NUMBERS, 1L);
                            }
                        })
                        .withMessageContaining("user orders lacks the role write on table numbers (it has read there)");
                rooted.put(NUMBERS, 2L, 20L);
                rooted.commit();
            }
            assertThatExceptionOfType(PermissionException.class)
                    .isThrownBy(() -> audit.read(txn -> txn.get(NUMBERS, 1L)))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
            assertThat(orders.<Long>read(txn -> txn.require(NUMBERS, 2L))).isEqualTo(20);

            fixture.gateways.users(Users.of(List.of(AUDIT, ORDERS, ROOT)));
            assertThat(audit.<Long>read(txn -> txn.require(NUMBERS, 1L))).isEqualTo(10);
        }
    }

    // ---- the file --------------------------------------------------------------------------------------------------

    private static Users parse(String text) {
        return Users.of(text.lines()
                .map(name -> user(name, name + "'s", Map.of("*", Role.READ)))
                .toList());
    }

    // Goal: the file's contents count once they have been read twice, so that half a file never counts; an
    // invalid file changes nothing.
    @Test
    void shouldApplyAChangedFileOnceItIsValidAndReadTwiceUnchanged(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("users"), "ann\nbob");
        List<String> heard = new ArrayList<>();
        UsersFile users = new UsersFile(
                file,
                parse("ann\nbob"),
                UsersTest::parse,
                now -> heard.add(now.list().stream().map(User::name).collect(Collectors.joining(" "))));
        poll(users, 3);
        assertThat(heard).isEmpty();

        Files.writeString(file, "ann");
        poll(users, 1);
        assertThat(heard).isEmpty();
        Files.writeString(file, "ann\ncid");
        poll(users, 1);
        assertThat(heard).isEmpty();
        poll(users, 1);
        assertThat(heard).containsExactly("ann cid");

        for (String broken : List.of("", "ann\nann")) {
            Files.writeString(file, broken);
            poll(users, 3);
        }
        Files.delete(file);
        poll(users, 3);
        Files.write(file, new byte[] {(byte) 0xFF});
        poll(users, 3);
        assertThat(heard).containsExactly("ann cid");

        Files.writeString(file, "ann\ncid"); // as it was
        poll(users, 3);
        assertThat(heard).containsExactly("ann cid");
        Files.writeString(file, "dan");
        poll(users, 3);
        assertThat(heard).containsExactly("ann cid", "dan");
    }

    private static void poll(UsersFile users, int times) {
        for (int i = 0; i < times; i++) {
            users.poll();
        }
    }

    // Goal: the file is read again without a request, and connections are notified of its changes.
    @Test
    void shouldLookAtTheFileByItself(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("users"), "ann\nbob");
        try (ClientFixture fixture = new ClientFixture(
                        "nowait",
                        GatewayOptions.DEFAULT.withUsers(parse("ann\nbob"), false),
                        ClientOptions.DEFAULT.withToken("ann's"));
                RccClient bob = connect(fixture, "bob's");
                UsersFile users = new UsersFile(file, parse("ann\nbob"), UsersTest::parse, fixture.gateways::users)) {
            users.watch();
            bob.read(txn -> txn.get(NUMBERS, 1L));
            Files.writeString(file, "ann");
            assertThat(fixture.cluster.await(Duration.ofSeconds(60), () -> isShutOut(bob)))
                    .isTrue();
            fixture.client.read(txn -> txn.get(NUMBERS, 1L));
        }
    }

    private static boolean isShutOut(RccClient client) {
        try {
            client.read(txn -> txn.get(NUMBERS, 1L));
            return false;
        } catch (PermissionException e) {
            return e.code() == ErrorCode.UNAUTHENTICATED;
        }
    }

    @Test
    void shouldHashTokensAsSha256sumDoes() {
        assertThat(Users.hash("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
