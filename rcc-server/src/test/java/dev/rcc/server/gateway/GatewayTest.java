package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.ClientOptions;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.GatewayStatus;
import dev.rcc.client.PermissionException;
import dev.rcc.client.RccClient;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes that a gateway accepts from its clients, and those that it refuses. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GatewayTest {
    private static final long SEED = Long.getLong("rcc.seed", 3);
    private static final Bytes EIGHT = Bytes.wrap(new byte[] {0, 0, 0, 0, 0, 0, 0, 8});
    private static final Message.Limits LIMITS = GatewayOptions.DEFAULT.limits();

    private ClientFixture fixture;

    private String start(GatewayOptions options) {
        fixture = new ClientFixture(
                "nowait",
                options,
                ClientOptions.DEFAULT.withToken(options.access().users().isOpen() ? "" : "sesame"));
        return fixture.gateways.gateway(0).address();
    }

    private String start() {
        return start(GatewayOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.closeAndInspect();
        }
    }

    // ---- hello -----------------------------------------------------------------------------------------------------

    @Test
    void shouldWelcomeWithItsLimitsAndItsPeers() throws IOException {
        try (RawClient raw = new RawClient(start())) {
            Message.Welcome welcome = raw.hello();
            assertThat(welcome.version()).isEqualTo(Wire.VERSION);
            assertThat(welcome.protocol()).isEqualTo("nowait");
            assertThat(welcome.limits()).isEqualTo(LIMITS);
            assertThat(String.join(",", welcome.members())).isEqualTo(fixture.gateways.addresses());
            assertThat(raw.call(new Message.DescribeTables()))
                    .isEqualTo(new Message.Tables(
                            List.of(
                                    new Message.TableInfo(0, "numbers", true, 8, 8, true),
                                    new Message.TableInfo(1, "names", false, 24, 8, false),
                                    new Message.TableInfo(2, "words", false, 12, 8, true)),
                            true));
        }
    }

    // Goal: clients can connect to the address that is sent to them. Method: an IPv4 address as IPv6 writes it, which
    // machines without IPv6 have, too.
    @Test
    void shouldBeFoundAtAnAddressWithColons() {
        assertThat(start(GatewayOptions.DEFAULT.withAddress("::ffff:127.0.0.1", 0)))
                .matches("\\[::ffff:127.0.0.1]:[0-9]+");
        assertThat(fixture.client.gateways()).hasSize(3).allMatch(GatewayStatus::isReachable);
    }

    @Test
    void shouldRefuseAVersionThatItDoesNotSpeak() throws IOException {
        try (RawClient raw = new RawClient(start())) {
            Message.Failed failed = (Message.Failed) raw.call(new Message.Hello(Wire.VERSION + 1, 99, "", "newer"));
            assertThat(failed.code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.number());
            assertThat(failed.text())
                    .isEqualTo("this gateway speaks versions 1 to " + Wire.VERSION + ", the client "
                            + (Wire.VERSION + 1) + " to 99: upgrade the older one");
            assertThat(raw.isClosed()).isTrue();
        }
    }

    @Test
    void shouldAdmitOnlyClientsWithTheToken() {
        String address = start(GatewayOptions.DEFAULT.withToken("sesame"));
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L)); // which has the token
        assertThatExceptionOfType(PermissionException.class)
                .isThrownBy(() -> RccClient.connect(address, ClientOptions.DEFAULT.withToken("open")))
                .withMessageContaining("does not know this token");
        assertThatExceptionOfType(PermissionException.class).isThrownBy(() -> RccClient.connect(address));
    }

    @Test
    void shouldCloseAConnectionThatSendsNoHello() throws IOException {
        String address = start(GatewayOptions.DEFAULT.withTimeouts(
                Duration.ofMillis(50), Duration.ofSeconds(10), Duration.ofSeconds(5)));
        try (RawClient raw = new RawClient(address)) {
            assertThat(raw.isClosed()).isTrue();
        }
    }

    @Test
    void shouldRefuseConnectionsBeyondItsLimit() throws IOException {
        String address = start(GatewayOptions.DEFAULT.withCapacity(2, 10, 10));
        try (RawClient one = RawClient.greet(address); // the fixture's client is the other one
                RawClient two = new RawClient(address)) {
            assertThat(two.isClosed()).isTrue();
            assertThat(one.call(new Message.DescribeTables())).isInstanceOf(Message.Tables.class);
        }
    }

    // Goal: connections whose clients send no hello keep no other client out, however many they are.
    @Test
    void shouldLetAClientInWhileVeryManyAreSilent() throws IOException {
        String address = start();
        List<RawClient> silent = new ArrayList<>();
        try {
            for (int i = 0; i < GatewayOptions.DEFAULT.capacity().connections() + 1; i++) {
                silent.add(new RawClient(address));
            }
            try (RawClient one = RawClient.greet(address)) {
                assertThat(one.call(new Message.DescribeTables())).isInstanceOf(Message.Tables.class);
            }
            assertThat(silent.getFirst().isClosed()).as("the oldest").isTrue();
            await(() -> fixture.gateways.gateway(0).connections() < 300); // ended ones may not have gone yet
        } finally {
            for (RawClient each : silent) {
                each.close();
            }
        }
    }

    // ---- hostile bytes ---------------------------------------------------------------------------------------------

    // Goal: whatever bytes arrive, the gateway at most closes that connection, and serves the others. Method:
    // seeded frames, damaged or out of place, before and after a hello.
    @Test
    void shouldOutliveHostileConnections() throws IOException {
        String address = start();
        Random random = new Random(SEED);
        for (int i = 0; i < 60; i++) {
            try (RawClient raw = random.nextInt(4) == 0 ? new RawClient(address) : RawClient.greet(address)) {
                for (int n = random.nextInt(20); n >= 0; n--) {
                    raw.sendBytes(hostile(random));
                }
            } catch (IOException closed) {
                // as it should be
            }
        }
        fixture.client.execute(txn -> txn.put(NAMES, "alive", 1L));
        await(() -> fixture.gateways.gateway(0).connections() <= 1);
    }

    private static ByteBuf hostile(Random random) {
        ByteBuf bytes = Unpooled.buffer();
        Message message = switch (random.nextInt(10)) {
            case 0 -> new Message.Hello(1, 1, "", "again");
            case 1, 2 -> new Message.Begin(random.nextInt(3), random.nextBoolean(), 100, 0);
            case 3 -> new Message.Get(random.nextInt(3), random.nextInt(5), true, Key.of(1));
            case 4 -> new Message.Put(random.nextInt(3), random.nextInt(5), Key.of(2), EIGHT);
            case 5 ->
                new Message.Scan(
                        random.nextInt(3),
                        random.nextInt(5),
                        true,
                        random.nextBoolean(),
                        Bound.with(Key.of(0)),
                        Bound.with(Key.of(9)),
                        5);
            case 6 -> new Message.Commit(random.nextInt(3), new CommitId(0, random.nextInt(2)));
            case 7 -> new Message.Abort(random.nextInt(3));
            case 8 -> new Message.AskOutcome(new CommitId(0, 1), random.nextLong(), 0);
            default -> new Message.Done();
        };
        MessageCodec.encode(new Frame(random.nextInt(5), message), bytes);
        if (random.nextInt(5) == 0) {
            bytes.setByte(random.nextInt(bytes.readableBytes()), random.nextInt(256));
        }
        return bytes;
    }

    @Test
    void shouldSendTheReasonBeforeItClosesAConnection() throws IOException {
        try (RawClient raw = RawClient.greet(start())) {
            raw.sendBytes(Unpooled.buffer().writeInt(LIMITS.frameLength() + 1));
            Message.Failed failed = (Message.Failed) raw.receive().message();
            assertThat(failed.code()).isEqualTo(ErrorCode.MALFORMED_FRAME.number());
            assertThat(failed.text()).contains("a frame's length is 5 to 1048576, got 1048577");
            assertThat(raw.isClosed()).isTrue();
        }
    }

    // ---- limits ----------------------------------------------------------------------------------------------------

    private static Message.Limits limits(int transactions, int pipelined, int bytes, int idleMillis) {
        return new Message.Limits(
                LIMITS.frameLength(), transactions, pipelined, LIMITS.scanRecords(), bytes, idleMillis, 60_000);
    }

    @Test
    void shouldReapATransactionThatWaitsForItsClient() throws IOException {
        String address = start(GatewayOptions.DEFAULT.withLimits(limits(10, 10, 1_000, 50)));
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        try (RawClient raw = RawClient.greet(address)) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            assertThat(raw.call(new Message.Get(1, 1, true, Key.of(new byte[] {'a'}))))
                    .isInstanceOf(Message.Value.class);
            fixture.client.execute(txn -> txn.put(NAMES, "a", 2L)); // the lock is gone, sooner or later
            Message.Failed failed = (Message.Failed) raw.call(new Message.Commit(1, CommitId.NONE));
            assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED.number());
            assertThat(failed.transactionOver()).isTrue();
        }
    }

    // Goal: a program whose transaction has ended draws no conclusions from reads that were never checked.
    @Test
    void shouldNotConfirmTheReadsOfATransactionThatHasFailed() throws IOException {
        fixture = new ClientFixture("occ");
        fixture.client.execute(txn -> txn.put(NUMBERS, 1L, 1L));
        try (RawClient raw = RawClient.greet(fixture.gateways.gateway(0).address())) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.call(new Message.Get(1, 0, false, Key.of(1)));
            fixture.client.execute(txn -> txn.put(NUMBERS, 1L, 2L));
            assertThat(code(raw.call(new Message.Get(1, 0, true, Key.of(1))))).isEqualTo(ErrorCode.CONFLICT);
            assertThat(raw.call(new Message.Abort(1))).isEqualTo(new Message.Aborted(false));

            raw.send(new Message.Begin(2, false, 60_000, 0));
            raw.call(new Message.Get(2, 0, false, Key.of(1)));
            assertThat(code(raw.call(new Message.Get(2, 99, false, Key.of(1))))).isEqualTo(ErrorCode.NO_SUCH_TABLE);
            assertThat(raw.call(new Message.Abort(2)))
                    .as("the answer to a transaction that would fail each time")
                    .isEqualTo(new Message.Aborted(true));
        }
    }

    @Test
    void shouldNotConfirmReadsThatCannotBeCheckedAsTheirNodeIsLost() throws IOException {
        try (ClientFixture lossy = new ClientFixture("occ");
                RawClient raw = RawClient.greet(lossy.gateways.gateway(0).address())) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.call(new Message.Get(1, 0, false, Key.of(lossy.keyAt(2, 0))));
            lossy.cluster.stopNode(2);
            assertThat(raw.call(new Message.Abort(1))).isEqualTo(new Message.Aborted(false));
        }
    }

    @Test
    void shouldAbortATransactionWhoseClientIsGone() throws IOException {
        String address = start();
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        try (RawClient raw = RawClient.greet(address)) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.call(new Message.Get(1, 1, true, Key.of(new byte[] {'a'})));
        }
        fixture.client.execute(txn -> txn.put(NAMES, "a", 2L)); // the lock is gone long before it would be idle
    }

    @Test
    void shouldAbortATransactionWhoseTimeIsOver() throws IOException {
        try (RawClient raw = RawClient.greet(start())) {
            raw.send(new Message.Begin(1, false, 1_000, 0));
            assertThat(raw.call(new Message.Get(1, 0, false, Key.of(1)))).isEqualTo(new Message.Value(null));
            fixture.client.execute(txn -> txn.put(NUMBERS, 1L, 2L)); // once its lock is gone
            assertThat(code(raw.call(new Message.Get(1, 0, false, Key.of(2))))).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        }
    }

    @Test
    void shouldLimitOpenTransactionsAndTheirWrites() throws IOException {
        String address = start(GatewayOptions.DEFAULT.withLimits(limits(2, 10, 40, 60_000)));
        try (RawClient raw = RawClient.greet(address)) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.send(new Message.Begin(2, false, 60_000, 0));
            assertThat(code(raw.call(new Message.Begin(3, false, 60_000, 0)))).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(code(raw.call(new Message.Get(3, 0, false, Key.of(1)))))
                    .isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
            assertThat(raw.call(new Message.Put(1, 0, Key.of(1), EIGHT))).isEqualTo(new Message.Done());
            assertThat(raw.call(new Message.Put(1, 0, Key.of(2), EIGHT))).isEqualTo(new Message.Done());
            assertThat(code(raw.call(new Message.Put(1, 0, Key.of(3), EIGHT)))).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(code(raw.call(new Message.Commit(1, CommitId.NONE)))).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            raw.send(new Message.Begin(1, false, 60_000, 0)); // the number is free again
            assertThat(raw.call(new Message.Commit(1, CommitId.NONE))).isEqualTo(new Message.Committed(0));
        }
    }

    // Goal: no client has keys committed at a timestamp far in the future, after which no client could
    // write them.
    @Test
    void shouldRejectALeastCommitTimestampFarInTheFuture() throws IOException {
        fixture = new ClientFixture("sundial");
        try (RawClient raw = RawClient.greet(fixture.gateways.gateway(0).address())) {
            long latest = (1L << 44) - 1; // the protocol's last one
            long[] untold = {latest - 1, latest, Long.MAX_VALUE};
            for (int txn = 0; txn < untold.length; txn++) {
                raw.send(new Message.Begin(txn, false, 60_000, untold[txn]));
                Message.Failed failed = (Message.Failed) raw.call(new Message.Put(txn, 0, Key.of(1), EIGHT));
                assertThat(failed.code()).isEqualTo(ErrorCode.BAD_REQUEST.number());
                assertThat(failed.transactionOver()).isTrue();
                assertThat(failed.text()).contains("least commit timestamp", Long.toString(untold[txn]));
            }
            long told = put(raw, untold.length, 0);
            assertThat(put(raw, untold.length + 1, told)).isGreaterThan(told);
        }
    }

    /** Writes key 1 in a transaction, and returns its commit timestamp. */
    private static long put(RawClient raw, int txn, long minCommitTs) throws IOException {
        raw.send(new Message.Begin(txn, false, 60_000, minCommitTs));
        assertThat(raw.call(new Message.Put(txn, 0, Key.of(1), EIGHT))).isEqualTo(new Message.Done());
        return ((Message.Committed) raw.call(new Message.Commit(txn, CommitId.NONE))).commitTs();
    }

    // Method: transactions hold all coroutines, so no request of a further transaction is answered.
    @Test
    void shouldBoundRequestsWithoutAnAnswerAndATransactionsTime() throws IOException {
        Message.Limits limits = new Message.Limits(
                LIMITS.frameLength(), 100, 2, LIMITS.scanRecords(), LIMITS.transactionBytes(), 60_000, 500);
        String address = start(GatewayOptions.DEFAULT.withLimits(limits));
        try (RawClient raw = RawClient.greet(address)) {
            int coroutines = fixture.cluster.config().coroutines();
            for (int txn = 0; txn < coroutines; txn++) {
                raw.send(new Message.Begin(txn, false, 60_000, 0));
                raw.call(new Message.Get(txn, 0, false, Key.of(1)));
            }
            raw.send(new Message.Begin(coroutines, false, 60_000, 0));
            raw.send(new Message.Get(coroutines, 0, false, Key.of(1)));
            raw.send(new Message.Get(coroutines, 0, false, Key.of(2)));
            assertThat(code(raw.call(new Message.Get(coroutines, 0, false, Key.of(3)))))
                    .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            // All of them soon last longer than a transaction may, whatever time they had asked for.
            assertThat(eventually(raw, 0)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        }
    }

    /** Begins transactions that occupy all coroutines of the node, with the first numbers, and returns the next number. */
    private int occupyAllCoroutines(RawClient raw) throws IOException {
        int coroutines = fixture.cluster.config().coroutines();
        for (int txn = 0; txn < coroutines; txn++) {
            raw.send(new Message.Begin(txn, false, 60_000, 0));
            assertThat(raw.call(new Message.Get(txn, 0, false, Key.of(txn)))).isEqualTo(new Message.Value(null));
        }
        return coroutines;
    }

    // Goal: what a transaction may never write is not kept until a coroutine looks at it.
    @Test
    void shouldBoundTheBytesThatRequestsWithoutAnAnswerWrite() throws IOException {
        int bytes = 1_000;
        int put = 16;
        try (RawClient raw =
                RawClient.greet(start(GatewayOptions.DEFAULT.withLimits(limits(100, 100, bytes, 60_000))))) {
            int waiting = occupyAllCoroutines(raw);
            raw.send(new Message.Begin(waiting, false, 60_000, 0));
            for (int i = 0; i < bytes / put; i++) {
                raw.send(new Message.Put(waiting, 0, Key.of(100 + i), EIGHT));
            }
            Message.Failed failed = (Message.Failed) raw.call(new Message.Put(waiting, 0, Key.of(99), EIGHT));
            assertThat(code(failed)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(failed.text()).contains("writes at most 1000 bytes");
        }
    }

    // Goal: a client's requests that wait take a bounded room, and its transactions that run can end all the same.
    @Test
    void shouldBoundTheBytesOfAConnectionsRequestsThatWait() throws IOException {
        Message.Limits limits = new Message.Limits(
                2 * Wire.RECORD_BYTES_MAX, 100, 1_000_000, LIMITS.scanRecords(), 1_000, 60_000, 60_000);
        try (RawClient raw = RawClient.greet(start(GatewayOptions.DEFAULT.withLimits(limits)))) {
            int waiting = occupyAllCoroutines(raw);
            raw.send(new Message.Begin(waiting, false, 60_000, 0));
            int bytesOfOne = 128 + Long.BYTES; // about
            for (int i = 0; i <= 16 * limits.frameLength() / bytesOfOne; i++) {
                raw.send(new Message.Get(waiting, 0, false, Key.of(1)));
            }
            assertThat(code(raw.receive().message())).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(raw.call(new Message.Get(0, 0, false, Key.of(1)))).isEqualTo(new Message.Value(null));
            assertThat(raw.call(new Message.Commit(0, CommitId.NONE))).isInstanceOf(Message.Committed.class);
            raw.send(new Message.Begin(0, false, 60_000, 0));
            assertThat(raw.call(new Message.Get(0, 0, false, Key.of(1)))).isEqualTo(new Message.Value(null));
        }
    }

    // Goal: an answer that is longer than the client takes is an error of its request, and the connection serves the
    // others. Method: so many tables
    // with long names that their description does not fit.
    @Test
    void shouldAnswerWithAnErrorInPlaceOfAFrameThatIsTooLong() throws IOException {
        int frame = 2 * Wire.RECORD_BYTES_MAX;
        Message.Limits limits =
                new Message.Limits(frame, 100, 100, LIMITS.scanRecords(), LIMITS.transactionBytes(), 60_000, 60_000);
        List<TableSchema> tables = IntStream.range(0, 64) // as many as there can be
                .mapToObj(id -> TableSchema.ofLongKeys(id, id + "x".repeat(Wire.TEXT_BYTES_MAX), 8, 10))
                .toList();
        EmbeddedCluster cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName("nowait"), tables).withMemory(1 << 18, 1 << 18, 1 << 12));
        cluster.start();
        try (EmbeddedGateways gateways =
                        new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withLimits(limits), Procedures.NONE);
                RawClient raw = new RawClient(gateways.gateway(0).address())) {
            raw.hello();
            Message.Failed failed = (Message.Failed) raw.call(new Message.DescribeTables());
            assertThat(code(failed)).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(failed.text())
                    .matches(
                            "the answer takes a message of 13[0-9]{4} bytes, allowed: 131072 .client.frame-bytes.: .*");
            raw.send(new Message.Begin(1, false, 60_000, 0));
            assertThat(raw.call(new Message.Get(1, 0, false, Key.of(1)))).isEqualTo(new Message.Value(null));
        } finally {
            cluster.close();
        }
    }

    /** Waits until a transaction has ended, and returns the error. */
    private static ErrorCode eventually(RawClient raw, int txn) throws IOException {
        while (true) {
            if (raw.call(new Message.Get(txn, 0, false, Key.of(1))) instanceof Message.Failed failed) {
                return ErrorCode.of(failed.code());
            }
        }
    }

    @Test
    void shouldReportOverloadWhileAllCoroutinesAreTaken() throws IOException {
        String address = start(GatewayOptions.DEFAULT.withCapacity(10, 0, 10));
        try (RawClient raw = RawClient.greet(address)) {
            for (int txn = 0; txn < 10; txn++) { // as many as a node of the fixture has
                raw.send(new Message.Begin(txn, false, 60_000, 0));
                assertThat(raw.call(new Message.Get(txn, 0, false, Key.of(txn))))
                        .isEqualTo(new Message.Value(null));
            }
            raw.send(new Message.Begin(99, false, 60_000, 0));
            assertThat(code(raw.call(new Message.Get(99, 0, false, Key.of(99)))))
                    .isEqualTo(ErrorCode.OVERLOADED);
            raw.call(new Message.Abort(0));
            raw.send(new Message.Begin(100, false, 60_000, 0));
            await(() -> {
                try {
                    raw.send(new Message.Begin(101, false, 60_000, 0));
                    boolean served = raw.call(new Message.Get(101, 0, false, Key.of(1))) instanceof Message.Value;
                    raw.call(new Message.Abort(101));
                    return served;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    // Goal: a client that sends requests and reads no answer makes the gateway hold little. Method: request
    // much more than the socket's buffers take; the gateway must close the connection.
    @Test
    void shouldCloseTheConnectionOfAClientThatReadsNoAnswers() throws IOException {
        String address = start(GatewayOptions.DEFAULT
                .withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(200), Duration.ofSeconds(5))
                .withLimits(limits(10, 1_000_000, 100_000, 60_000)));
        fixture.client.execute(txn -> {
            for (long i = 0; i < 500; i++) {
                txn.put(NUMBERS, i, i);
            }
        });
        try (RawClient raw = RawClient.greet(address)) {
            raw.send(new Message.Begin(1, true, 60_000, 0));
            try {
                for (int i = 0; i < 1_000_000; i++) {
                    raw.send(new Message.Scan(
                            1, 0, false, false, Bound.with(Key.of(0)), Bound.with(Key.of(1_000)), 1_000));
                }
                throw new AssertionError("the gateway has answered everything, or holds it");
            } catch (IOException closed) {
                // as it should be
            }
        }
        fixture.client.execute(txn -> txn.put(NUMBERS, 1L, 0L)); // nothing is locked
    }

    // ---- requests that make no sense -------------------------------------------------------------------------------

    @Test
    void shouldEndATransactionWhoseWriteMakesNoSense() throws IOException {
        try (RawClient raw = RawClient.greet(start())) {
            Message[] wrong = {
                new Message.Put(1, 0, Key.of(1), Bytes.copyOf((byte) 1)),
                new Message.Put(1, 0, Key.of(new byte[] {1}), EIGHT),
                new Message.Put(1, 1, Key.of(1), EIGHT),
                new Message.Put(1, 1, Key.of(new byte[25]), EIGHT),
                new Message.Scan(1, 1, false, false, Bound.with(Key.of(1)), Bound.NONE, 1),
                new Message.Scan(1, 0, false, true, Bound.NONE, Bound.with(Key.of(new byte[1])), 1),
                new Message.Scan(1, 2, false, false, Bound.without(Key.of(1)), Bound.NONE, 1),
            };
            for (Message request : wrong) {
                raw.send(new Message.Begin(1, false, 60_000, 0));
                raw.send(new Message.Put(1, 0, Key.of(77), EIGHT));
                raw.send(request);
                assertThat(code(raw.call(new Message.Commit(1, CommitId.NONE)))).isEqualTo(ErrorCode.BAD_REQUEST);
            }
            raw.send(new Message.Begin(1, true, 60_000, 0));
            assertThat(code(raw.call(new Message.Put(1, 0, Key.of(1), EIGHT)))).isEqualTo(ErrorCode.BAD_REQUEST);
            raw.send(new Message.Begin(2, false, 60_000, 0));
            assertThat(code(raw.call(new Message.Get(2, 3, false, Key.of(1))))) // an index's nodes
                    .isEqualTo(ErrorCode.NO_SUCH_TABLE);
        }
        assertThat(fixture.client.<Long>read(txn -> txn.get(NUMBERS, 77L).orElse(0L)))
                .isZero();
    }

    @Test
    void shouldRefuseOptionsThatCannotBe() {
        start();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatewayOptions.DEFAULT.withAddress("localhost", 65_536))
                .withMessage("port must be 0 to 65535, got 65536");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatewayOptions.DEFAULT.withCapacity(0, 1, 1))
                .withMessage("connections must be 1 to 1000000, got 0");
    }

    // ---- outcomes --------------------------------------------------------------------------------------------------

    @Test
    void shouldReportTheOutcomeOfACommitOfItsOwnIncarnationOnly() throws IOException {
        CommitId id = new CommitId(1, 2);
        try (RawClient raw = new RawClient(start())) {
            long incarnation = raw.hello().incarnation();
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.send(new Message.Put(1, 0, Key.of(1), EIGHT));
            Message.Committed committed = (Message.Committed) raw.call(new Message.Commit(1, id));
            assertThat(raw.call(new Message.AskOutcome(id, incarnation, 0)))
                    .isEqualTo(new Message.OutcomeIs(Message.Status.COMMITTED, committed.commitTs()));
            assertThat(raw.call(new Message.AskOutcome(id, incarnation + 1, 0)))
                    .isEqualTo(new Message.OutcomeIs(Message.Status.UNKNOWN, 0));
        }
    }

    @Test
    void shouldApplyACommitThatIsSentTwiceOnce() throws IOException {
        CommitId id = new CommitId(1, 2);
        try (RawClient raw = RawClient.greet(start())) {
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.send(new Message.Insert(1, 0, Key.of(1), EIGHT));
            Message first = raw.call(new Message.Commit(1, id));
            raw.send(new Message.Begin(2, false, 60_000, 0));
            raw.send(new Message.Delete(2, 0, Key.of(1)));
            assertThat(raw.call(new Message.Commit(2, id))).isEqualTo(first);
        }
        assertThat(fixture.client.<Long>read(txn -> txn.require(NUMBERS, 1L))).isEqualTo(8);
    }

    @Test
    void shouldRefuseACommitThatWasAskedForBeforeItCame() throws IOException {
        CommitId id = new CommitId(1, 2);
        try (RawClient raw = new RawClient(start())) {
            long incarnation = raw.hello().incarnation();
            raw.send(new Message.Begin(1, false, 60_000, 0));
            raw.call(new Message.Put(1, 0, Key.of(1), EIGHT));
            assertThat(raw.call(new Message.AskOutcome(id, incarnation, 0)))
                    .isEqualTo(new Message.OutcomeIs(Message.Status.NOT_COMMITTED, 0));
            assertThat(code(raw.call(new Message.Commit(1, id)))).isEqualTo(ErrorCode.CONFLICT);
        }
        assertThat(fixture.client.<Boolean>read(txn -> txn.get(NUMBERS, 1L).isPresent()))
                .isFalse();
    }

    private static ErrorCode code(Message reply) {
        assertThat(reply).isInstanceOf(Message.Failed.class);
        return ErrorCode.of(((Message.Failed) reply).code());
    }

    private void await(BooleanSupplier condition) {
        assertThat(fixture.cluster.await(Duration.ofSeconds(20), condition)).isTrue();
    }
}
