package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static dev.rcc.server.gateway.ClientFixture.WORDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyRange;
import dev.rcc.client.KeyType;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.ResultLostException;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.procedure.Procedures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction of one operation, which travels with its commit. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SingleOperationTest {
    /** Enough for some keys of each node. */
    private static final int ROUNDS = 8;

    /** The deadline of each call passes, yet there is time for calls that nothing holds up. */
    private static final ClientOptions HASTY =
            ClientOptions.DEFAULT.withCall(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(2)));

    private static final List<String> WORDS_TO_SCAN = List.of("a", "be", "bee", "c", "d");

    private static final int NUMBERS_ID = 0;
    private static final byte[] SEVEN = {0, 0, 0, 0, 0, 0, 0, 7};

    private ClientFixture fixture;

    private RccClient start(String protocol) {
        fixture = new ClientFixture(protocol);
        return fixture.client;
    }

    @AfterEach
    void close() {
        fixture.closeAndInspect();
    }

    static List<String> protocols() {
        return Protocols.names();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldReadWriteAddAndRemove(String protocol) {
        RccClient client = start(protocol);
        assertThat(client.get(NAMES, "a")).isEmpty();
        client.put(NAMES, "a", 1L);
        assertThat(client.get(NAMES, "a")).hasValue(1L);
        assertThatExceptionOfType(RecordExistsException.class).isThrownBy(() -> client.insert(NAMES, "a", 2L));
        assertThat(client.get(NAMES, "a")).hasValue(1L);
        assertThat(client.delete(NAMES, "a")).isTrue();
        assertThat(client.delete(NAMES, "a")).isFalse();
        client.insert(NAMES, "a", 3L);
        assertThat(client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldWriteAPartOfARecordIfTheRestIsAsExpected(String protocol) {
        RccClient client = start(protocol);
        Patch patch = Patch.write(7, (byte) 5).ifThere(0, new byte[7]);
        assertThat(client.patch(NAMES, "a", patch)).isEqualTo(Patch.Result.NO_RECORD);
        assertThat(client.get(NAMES, "a")).isEmpty();
        client.put(NAMES, "a", 3L);
        assertThat(client.patch(NAMES, "a", patch)).isEqualTo(Patch.Result.WRITTEN);
        assertThat(client.get(NAMES, "a")).hasValue(5L);
        client.put(NAMES, "a", 0x1_0000_0000L);
        assertThat(client.patch(NAMES, "a", patch)).isEqualTo(Patch.Result.NOT_AS_EXPECTED);
        assertThat(client.get(NAMES, "a")).hasValue(0x1_0000_0000L);
    }

    // Goal: a patch sees the writes of its transaction, and later operations see the patch, in one request or
    // one after the other.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldPatchRecordsThatItsTransactionHasWritten(String protocol) {
        RccClient client = start(protocol);
        Patch patch = Patch.write(7, (byte) 5).andWrite(6, (byte) 1).ifThere(7, (byte) 3);
        client.execute(txn -> {
            txn.put(NAMES, "a", 3L);
            assertThat(txn.patch(NAMES, "a", patch)).isEqualTo(Patch.Result.WRITTEN);
            assertThat(txn.patch(NAMES, "a", patch)).isEqualTo(Patch.Result.NOT_AS_EXPECTED);
            assertThat(txn.get(NAMES, "a")).hasValue(0x105L);
        });
        client.execute(txn -> {
            assertThat(txn.get(NAMES, "a")).hasValue(0x105L);
            assertThat(txn.patch(NAMES, "a", Patch.write(7, (byte) 6))).isEqualTo(Patch.Result.WRITTEN);
            assertThat(txn.get(NAMES, "a")).hasValue(0x106L);
            assertThat(txn.delete(NAMES, "a")).isTrue();
            assertThat(txn.patch(NAMES, "a", Patch.write(7, (byte) 6))).isEqualTo(Patch.Result.NO_RECORD);
        });
        assertThat(client.get(NAMES, "a")).isEmpty();
    }

    // Goal: no count is lost when many threads count up by patches, each of which expects the value that it
    // has read.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldLoseNoUpdateOfConcurrentPatches(String protocol) throws InterruptedException {
        RccClient client = start(protocol);
        client.put(NAMES, "a", 0L);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.startVirtualThread(() -> IntStream.range(0, 10).forEach(n -> countUp(client))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(client.get(NAMES, "a")).hasValue(40L);
    }

    private static void countUp(RccClient client) {
        Patch.Result result;
        do {
            byte seen = client.get(NAMES, "a").orElseThrow().byteValue();
            result = client.patch(NAMES, "a", Patch.write(7, (byte) (seen + 1)).ifThere(7, seen));
        } while (result != Patch.Result.WRITTEN);
    }

    // Goal: at a gateway that does not understand patches, they do the same in more trips.
    @Test
    void shouldPatchAtAGatewayOfAnEarlierVersion() throws IOException {
        RccClient direct = start("nowait");
        AtomicInteger patches = new AtomicInteger();
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
            proxy.count(CutProxy.PATCH, patches);
            proxy.speakAtMost(Wire.PATCH_VERSION);
            try (RccClient client = RccClient.connect(proxy.address())) {
                client.patch(NUMBERS, fixture.keyAt(0, 0), Patch.write(0, (byte) 1));
            }
            assertThat(patches.getAndSet(0))
                    .as("patches by way of the proxy, of a version that has them")
                    .isOne();
            proxy.speakAtMost(Wire.PATCH_VERSION - 1);
            try (RccClient client = RccClient.connect(proxy.address())) {
                for (long key = 0; key < ROUNDS; key++) {
                    Patch patch = Patch.write(7, (byte) 5).ifThere(0, new byte[7]);
                    assertThat(client.patch(NUMBERS, key, patch)).isEqualTo(Patch.Result.NO_RECORD);
                    client.put(NUMBERS, key, 3L);
                    assertThat(client.patch(NUMBERS, key, patch)).isEqualTo(Patch.Result.WRITTEN);
                    assertThat(client.patch(NUMBERS, key, patch.ifThere(7, (byte) 3)))
                            .isEqualTo(Patch.Result.NOT_AS_EXPECTED);
                    assertThat(direct.get(NUMBERS, key)).hasValue(5L);
                }
            }
        }
        assertThat(patches).as("patches by way of the proxy").hasValue(0);
    }

    @Test
    void shouldRefuseAPatchThatEndsBehindTheRecord() {
        RccClient client = start("nowait");
        client.put(NAMES, "a", 3L);
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> client.patch(NAMES, "a", Patch.write(7, (byte) 1, (byte) 2)))
                .withMessageContaining("records of 8 bytes, the patch ends at 9");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> client.<Object>read(txn -> txn.patch(NAMES, "a", Patch.write(0, (byte) 1))))
                .withMessageContaining("only reads");
        assertThat(client.get(NAMES, "a")).hasValue(3L);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldScan(String protocol) {
        RccClient client = start(protocol);
        assertThat(client.scan(WORDS, KeyRange.from("a"), 10)).isEmpty();
        WORDS_TO_SCAN.forEach(word -> client.put(WORDS, word, (long) word.length()));
        assertThat(client.scan(WORDS, KeyRange.from("b"), 2))
                .containsExactly(new Entry<>("be", 2L), new Entry<>("bee", 3L));
        assertThat(client.scan(WORDS, KeyRange.between("a", "bee"), 10))
                .extracting(Entry::key)
                .containsExactly("a", "be", "bee");
        assertThat(client.scan(WORDS, KeyRange.between("a", "bee").descending(), 2))
                .containsExactly(new Entry<>("bee", 3L), new Entry<>("be", 2L));
    }

    @Test
    void shouldRejectDescendingScansAtAGatewayOfAnEarlierVersion() throws IOException {
        start("nowait").put(WORDS, "a", 3L);
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
            proxy.speakAtMost(Wire.DESCENDING_VERSION - 1);
            CallOptions there = CallOptions.DEFAULT.near(NUMBERS, fixture.keyAt(0, 0));
            try (RccClient client = RccClient.connect(proxy.address())) {
                assertThat(client.<List<Entry<String, Long>>>read(there, txn -> txn.scan(WORDS, KeyRange.from("a"), 1)))
                        .hasSize(1);
                assertThatExceptionOfType(RccException.class)
                        .isThrownBy(() -> client.<Object>read(
                                there, txn -> txn.scan(WORDS, KeyRange.from("a").descending(), 1)))
                        .withMessageContaining("the gateway speaks version 7, and scans in descending order take 8");
            }
        }
    }

    // Goal: records that do not fit the answer to the commit are read at one moment all the same.
    @Test
    void shouldScanMoreThanAnAnswerHas() {
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        GatewayOptions twoAtOnce = GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                limits.frameLength(),
                limits.transactions(),
                limits.pipelined(),
                2,
                limits.transactionBytes(),
                limits.idleMillis(),
                limits.lifetimeMillis()));
        fixture = new ClientFixture("sundial", twoAtOnce, ClientOptions.DEFAULT);
        WORDS_TO_SCAN.forEach(word -> fixture.client.put(WORDS, word, 0L));
        for (int limit = 1; limit <= WORDS_TO_SCAN.size() + 1; limit++) {
            assertThat(fixture.client.scan(WORDS, KeyRange.from("a"), limit))
                    .extracting(Entry::key)
                    .containsExactlyElementsOf(WORDS_TO_SCAN.subList(0, Math.min(limit, WORDS_TO_SCAN.size())));
            assertThat(fixture.client.scan(WORDS, KeyRange.from("a").descending(), limit))
                    .extracting(Entry::key)
                    .containsExactlyElementsOf(
                            WORDS_TO_SCAN.reversed().subList(0, Math.min(limit, WORDS_TO_SCAN.size())));
        }
    }

    // Goal: a patch that is longer than a message may be is an error of its caller alone. Method: a transaction goes on
    // after such patches, over
    // the same connection, and sends no more requests at once than it may.
    @Test
    void shouldRefuseAPatchThatIsLongerThanAFrameAndGoOn() {
        Table<Long, Long> notes = new Table<>("notes", KeyType.LONG, Codec.ofLong());
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        int frame = 2 * Wire.RECORD_BYTES_MAX;
        fixture = new ClientFixture(
                "nowait",
                List.of(TableSchema.ofLongKeys(0, "notes", 1_000, 100), TableSchema.ofByteKeys(1, "names", 24, 8, 100)),
                GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                        frame,
                        limits.transactions(),
                        2,
                        limits.scanRecords(),
                        limits.transactionBytes(),
                        limits.idleMillis(),
                        limits.lifetimeMillis())),
                ClientOptions.DEFAULT,
                Procedures.NONE);
        Patch patch = Patch.write(0, new byte[1_000]);
        for (int parts = 1; parts < frame / 1_000; parts++) {
            patch = patch.andWrite(0, new byte[1_000]);
        }
        Patch tooLong = patch;
        fixture.client.execute(txn -> {
            txn.put(NAMES, "a", 1L);
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(BadRequestException.class)
                        .isThrownBy(() -> txn.patch(notes, 1L, tooLong))
                        .withMessageContaining("the patch of a record of table notes takes a message of 131")
                        .withMessageContaining("bytes, allowed: " + frame + " (client.frame-bytes)");
            }
            txn.put(NAMES, "b", 2L);
        });
        assertThat(fixture.client.get(NAMES, "a")).contains(1L);
        assertThat(fixture.client.get(NAMES, "b")).contains(2L);
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> fixture.client.patch(notes, 1L, tooLong))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
        assertThat(fixture.client.patch(notes, 1L, Patch.write(0, (byte) 1))).isEqualTo(Patch.Result.NO_RECORD);
    }

    @Test
    void shouldRejectAScanOfATableThatIsNotOrdered() {
        RccClient client = start("nowait");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> client.scan(NAMES, KeyRange.from("a"), 1))
                .withMessageContaining("is not ordered");
    }

    @Test
    void shouldBeOneRequest() throws IOException {
        start("nowait");
        Queue<Integer> requests = new ConcurrentLinkedQueue<>();
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            proxy.note(requests);
            carryOutAll(client, fixture.keyAt(0, 0));
        }
        assertThat(requests)
                .as("requests by way of the proxy, behind which is the key's node")
                .hasSizeGreaterThanOrEqualTo(6)
                .containsOnly(CutProxy.AUTOCOMMIT);
    }

    // Goal: a gateway of an earlier version gets the requests of a transaction, which travel together.
    @Test
    void shouldTakeOneRoundTripToAGatewayOfAnEarlierVersion() throws IOException {
        RccClient direct = start("nowait");
        AtomicInteger commits = new AtomicInteger();
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
            proxy.speakAtMost(Wire.AUTOCOMMIT_VERSION - 1);
            try (RccClient client = RccClient.connect(proxy.address())) {
                proxy.holdAnswersUntilCommits(commits);
                for (long key = 0; key < ROUNDS; key++) {
                    carryOutAll(client, key);
                }
            }
        }
        assertThat(commits).as("operations by way of the proxy").hasPositiveValue();
        assertThat(direct.get(NUMBERS, 0L)).isEmpty();
    }

    private static void carryOutAll(RccClient client, long key) {
        client.insert(NUMBERS, key, 1L);
        client.put(NUMBERS, key, 2L);
        assertThat(client.patch(NUMBERS, key, Patch.write(7, (byte) 3))).isEqualTo(Patch.Result.WRITTEN);
        client.put(NUMBERS, key, 2L);
        assertThat(client.get(NUMBERS, key)).hasValue(2L);
        assertThat(client.scan(NUMBERS, KeyRange.from(key), 1)).containsExactly(new Entry<>(key, 2L));
        assertThat(client.delete(NUMBERS, key)).isTrue();
    }

    // Goal: the same request is carried out once, whatever comes between the first time and the second.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldNotBeCarriedOutAgainIfItComesAgain(String protocol) throws IOException {
        start(protocol);
        CommitId id = CommitId.of(CommitId.session(77, CommitId.ANYWHERE), 0, 1);
        try (RawClient raw = new RawClient(fixture.gateways.gateway(0).address())) {
            raw.hello();
            Message.Autocommit insert = autocommit(id, new Message.Insert(0, NUMBERS_ID, Key.of(5), Bytes.wrap(SEVEN)));
            Message answer = raw.call(insert);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Message.Autocommitted.class,
                            done -> assertThat(done.answer()).isEqualTo(new Message.Done()));
            assertThat(code(raw.call(insert))).isEqualTo(ErrorCode.RESULT_LOST);
            assertThat(fixture.client.delete(NUMBERS, 5L)).isTrue();
            assertThat(code(raw.call(insert))).isEqualTo(ErrorCode.RESULT_LOST);
        }
        assertThat(fixture.client.get(NUMBERS, 5L)).isEmpty();
    }

    // Goal: a refusal of the operation alone is an answer of a transaction that has committed; other refusals end it.
    @Test
    void shouldTellTheRefusalOfAnOperationFromThatOfItsTransaction() throws IOException {
        start("nowait").put(NUMBERS, 5L, 7L);
        CommitId id = CommitId.of(CommitId.session(77, CommitId.ANYWHERE), 0, 1);
        try (RawClient raw = new RawClient(fixture.gateways.gateway(0).address())) {
            raw.hello();
            assertThat(raw.call(autocommit(id, new Message.Insert(0, NUMBERS_ID, Key.of(5), Bytes.wrap(SEVEN)))))
                    .isInstanceOfSatisfying(
                            Message.Autocommitted.class,
                            done -> assertThat(code(done.answer())).isEqualTo(ErrorCode.ALREADY_EXISTS));
            assertThat(code(raw.call(autocommit(
                            CommitId.NONE, new Message.Put(0, NUMBERS_ID, Key.of(5), Bytes.wrap(new byte[3]))))))
                    .isEqualTo(ErrorCode.BAD_REQUEST);
            assertThat(code(raw.call(autocommit(CommitId.NONE, new Message.Get(0, 999, false, Key.of(5))))))
                    .isEqualTo(ErrorCode.NO_SUCH_TABLE);
            assertThat(code(raw.call(new Message.Autocommit(
                            true, 1_000, 0, CommitId.NONE, new Message.Delete(0, NUMBERS_ID, Key.of(5))))))
                    .isEqualTo(ErrorCode.BAD_REQUEST);
        }
        assertThat(fixture.client.get(NUMBERS, 5L)).hasValue(7L);
    }

    private static Message.Autocommit autocommit(CommitId id, Message.Operation operation) {
        return new Message.Autocommit(false, 5_000, 0, id, operation);
    }

    private static ErrorCode code(Message answer) {
        assertThat(answer).isInstanceOf(Message.Failed.class);
        return ErrorCode.of(((Message.Failed) answer).code());
    }

    @Test
    void shouldRejectAnUnknownTableAndKeepTheConnection() {
        RccClient client = start("nowait");
        Table<Long, Long> none = new Table<>("none", KeyType.LONG, Codec.ofLong());
        assertThatExceptionOfType(RccException.class)
                .isThrownBy(() -> client.get(none, 1L))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_TABLE));
        assertThat(client.get(NUMBERS, 1L)).as("the connection goes on").isEmpty();
    }

    @Test
    void shouldTryAgainUntilItsTimeIsOver() {
        start("nowait");
        try (RccClient client = RccClient.connect(fixture.gateways.addresses(), HASTY)) {
            client.put(NAMES, "a", 0L);
            try (OpenTransaction holder = fixture.client.begin()) {
                holder.getForUpdate(NAMES, "a");
                assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(() -> client.put(NAMES, "a", 1L));
                holder.commit();
            }
            client.put(NAMES, "a", 2L);
            assertThat(client.get(NAMES, "a")).hasValue(2L);
        }
    }

    // Goal: a commit whose answer is lost has its outcome found out; only whether an added record was there
    // before is unknown then.
    @ParameterizedTest
    @ValueSource(ints = {Wire.AUTOCOMMIT_VERSION - 1, Wire.VERSION})
    void shouldFindOutItsOutcomeWhenTheConnectionIsLost(int version) throws IOException {
        start("nowait");
        List<Integer> frames = version < Wire.AUTOCOMMIT_VERSION
                ? List.of(CutProxy.COMMITTED, CutProxy.DONE)
                : List.of(CutProxy.AUTOCOMMIT, CutProxy.AUTOCOMMITTED);
        int lost = 0;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            long key = fixture.keyAt(0, round);
            try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
                proxy.speakAtMost(version);
                try (RccClient client = RccClient.connect(proxy.address())) {
                    proxy.cutOnceAt(frames.get(round % 2));
                    client.insert(NUMBERS, key, 6L); // by way of the proxy, behind which is the key's node
                } catch (ResultLostException e) {
                    lost++;
                    assertThat(e).hasMessageContaining("the transaction has committed");
                }
                assertThat(fixture.client.get(NUMBERS, key)).hasValue(6L);
            }
        }
        assertThat(lost).as("answers lost").isBetween(1, 2 * ROUNDS);
    }

    // Goal: "in time" has passed, and the commit has taken effect: it does not count as one without effect.
    @ParameterizedTest
    @ValueSource(ints = {Wire.AUTOCOMMIT_VERSION - 1, Wire.VERSION})
    void shouldReportThatItHasCommittedWhenOnlyTheAnswersTimeOut(int version) throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
            proxy.speakAtMost(version);
            try (RccClient client = RccClient.connect(proxy.address(), HASTY)) {
                proxy.silenceAnswersFrom(
                        version < Wire.AUTOCOMMIT_VERSION ? CutProxy.DONE : CutProxy.AUTOCOMMITTED, () -> {});
                long key = fixture.keyAt(0, 0);
                assertThatExceptionOfType(ResultLostException.class).isThrownBy(() -> client.insert(NUMBERS, key, 6L));
                assertThat(fixture.client.get(NUMBERS, key)).hasValue(6L);
            }
        }
    }
}
