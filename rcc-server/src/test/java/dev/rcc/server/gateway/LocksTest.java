package dev.rcc.server.gateway;

import static dev.rcc.client.LockMode.EXCLUSIVE;
import static dev.rcc.client.LockMode.SHARED;
import static dev.rcc.client.LockMode.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.HeldLock;
import dev.rcc.client.KeyType;
import dev.rcc.client.LockDescription;
import dev.rcc.client.LockMode;
import dev.rcc.client.LockOptions;
import dev.rcc.client.Locks;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.LockSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's locks as clients use them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LocksTest {
    private static final Table<Long, Long> NUMBERS = new Table<>("numbers", KeyType.LONG, Codec.ofLong());
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String JOBS = "jobs:100:60000:4,short:4:100:3";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Primitive primitive = Primitive.ONE_SIDED;
    private EmbeddedCluster cluster;
    private EmbeddedGateways gateways;
    /** The gateway, where there is only one. */
    private Gateway only;

    private <T extends AutoCloseable> T closed(T resource) {
        opened.add(resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private Locks locks() {
        return client("nowait", GatewayOptions.DEFAULT).locks("jobs");
    }

    private RccClient client(String protocol, GatewayOptions options) {
        cluster = closed(newCluster(protocol));
        gateways = closed(new EmbeddedGateways(cluster, options));
        return another(ClientOptions.DEFAULT);
    }

    private EmbeddedCluster newCluster(String protocol) {
        List<LockNamespace> namespaces = LockNamespace.parseAll(JOBS);
        EmbeddedCluster made = new EmbeddedCluster(ClusterConfig.of(
                        Protocols.byName(protocol),
                        List.of(TableSchema.ofLongKeys(0, "numbers", 8, 1_000), Fences.schema(1, namespaces)))
                .withMemory(1 << 18, 1 << 18, 1 << 12)
                .withRecovery(Duration.ofSeconds(20))
                .withLocks(new LockSettings(namespaces, primitive)));
        made.start();
        return made;
    }

    private RccClient another(ClientOptions options) {
        return closed(RccClient.connect(gateways.addresses(), options));
    }

    private static LockOptions waiting(Duration time) {
        return LockOptions.DEFAULT.wait(time);
    }

    private static void assertCode(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RccException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    // ---- holding ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldExcludeAndShare(Primitive by) {
        primitive = by;
        Locks locks = locks();
        Locks others = another(ClientOptions.DEFAULT).locks("jobs");
        try (HeldLock held = locks.lock("nightly", EXCLUSIVE)) {
            assertThat(held.isHeld()).isTrue();
            assertThat(held.leaseLeft()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(60));
            assertThat(others.tryLock("nightly", SHARED)).isEmpty();
            assertThat(others.tryLock("weekly", EXCLUSIVE)).isPresent();
        }
        HeldLock one = others.lock("nightly", SHARED);
        assertThat(locks.lock("nightly", SHARED).isHeld()).isTrue();
        assertCode(ErrorCode.LOCK_NOT_GRANTED, () -> locks.lock("nightly", EXCLUSIVE, waiting(Duration.ofMillis(50))));
        assertThat(one.isHeld()).isTrue();
    }

    // Method: all clients ask at one gateway, whose worker draws their tickets in the order of the
    // requests. At two gateways the later client may draw first, as a lock is shown as waited for before it
    // has its ticket.
    @Test
    void shouldGrantInTheOrderOfAsking() throws Exception {
        Locks locks = clientOfOneGateway().locks("jobs");
        HeldLock first = locks.lock("a", EXCLUSIVE);
        CompletableFuture<HeldLock> second = locks.lockAsync("a", EXCLUSIVE, waiting(LONG));
        awaitWaiting(locks, 1);
        CompletableFuture<HeldLock> third = locks.lockAsync("a", EXCLUSIVE, waiting(LONG));
        awaitWaiting(locks, 2);
        first.unlock();
        HeldLock now = second.get();
        assertThat(third).isNotDone();
        assertThat(now.token()).isGreaterThan(first.token());
        now.unlock();
        assertThat(third.get().token()).isGreaterThan(now.token());
    }

    private static void awaitWaiting(Locks locks, int count) throws InterruptedException {
        while (locks.describe().stream().filter(lock -> !lock.isHeld()).count() < count) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    // Goal: a lock that is held or waited for takes no coroutine of the node.
    @Test
    void shouldHoldAndAwaitMoreLocksThanThereAreCoroutines() throws Exception {
        Locks locks = locks();
        List<HeldLock> held = IntStream.range(0, 60)
                .mapToObj(i -> locks.lock("lock-" + i, EXCLUSIVE, waiting(LONG)))
                .toList();
        List<CompletableFuture<HeldLock>> waiting = IntStream.range(0, 60)
                .mapToObj(i -> locks.lockAsync("lock-" + i, EXCLUSIVE, waiting(LONG)))
                .toList();
        awaitWaiting(locks, 60);
        RccClient client = another(ClientOptions.DEFAULT);
        client.put(NUMBERS, 1L, 5L);
        assertThat(client.get(NUMBERS, 1L)).contains(5L);
        held.forEach(HeldLock::unlock);
        for (CompletableFuture<HeldLock> each : waiting) {
            assertThat(each.get().isHeld()).isTrue();
        }
    }

    @Test
    void shouldPassOnALockThatWasGivenUp() throws Exception {
        Locks locks = locks();
        HeldLock first = locks.lock("a", EXCLUSIVE);
        CompletableFuture<Optional<HeldLock>> impatient =
                locks.tryLockAsync("a", EXCLUSIVE, waiting(Duration.ofMillis(100)));
        awaitWaiting(locks, 1);
        CompletableFuture<HeldLock> patient = locks.lockAsync("a", EXCLUSIVE, waiting(LONG));
        assertThat(impatient.get()).isEmpty();
        first.unlock();
        assertThat(patient.get().isHeld()).isTrue(); // in less than two leases, or it times out
    }

    @Test
    void shouldUpgradeWhenThoseBeforeHaveReturned() throws Exception {
        Locks locks = locks();
        HeldLock reader = locks.lock("a", SHARED);
        HeldLock updater = locks.lock("a", UPDATE);
        assertCode(ErrorCode.LOCK_NOT_GRANTED, () -> updater.upgrade(Duration.ofMillis(50)));
        assertThat(updater.isHeld()).isTrue();
        assertThat(updater.isUpgraded()).isFalse();
        CompletableFuture<Void> upgrade = updater.upgradeAsync(LONG);
        reader.unlock();
        upgrade.get();
        assertThat(updater.isUpgraded()).isTrue();
        updater.upgrade(Duration.ZERO);
        updater.unlock();
        assertThat(locks.lock("a", EXCLUSIVE).isHeld()).isTrue();
    }

    @Test
    void shouldReleaseALockThatIsUnlockedJustBeforeTheClientIsClosed() {
        Locks locks = locks();
        for (int i = 0; i < 20; i++) {
            try (RccClient brief = RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT)) {
                brief.locks("jobs").lock("a", EXCLUSIVE).unlock();
            }
            locks.lock("a", EXCLUSIVE, waiting(LONG)).unlock();
        }
    }

    @Test
    void shouldUnlockOnce() {
        Locks locks = locks();
        HeldLock held = locks.lock("a", EXCLUSIVE);
        held.unlock();
        held.unlock();
        held.close();
        assertThat(held.isHeld()).isFalse();
        assertThat(held.leaseLeft()).isZero();
        HeldLock next = locks.lock("a", EXCLUSIVE);
        held.unlock();
        assertThat(next.isHeld()).isTrue();
        assertThat(locks.tryLock("a", SHARED)).isEmpty();
    }

    // ---- losing ----------------------------------------------------------------------------------------------------

    @Test
    void shouldLoseALockAtTheEndOfItsLease() throws Exception {
        locks();
        Locks locks = another(ClientOptions.DEFAULT).locks("short");
        HeldLock first = locks.lock("a", EXCLUSIVE);
        CountDownLatch lost = new CountDownLatch(1);
        first.onLost(lost::countDown);
        HeldLock second = locks.lock("a", EXCLUSIVE, waiting(LONG));
        lost.await();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.token()).isGreaterThan(first.token());
        CountDownLatch late = new CountDownLatch(1);
        first.onLost(late::countDown);
        late.await();
    }

    @Test
    void shouldHoldALockForAsManySlotsAsItsLeaseTakes() {
        locks();
        Locks locks = another(ClientOptions.DEFAULT).locks("short");
        HeldLock held = locks.lock("a", EXCLUSIVE, LockOptions.DEFAULT.lease(Duration.ofMillis(201)));
        assertThat(held.leaseLeft()).isGreaterThan(Duration.ofMillis(100)).isLessThanOrEqualTo(Duration.ofMillis(300));
        assertThatThrownBy(() -> locks.lock("b", EXCLUSIVE, LockOptions.DEFAULT.lease(Duration.ofMillis(301))))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("lease: got 301 ms, allowed: up to 300 ms in namespace short, 3 times 100");
    }

    // Goal: a client whose connection ends keeps its lock to the end of the lease, and no other client gets
    // it before.
    @Test
    void shouldKeepALockToTheEndOfItsLeaseWhenTheConnectionEnds() throws Exception {
        Locks locks = locks();
        RccClient leaving = RccClient.connect(gateways.addresses());
        HeldLock kept = leaving.locks("jobs").lock("a", EXCLUSIVE);
        HeldLock shortly = leaving.locks("short").lock("b", EXCLUSIVE);
        CompletableFuture<HeldLock> waiting = leaving.locks("jobs").lockAsync("c", EXCLUSIVE, waiting(LONG));
        waiting.get();
        leaving.close();
        assertThat(kept.isHeld()).isTrue();
        assertThat(locks.tryLock("a", EXCLUSIVE)).isEmpty();
        try (HeldLock next = another(ClientOptions.DEFAULT).locks("short").lock("b", EXCLUSIVE, waiting(LONG))) {
            // Whether the client takes its lease as over by then is not promised: it counts from the
            // answer's arrival.
            assertThat(next.token()).isGreaterThan(shortly.token());
        }
    }

    // Goal: the locks of a lost node are lost, and those of other nodes are not.
    @Test
    void shouldLoseTheLocksOfALostNodeOnly() throws Exception {
        RccClient client = clientOfOneGateway();
        List<HeldLock> held = IntStream.range(0, 30)
                .mapToObj(i -> client.locks("jobs").lock("lock-" + i, EXCLUSIVE))
                .toList();
        Set<Integer> moved = IntStream.range(0, 30)
                .filter(i -> homeOf("lock-" + i) == 2)
                .boxed()
                .collect(java.util.stream.Collectors.toSet());
        assertThat(moved).isNotEmpty().hasSizeLessThan(30);
        CountDownLatch lost = new CountDownLatch(moved.size());
        moved.forEach(i -> held.get(i).onLost(lost::countDown));
        cluster.stopNode(2);
        lost.await();
        for (int i = 0; i < held.size(); i++) {
            assertThat(held.get(i).isHeld()).as("lock %s", i).isEqualTo(!moved.contains(i));
        }
        int one = moved.iterator().next();
        assertThat(client.locks("jobs").tryLock("lock-" + one, EXCLUSIVE))
                .as("the longest lease is not over")
                .isEmpty();
    }

    @Test
    void shouldCountRequestsThatTimeOutBeforeTheLongestLeaseIsOver() throws Exception {
        Locks locks = clientOfOneGateway().locks("jobs");
        String name = nameOf("jobs", 2);
        CountDownLatch lost = new CountDownLatch(1);
        locks.lock(name, EXCLUSIVE).onLost(lost::countDown);
        cluster.stopNode(2);
        lost.await();
        assertThat(timeouts()).isZero();
        // the new home may be notified of its part a little later than the gateway
        assertThat(locks.tryLock(name, EXCLUSIVE, waiting(Duration.ofMillis(500))))
                .isEmpty();
        assertThat(timeouts()).isEqualTo(1);
    }

    /** The requests for locks that timed out at node 0. */
    private long timeouts() {
        return IntStream.range(0, cluster.config().workers())
                .mapToLong(worker -> cluster.locks(0, worker).orElseThrow().counters().timeouts)
                .sum();
    }

    /** A client that knows the gateway of node 0 only. */
    private RccClient clientOfOneGateway() {
        cluster = closed(newCluster("nowait"));
        only = closed(new Gateway(
                GatewayNode.of(cluster, 0), GatewayOptions.DEFAULT, () -> List.of(only == null ? "" : only.address())));
        return closed(RccClient.connect(only.address()));
    }

    // Goal: holders at a gateway that is cut off need not wait for the end of their leases to be notified.
    @Test
    void shouldLoseTheLocksOfAGatewayThatIsCutOff() throws Exception {
        HeldLock held = clientOfOneGateway().locks("jobs").lock("a", EXCLUSIVE);
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(lost::countDown);
        only.sendAway();
        lost.await();
        assertThat(held.isHeld()).isFalse();
    }

    // Goal: tokens grow when a lock moves to another node, though that node begins to count from zero.
    @Test
    void shouldGiveTheLocksOfALostNodeGreaterTokensOnceTheLongestLeaseIsOver() {
        Locks locks = clientOfOneGateway().locks("short");
        String name = nameOf("short", 2);
        long before = 0;
        for (int i = 0; i < 5; i++) {
            try (HeldLock held = locks.lock(name, EXCLUSIVE)) {
                before = held.token();
            }
        }
        cluster.stopNode(2);
        try (HeldLock held = locks.lock(name, EXCLUSIVE, waiting(LONG))) {
            assertThat(held.token()).isGreaterThan(before);
            assertThat(LockToken.epoch(held.token())).isGreaterThan(LockToken.epoch(before));
        }
    }

    /** The name of a lock whose home is a node. */
    private String nameOf(String namespace, int home) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "n" + i)
                .filter(each -> homeOf(namespace, each) == home)
                .findFirst()
                .orElseThrow();
    }

    private int homeOf(String name) {
        return homeOf("jobs", name);
    }

    private int homeOf(String namespace, String name) {
        var placement = cluster.catalog().home();
        return placement.primary(dev.rcc.client.wire.KeyPartition.of(
                dev.rcc.server.locks.LockName.key(namespace, name), placement.partitions()));
    }

    // ---- fencing ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin"})
    void shouldRefuseLateHolders(String protocol) {
        RccClient client = client(protocol, GatewayOptions.DEFAULT);
        HeldLock early = client.locks("jobs").lock("a", EXCLUSIVE);
        client.execute(txn -> {
            txn.fence(early);
            txn.put(NUMBERS, 1L, 1L);
        });
        client.execute(txn -> {
            txn.fence(early);
            txn.put(NUMBERS, 1L, 2L);
        });
        long earlyToken = early.token();
        early.unlock();
        assertCode(ErrorCode.LOCK_LOST, () -> client.execute(txn -> txn.fence(early)));
        HeldLock late = client.locks("jobs").lock("a", EXCLUSIVE);
        client.execute(txn -> {
            txn.fence("jobs", "a", earlyToken); // no fence since
            txn.put(NUMBERS, 1L, 3L);
        });
        client.execute(txn -> {
            txn.fence(late);
            txn.put(NUMBERS, 1L, 4L);
        });
        assertCode(
                ErrorCode.LOCK_LOST,
                () -> client.execute(txn -> {
                    txn.fence("jobs", "a", earlyToken);
                    txn.put(NUMBERS, 1L, 5L);
                }));
        assertThat(client.get(NUMBERS, 1L)).contains(4L);
    }

    // Goal: of two holders whose transactions overlap, the earlier holder's transaction is not ordered after
    // the later holder's.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin"})
    void shouldOrderTransactionsByTheirHolders(String protocol) {
        RccClient client = client(protocol, GatewayOptions.DEFAULT);
        HeldLock early = client.locks("jobs").lock("a", EXCLUSIVE);
        long earlyToken = early.token();
        client.execute(txn -> txn.fence(early));
        early.unlock();
        HeldLock late = client.locks("jobs").lock("a", EXCLUSIVE);
        try (OpenTransaction slow = client.begin()) {
            slow.fence("jobs", "a", earlyToken);
            slow.put(NUMBERS, 1L, 1L);
            boolean isLaterDone = false;
            try (OpenTransaction fast = client.begin(Duration.ofSeconds(2))) {
                fast.fence(late);
                fast.put(NUMBERS, 1L, 2L);
                fast.commit();
                isLaterDone = true;
            } catch (RccException e) {
                assertThat(e.code()).isIn(ErrorCode.CONFLICT, ErrorCode.DEADLINE_EXCEEDED);
            }
            if (isLaterDone) {
                assertThatThrownBy(slow::commit).isInstanceOf(RccException.class);
                assertThat(client.get(NUMBERS, 1L)).contains(2L);
            }
        }
    }

    @Test
    void shouldRefuseForeignTokens() {
        RccClient client = client("nowait", GatewayOptions.DEFAULT);
        long ofLater = LockToken.of(7, 0, 0);
        assertThatThrownBy(() -> client.execute(txn -> txn.fence("jobs", "a", ofLater)))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("token: got " + ofLater + ", allowed: a token that this cluster has issued");
        assertCode(ErrorCode.BAD_REQUEST, () -> client.execute(txn -> txn.fence("jobs", "a", LockToken.NONE)));
        assertThatThrownBy(() -> client.execute(txn -> txn.fence("nope", "a", 0)))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("namespace: got 'nope', allowed: [jobs, short]");
        assertCode(ErrorCode.BAD_REQUEST, () -> client.execute(txn -> txn.fence("jobs", "", 0)));
        assertThatThrownBy(() -> client.execute(txn -> txn.fence("jobs", "\ud800", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lock's name has whole characters only");
    }

    @Test
    void shouldHideTheTableOfTokens() {
        RccClient client = client("nowait", GatewayOptions.DEFAULT);
        assertThat(client.tables()).extracting("name").containsExactly("numbers");
        Table<Long, Long> fences = new Table<>(Fences.TABLE, KeyType.LONG, Codec.ofLong());
        assertCode(ErrorCode.NO_SUCH_TABLE, () -> client.get(fences, 1L));
    }

    // Goal: no client can forge or remove a token. Method: a client that knows the table's number.
    @Test
    void shouldRefuseAccessToTheTableOfTokensByItsNumber() throws IOException {
        client("nowait", GatewayOptions.DEFAULT);
        Key key = Key.of("jobs/a".getBytes(StandardCharsets.US_ASCII));
        try (RawClient raw = new RawClient(gateways.gateway(0).address())) {
            raw.hello();
            for (Message.Operation operation : List.of(
                    new Message.Get(1, 1, false, key),
                    new Message.Put(1, 1, key, Fences.record(Long.MAX_VALUE)),
                    new Message.Delete(1, 1, key))) {
                raw.send(new Message.Begin(1, false, 10_000, 0));
                assertThat(raw.call(operation))
                        .isInstanceOfSatisfying(
                                Message.Failed.class,
                                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NO_SUCH_TABLE.number()));
                raw.call(new Message.Abort(1));
            }
        }
    }

    // ---- refusals --------------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseUnknownNamespacesAndNames() {
        RccClient client = client("nowait", GatewayOptions.DEFAULT);
        assertThatThrownBy(() -> client.locks("nope").lock("a", SHARED))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("namespace: got 'nope', allowed: [jobs, short]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.locks("jobs").lock("", SHARED))
                .withMessageContaining("1 to 64 bytes of UTF-8, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.locks("jobs").lock("ä".repeat(33), SHARED))
                .withMessageContaining("got 66");
        assertThat(client.locks("jobs").lock("ä".repeat(32), SHARED).isHeld()).isTrue();
    }

    @Test
    void shouldRejectAnUpgradeOfAnExclusiveLock() {
        HeldLock held = locks().lock("a", EXCLUSIVE);
        assertThatThrownBy(() -> held.upgrade(Duration.ZERO))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("lock jobs/a is held EXCLUSIVE");
    }

    @Test
    void shouldRefuseMoreNamesThanANodeHasRoomFor() {
        locks();
        Locks locks = another(ClientOptions.DEFAULT).locks("short");
        assertThatThrownBy(() -> IntStream.range(0, 13)
                        .forEach(i -> locks.lock("lock-" + i, SHARED).unlock()))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("as many names as its namespace is configured for: 4");
    }

    @Test
    void shouldGrantLocksOnlyToUsersWithTheLockRole() {
        GatewayOptions options = GatewayOptions.DEFAULT.withUsers(
                Users.of(List.of(
                        new User("all", Users.hash("all-token"), "", Map.of("*", Role.ADMIN), Set.of("*")),
                        new User("worker", Users.hash("worker-token"), "", Map.of(), Set.of("jobs")),
                        new User("admin", Users.hash("admin-token"), "", Map.of("*", Role.ADMIN)))),
                false);
        cluster = closed(newCluster("nowait"));
        gateways = closed(new EmbeddedGateways(cluster, options));
        RccClient worker = another(ClientOptions.DEFAULT.withToken("worker-token"));
        HeldLock held = worker.locks("jobs").lock("a", EXCLUSIVE);
        assertThat(held.isHeld()).isTrue();
        worker.execute(txn -> txn.fence(held));
        assertThatThrownBy(() -> worker.locks("short").lock("a", SHARED))
                .isInstanceOf(PermissionException.class)
                .hasMessageContaining("user worker lacks the role lock on namespace short");
        assertCode(ErrorCode.PERMISSION_DENIED, () -> worker.execute(txn -> txn.fence("short", "a", 0)));
        RccClient admin = another(ClientOptions.DEFAULT.withToken("admin-token"));
        assertCode(ErrorCode.PERMISSION_DENIED, () -> admin.locks("jobs").lock("a", SHARED));
        assertCode(ErrorCode.PERMISSION_DENIED, () -> admin.locks("jobs").describe());
        assertThat(another(ClientOptions.DEFAULT.withToken("all-token"))
                        .locks("short")
                        .tryLock("a", SHARED))
                .isPresent();
    }

    @Test
    void shouldRejectLocksInAClusterThatServesNone() {
        try (ClientFixture fixture = new ClientFixture("nowait")) {
            assertThatThrownBy(() -> fixture.client.locks("jobs").lock("a", LockMode.SHARED))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("namespace: got 'jobs', allowed: none, as this cluster serves no locks");
            assertCode(ErrorCode.BAD_REQUEST, () -> fixture.client.execute(txn -> txn.fence("jobs", "a", 0)));
        }
    }

    // ---- descriptions of locks, and earlier clients ----------------------------------------------------------------

    @Test
    void shouldDescribeHeldAndAwaitedLocks() throws Exception {
        Locks locks = locks();
        HeldLock held = locks.lock("a", EXCLUSIVE);
        CompletableFuture<Optional<HeldLock>> waiting = locks.tryLockAsync("a", SHARED, waiting(LONG));
        awaitWaiting(locks, 1);
        List<LockDescription> found = locks.describe();
        assertThat(found)
                .extracting(LockDescription::name, LockDescription::mode, LockDescription::isHeld)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("a", EXCLUSIVE, true),
                        org.assertj.core.groups.Tuple.tuple("a", SHARED, false));
        assertThat(found.stream()
                        .filter(LockDescription::isHeld)
                        .findFirst()
                        .orElseThrow()
                        .token())
                .isEqualTo(held.token());
        held.unlock();
        assertThat(waiting.get()).isPresent();
    }

    // Goal: locks with short names are all described. Method: gateways with short frames, at each of which more locks
    // are held
    // than a frame would have room for if all texts were as long as texts may be.
    @Test
    void shouldDescribeAsManyLocksAsAFrameHasRoomFor() {
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        Locks locks = client(
                        "nowait",
                        GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                                2 * Wire.RECORD_BYTES_MAX,
                                limits.transactions(),
                                limits.pipelined(),
                                limits.scanRecords(),
                                limits.transactionBytes(),
                                limits.idleMillis(),
                                limits.lifetimeMillis())))
                .locks("jobs");
        for (int i = 0; i < 90; i++) {
            locks.lock("lock-" + i, SHARED, waiting(LONG));
        }
        assertThat(locks.describe())
                .extracting(LockDescription::name)
                .doesNotHaveDuplicates()
                .hasSize(90);
    }

    @Test
    void shouldServeEarlierClientsAsBefore() throws IOException {
        locks();
        try (RawClient old = new RawClient(gateways.gateway(0).address())) {
            Message.Welcome welcome =
                    (Message.Welcome) old.call(new Message.Hello(1, Wire.LOCKS_VERSION - 1, "", "earlier"));
            assertThat(welcome.version()).isEqualTo(Wire.LOCKS_VERSION - 1);
        }
    }

    @Test
    void shouldAnswerLockAndUnlockWhenAWaitingClientGivesUp() throws IOException {
        Locks locks = locks();
        try (HeldLock held = locks.lock("a", EXCLUSIVE);
                RawClient raw = new RawClient(gateways.gateway(0).address())) {
            raw.hello();
            raw.send(new Message.Lock(1, "jobs", "a", Message.LockMode.SHARED, 60_000, 0));
            raw.send(new Message.Unlock(1));
            List<Message> answers = List.of(next(raw), next(raw));
            assertThat(answers)
                    .anySatisfy(each -> assertThat(each)
                            .isInstanceOfSatisfying(
                                    Message.Failed.class,
                                    failed ->
                                            assertThat(failed.code()).isEqualTo(ErrorCode.LOCK_NOT_GRANTED.number())));
            assertThat(answers).contains(new Message.Done());
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** The next message that is no hint of the partitions' places. */
    private static Message next(RawClient raw) throws IOException {
        Message message = raw.receive().message();
        return message instanceof Message.Placement ? next(raw) : message;
    }
}
