package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.CommitOutcome;
import dev.rcc.client.ConflictException;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.FaultInjection;
import dev.rcc.client.KeyType;
import dev.rcc.client.MaxBytes;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RecordNotFoundException;
import dev.rcc.client.Table;
import dev.rcc.client.TransactionOutcomeUnknownException;
import dev.rcc.client.UnavailableException;
import dev.rcc.client.wire.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client library beyond the wire: retries, deadlines, other gateways, lost answers, injected faults. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientTest {
    /** The deadline of each call passes, yet there is time for calls that nothing holds up. */
    private static final CallOptions SHORT = CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(2));

    private ClientFixture fixture;

    private void start(String protocol, ClientOptions options) {
        fixture = new ClientFixture(protocol, GatewayOptions.DEFAULT, options);
    }

    private void start(String protocol) {
        start(protocol, ClientOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.closeAndInspect();
        }
    }

    // ---- retries and deadlines -------------------------------------------------------------------------------------

    @Test
    void shouldTryAgainAfterAConflictUntilItMayNot() {
        start("occ");
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        AtomicInteger attempts = new AtomicInteger();
        CallOptions thrice = CallOptions.DEFAULT.withMaxAttempts(3);
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> fixture.client.transact(thrice, txn -> {
                    attempts.incrementAndGet();
                    long a = txn.require(NAMES, "a");
                    fixture.client.execute(other -> other.put(NAMES, "a", a + 1)); // behind its back
                    txn.put(NAMES, "b", a);
                    return a;
                }))
                .withMessageContaining("gave up after 3 attempts")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
        assertThat(attempts).hasValue(3);
        assertThat(fixture.client.<Optional<Long>>read(txn -> txn.get(NAMES, "b")))
                .isEmpty();
    }

    @Test
    void shouldCommitOnceTheConflictIsOver() {
        start("occ");
        AtomicInteger attempts = new AtomicInteger();
        long result = fixture.client.transact(txn -> {
            long a = txn.get(NAMES, "a").orElse(0L);
            if (attempts.incrementAndGet() < 3) {
                fixture.client.execute(other -> other.put(NAMES, "a", a + 1));
            }
            txn.put(NAMES, "b", a);
            return a;
        });
        assertThat(result).isEqualTo(2);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void shouldEndWhenTheTimeIsOver() {
        start("nowait");
        fixture.client.execute(txn -> txn.put(NAMES, "a", 0L));
        try (OpenTransaction holder = fixture.client.begin()) {
            holder.getForUpdate(NAMES, "a");
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> fixture.client.transact(SHORT, txn -> txn.getForUpdate(NAMES, "a")));
            holder.put(NAMES, "a", 1L);
            holder.commit();
        }
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
    }

    // Goal: the gateway reports a commit that cannot take place in time, so the outcome is not left unknown.
    @Test
    void shouldThrowDeadlineExceededForACommitThatTakesTooLong() {
        start("nowait");
        try (OpenTransaction reader = fixture.client.begin()) {
            reader.get(NAMES, "a");
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> fixture.client.transact(SHORT, txn -> {
                        txn.put(NAMES, "a", 1L);
                        return null;
                    }));
        }
        assertThat(fixture.client.<Optional<Long>>read(txn -> txn.get(NAMES, "a")))
                .isEmpty();
    }

    // A commit that is sent when its client no longer waits for the answer has an unknown outcome.
    @Test
    void shouldNotSendACommitWhenTheTimeIsOver() {
        start("sundial");
        OpenTransaction late = fixture.client.begin(Duration.ofNanos(1));
        late.put(NAMES, "a", 1L);
        assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(late::commit);
        assertThat(fixture.client.<Optional<Long>>read(txn -> txn.get(NAMES, "a")))
                .isEmpty();
    }

    // ---- other gateways --------------------------------------------------------------------------------------------

    @Test
    void shouldFindTheClusterFromOneGatewayAndDoWithoutIt() {
        fixture = new ClientFixture("sundial");
        String first = fixture.gateways.gateway(0).address();
        try (RccClient client = RccClient.connect(first)) {
            client.execute(txn -> txn.put(NAMES, "a", 1L));
            fixture.gateways.gateway(0).close();
            for (int i = 0; i < 8; i++) { // reads first, so that no commit is sent to the gateway that has closed
                client.execute(txn -> txn.put(NAMES, "a", txn.require(NAMES, "a") + 1));
            }
            assertThat(client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(9);
        }
    }

    // Goal: a client that is given gateways of two clusters does not write to one cluster and read from the
    // other.
    @Test
    void shouldUseOneClusterOnly() {
        start("nowait");
        try (ClientFixture other = new ClientFixture(
                        "nowait", GatewayOptions.DEFAULT.withCluster("other"), ClientOptions.DEFAULT);
                RccClient both = RccClient.connect(fixture.gateways.gateway(0).address() + ","
                        + other.gateways.gateway(0).address())) {
            for (int i = 0; i < 8; i++) {
                both.execute(txn -> txn.put(NAMES, "a", txn.get(NAMES, "a").orElse(0L) + 1));
            }
            assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a")))
                    .isEqualTo(8);
            assertThat(both.gateways())
                    .filteredOn(gateway -> !gateway.isReachable())
                    .singleElement()
                    .satisfies(gateway -> assertThat(gateway.problem())
                            .contains("of cluster 'other', the client's is 'rcc'", "name gateways of one cluster"));
        }
    }

    @Test
    void shouldReportAnAddressThatItCannotConnectTo() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> RccClient.connect("127.0.0.1:" + port))
                .withMessageContaining("cannot connect to 127.0.0.1:" + port);
    }

    // A gateway that hangs takes connections and answers nothing.
    @Test
    void shouldCloseAConnectionThatIsNotWelcomedInTime() throws IOException {
        start("nowait");
        try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RccClient client = RccClient.connect(
                        fixture.gateways.gateway(0).address() + ",127.0.0.1:" + hung.getLocalPort(),
                        ClientOptions.DEFAULT.withConnections(1, Duration.ofMillis(500)))) {
            for (int i = 0; i < 4; i++) {
                client.begin().abort();
            }
            try (Socket connection = hung.accept()) {
                connection.getInputStream().readAllBytes(); // its end has come
            }
        }
    }

    // ---- lost answers ----------------------------------------------------------------------------------------------

    @Test
    void shouldFindOutTheOutcomeOfACommitWhoseAnswerWasLost() throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            OpenTransaction txn = throughProxy(client, proxy);
            proxy.cutOnceAt(CutProxy.COMMITTED);
            txn.put(NAMES, "a", 1L);
            txn.commit(); // and nothing is thrown
        }
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
    }

    // Goal: the reason for which a gateway closes a connection is no answer to the commit under way on it.
    @Test
    void shouldFindOutTheOutcomeOfACommitWhoseConnectionWasClosedWithAnError() throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            OpenTransaction txn = throughProxy(client, proxy);
            proxy.closeWith(Failure.refusal(ErrorCode.UNAUTHENTICATED, "goodbye"));
            proxy.cutOnceAt(CutProxy.COMMITTED);
            txn.put(NAMES, "a", 1L);
            txn.commit(); // and nothing is thrown
        }
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
    }

    @Test
    void shouldFindOutThatACommitNeverArrived() throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            OpenTransaction txn = throughProxy(client, proxy);
            txn.put(NAMES, "a", 1L);
            txn.get(NAMES, "b");
            proxy.cutOnceAt(CutProxy.COMMIT);
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(txn::commit)
                    .withMessageContaining("the commit has not taken effect");
        }
        assertThat(fixture.client.<Optional<Long>>read(txn -> txn.get(NAMES, "a")))
                .isEmpty();
    }

    // Goal: a commit takes effect at most once, whatever message is lost. Method: increments whose commits or
    // whose answers are lost now and then.
    @Test
    void shouldApplyEachTransactionOnceWhenCommitsOrAnswersAreLost() throws IOException {
        start("sundial");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            for (int i = 0; i < 12; i++) {
                proxy.cutOnceAt(i % 2 == 0 ? CutProxy.COMMITTED : CutProxy.COMMIT);
                client.execute(txn -> txn.put(NAMES, "n", txn.get(NAMES, "n").orElse(0L) + 1));
            }
        }
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "n"))).isEqualTo(12);
    }

    // Goal: a service that is stopped under load does not take a commit that may have taken effect for one that was
    // never sent.
    @Test
    void shouldNotTakeACommitUnderWayForUnsentWhenTheClientIsClosed() throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address())) {
            RccClient client = RccClient.connect(proxy.address());
            OpenTransaction txn = throughProxy(client, proxy);
            txn.put(NAMES, "a", 1L);
            CountDownLatch arrived = new CountDownLatch(1);
            proxy.silenceAnswersFrom(CutProxy.COMMITTED, arrived::countDown);
            CompletableFuture<Void> commit = CompletableFuture.runAsync(txn::commit);
            assertThatCode(arrived::await).doesNotThrowAnyException();
            client.close();
            // The client may still learn the outcome from another gateway, whose connection is closed after the
            // proxy's.
            Throwable failure = commit.handle((_, thrown) -> thrown).join();
            if (failure != null) {
                assertThat(failure.getCause())
                        .isInstanceOfSatisfying(
                                TransactionOutcomeUnknownException.class,
                                e -> assertThat(fixture.client.outcomeOf(e.ticket()))
                                        .isEqualTo(CommitOutcome.COMMITTED));
            }
            assertThat(fixture.client.<Optional<Long>>read(read -> read.get(NAMES, "a")))
                    .contains(1L);
        }
    }

    // Goal: only reads that were true at one moment let a transaction end with its program's own exception.
    @Test
    void shouldTryAgainIfItIsNotKnownWhetherTheReadsBehindAnExceptionWereTrue() throws IOException {
        start("sundial");
        AtomicInteger refusals = new AtomicInteger();
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            proxy.cutOnceAt(CutProxy.ABORT);
            while (refusals.get() == 0) {
                client.<Optional<Long>>transact(txn -> {
                    Optional<Long> funds = txn.get(NAMES, "a");
                    if (txn.toString().contains(proxy.address()) && refusals.incrementAndGet() == 1) {
                        throw new IllegalStateException("no funds");
                    }
                    return funds;
                });
            }
        }
    }

    // ---- reads whose answers come later ----------------------------------------------------------------------------

    @Test
    void shouldTryAgainWhenTheConnectionOfAFutureIsLost() throws IOException {
        start("nowait");
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        AtomicInteger attempts = new AtomicInteger();
        int transactions = 20;
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            proxy.cutOnceAt(CutProxy.VALUE);
            for (int i = 0; i < transactions; i++) {
                assertThat(client.<Optional<Long>>read(txn -> {
                            attempts.incrementAndGet();
                            return txn.getAsync(NAMES, "a").join();
                        }))
                        .hasValue(1L);
            }
        }
        assertThat(attempts).hasValue(transactions + 1);
    }

    @Test
    void shouldLetAFutureFailOnAThreadOfItsOwnWhenTheTimeIsOver() throws IOException {
        start("nowait");
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            OpenTransaction txn = throughProxy(client, proxy, Duration.ofSeconds(1));
            proxy.silenceAnswersFrom(CutProxy.VALUE, () -> {});
            CompletableFuture<Boolean> mayWait = txn.getAsync(NAMES, "a").handle((record, failure) -> {
                assertThat(failure).hasCauseInstanceOf(DeadlineExceededException.class);
                return Thread.currentThread().isVirtual();
            });
            assertThat(mayWait.join()).isTrue();
        }
    }

    @Test
    void shouldThrowOutcomeUnknownWhenNoGatewayCanReportTheOutcome() throws IOException {
        start("nowait", ClientOptions.DEFAULT);
        CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
        try (RccClient client = RccClient.connect(proxy.address(), ClientOptions.DEFAULT.withCall(SHORT))) {
            OpenTransaction txn = throughProxy(client, proxy);
            txn.put(NAMES, "a", 1L);
            txn.get(NAMES, "b");
            proxy.close(); // and nothing comes back
            fixture.gateways.gateway(0).cut();
            assertThatExceptionOfType(TransactionOutcomeUnknownException.class)
                    .isThrownBy(txn::commit)
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                        assertThat(e.ticket().gateway()).isEqualTo(proxy.address());
                        assertThat(client.outcomeOf(e.ticket())).isEqualTo(CommitOutcome.UNKNOWN);
                    });
        }
    }

    /** Begins a transaction that goes through the proxy, as the client also uses the gateways behind the proxy. */
    private static OpenTransaction throughProxy(RccClient client, CutProxy proxy) {
        return throughProxy(client, proxy, CallOptions.DEFAULT.deadline());
    }

    private static OpenTransaction throughProxy(RccClient client, CutProxy proxy, Duration deadline) {
        for (int i = 0; i < 20; i++) {
            OpenTransaction txn = client.begin(deadline);
            if (txn.toString().contains(proxy.address())) {
                return txn;
            }
            txn.abort();
        }
        throw new AssertionError("no transaction went through the proxy");
    }

    // ---- injected faults -------------------------------------------------------------------------------------------

    @Test
    void shouldInjectTheFaultsThatItIsAskedFor() {
        start(
                "nowait",
                ClientOptions.DEFAULT.inject(FaultInjection.NONE
                        .conflicts(0.3)
                        .unknownOutcomes(0.3)
                        .delays(0.1, Duration.ofNanos(1))
                        .withSeed(5)));
        int committed = 0;
        int unknown = 0;
        for (long i = 0; i < 60; i++) {
            long key = i;
            try {
                fixture.client.execute(txn -> txn.put(NUMBERS, key, key));
                committed++;
            } catch (TransactionOutcomeUnknownException e) {
                unknown++;
            }
        }
        int found = 0;
        for (long i = 0; i < 60; i++) {
            long key = i;
            found += fixture.client.<Integer>read(txn -> txn.get(NUMBERS, key).isPresent() ? 1 : 0);
        }
        assertThat(unknown).isBetween(10, 50);
        assertThat(found).isGreaterThan(committed).isLessThan(60);
    }

    // ---- the API ---------------------------------------------------------------------------------------------------

    /** A record of the program's own. */
    public record Account(@MaxBytes(4) String owner, short cents) {}

    @Test
    void shouldKeepJavaRecords() {
        start("nowait");
        Table<Integer, Account> accounts = Table.of("numbers", KeyType.INTEGER, Account.class);
        Account ada = new Account("Ada", (short) -7);
        fixture.client.execute(txn -> txn.put(accounts, 12, ada));
        assertThat(fixture.client.<List<Entry<Integer, Account>>>read(txn -> txn.scan(accounts, 0, 100, 10)))
                .containsExactly(new Entry<>(12, ada));
    }

    @Test
    void shouldReportUnknownTablesAndMismatchedKeyTypesOrRecordSizes() {
        start("nowait");
        assertWrong(new Table<>("nothing", KeyType.LONG, Codec.ofLong()), 1L, "has no table 'nothing'");
        assertWrong(
                new Table<>("names", KeyType.LONG, Codec.ofLong()), 1L, "byte-string keys, but the key type is long");
        assertWrong(new Table<>("names", KeyType.STRING, Codec.ofBytes(9)), "a", "records of 8 bytes");
    }

    private <K> void assertWrong(Table<K, ?> table, K key, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> fixture.client.read(txn -> txn.get(table, key)))
                .withMessageContaining(message);
    }

    @Test
    void shouldReadManyRecordsInOneTrip() {
        start("nowait");
        fixture.client.execute(txn -> LongStream.range(0, 50).forEach(i -> txn.put(NUMBERS, i, 2 * i)));
        long sum = fixture.client.read(txn -> {
            List<CompletableFuture<Optional<Long>>> answers = LongStream.range(0, 50)
                    .mapToObj(i -> txn.getAsync(NUMBERS, i))
                    .toList();
            return answers.stream()
                    .mapToLong(answer -> answer.join().orElseThrow())
                    .sum();
        });
        assertThat(sum).isEqualTo(2 * 50 * 49 / 2);
    }

    @Test
    void shouldReadMoreRecordsTogetherThanMayBeWithoutAnAnswer() {
        fixture = new ClientFixture("nowait", limited(7, 10_000), ClientOptions.DEFAULT);
        fixture.client.execute(txn -> LongStream.range(0, 30).forEach(i -> txn.insert(NUMBERS, i, 2 * i)));
        List<Long> keys = LongStream.range(0, 31).boxed().toList();
        List<Optional<Long>> expected = LongStream.range(0, 31)
                .mapToObj(i -> i < 30 ? Optional.of(2 * i) : Optional.<Long>empty())
                .toList();
        assertThat(fixture.client.<List<Optional<Long>>>read(txn -> txn.getAll(NUMBERS, keys)))
                .isEqualTo(expected);
        assertThat(fixture.client.<List<Optional<Long>>>transact(txn -> txn.getAllForUpdate(NUMBERS, keys)))
                .isEqualTo(expected);
        assertThat(fixture.client.<List<Optional<Long>>>read(txn -> txn.getAll(NUMBERS, List.of())))
                .isEmpty();
    }

    @Test
    void shouldWriteMoreRecordsThanMayBeWithoutAnAnswer() {
        fixture = new ClientFixture("nowait", limited(7, 10_000), ClientOptions.DEFAULT);
        fixture.client.execute(txn -> LongStream.range(0, 30).forEach(i -> txn.put(NUMBERS, i, 2 * i)));
        List<Optional<Long>> found = fixture.client.read(txn -> {
            List<CompletableFuture<Optional<Long>>> answers = LongStream.range(0, 30)
                    .mapToObj(i -> txn.getAsync(NUMBERS, i))
                    .toList();
            return answers.stream().map(CompletableFuture::join).toList();
        });
        assertThat(found)
                .containsExactlyElementsOf(LongStream.range(0, 30)
                        .mapToObj(i -> Optional.of(2 * i))
                        .toList());
    }

    private static GatewayOptions limited(int pipelined, int scanRecords) {
        return GatewayOptions.DEFAULT.withLimits(
                new Message.Limits(1 << 20, 10, pipelined, scanRecords, 1 << 20, 10_000, 60_000));
    }

    @Test
    void shouldScanMoreThanFitsAnAnswer() {
        fixture = new ClientFixture("nowait", limited(100, 7), ClientOptions.DEFAULT);
        fixture.client.execute(txn -> LongStream.range(0, 50).forEach(i -> txn.put(NUMBERS, i, i)));
        List<Entry<Long, Long>> found = fixture.client.read(txn -> txn.scan(NUMBERS, 5L, Long.MAX_VALUE, 30));
        assertThat(found)
                .extracting(Entry::key)
                .containsExactlyElementsOf(LongStream.range(5, 35).boxed().toList());
    }

    @Test
    void shouldWaitWhenItsConnectionsHaveAsManyOpenTransactionsAsTheGatewaysAllow() {
        Message.Limits few = new Message.Limits(1 << 20, 2, 100, 100, 1 << 20, 10_000, 60_000);
        CallOptions patient =
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(30)).withMaxAttempts(100_000);
        fixture = new ClientFixture(
                "nowait",
                GatewayOptions.DEFAULT.withLimits(few),
                ClientOptions.DEFAULT.withConnections(1, Duration.ofSeconds(2)).withCall(patient));
        List<OpenTransaction> open =
                Stream.generate(fixture.client::begin).limit(6).toList(); // two at each of three gateways
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> {
                    try (OpenTransaction more = fixture.client.begin()) {
                        more.get(NAMES, "a");
                    }
                })
                .withMessageContaining("2 open transactions")
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
        CompletableFuture<Optional<Long>> later = fixture.client.transactAsync(txn -> txn.get(NAMES, "a"));
        open.get(0).commit();
        open.subList(1, 6).forEach(OpenTransaction::abort);
        assertThat(later.join()).isEmpty();
        for (int i = 0; i < 20; i++) { // each gives its room back
            fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(fixture.client.get(NAMES, "a")).hasValue(1L);
            assertThatIllegalStateException()
                    .isThrownBy(() -> fixture.client.execute(txn -> {
                        throw new IllegalStateException("no funds");
                    }));
        }
    }

    @Test
    void shouldRunTransactionsOnThreadsOfTheirOwn() {
        start("mvcc");
        CompletableFuture<?>[] all = LongStream.range(0, 20)
                .mapToObj(i -> fixture.client.transactAsync(txn -> {
                    txn.put(NUMBERS, i, i);
                    return i;
                }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(all).join();
        assertThat(fixture.client.<List<Entry<Long, Long>>>read(txn -> txn.scan(NUMBERS, 0L, 99L, 99)))
                .hasSize(20);
    }

    @Test
    void shouldCommitAfterTheObservedTokenOfAnotherClient() {
        start("sundial");
        for (long i = 0; i < 20; i++) { // each at a later logical time
            long value = i;
            fixture.client.execute(txn -> txn.put(NAMES, "a", value));
        }
        long token = fixture.client.token();
        try (RccClient other = RccClient.connect(fixture.gateways.addresses())) {
            other.execute(txn -> txn.put(NAMES, "b", 1L));
            assertThat(other.token()).isLessThan(token); // no order between these two
            other.observe(token);
            other.execute(txn -> txn.put(NAMES, "b", 2L));
            assertThat(other.token()).isGreaterThanOrEqualTo(token);
            long heard = other.token();
            other.execute(txn -> txn.put(NAMES, "b", 3L));
            assertThat(other.token()).isGreaterThan(heard);
        }
    }

    @Test
    void shouldNotUseATransactionThatHasEnded() {
        start("nowait");
        OpenTransaction txn = fixture.client.begin();
        txn.put(NAMES, "a", 1L);
        txn.commit();
        assertThatIllegalStateException().isThrownBy(() -> txn.get(NAMES, "a"));
        assertThatIllegalStateException().isThrownBy(txn::commit);
        txn.close(); // nothing is left to abort
        assertThat(fixture.client.<Long>read(t -> t.require(NAMES, "a"))).isEqualTo(1);
    }

    @Test
    void shouldRefuseToWriteWhileReading() {
        start("nowait");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> fixture.client.read(txn -> txn.delete(NAMES, "a")))
                .withMessageContaining("only reads: use transact");
    }

    @Test
    void shouldContinueATransactionThatCatchesRecordNotFound() {
        start("nowait");
        String result = fixture.client.transact(txn -> {
            try {
                txn.require(NAMES, "a");
                return "there";
            } catch (RecordNotFoundException e) {
                txn.put(NAMES, "a", 1L);
                return "put";
            }
        });
        assertThat(result).isEqualTo("put");
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1);
    }

    // Java code of other languages, such as Kotlin, throws checked exceptions without declaring them.
    @Test
    void shouldAbortWhenTheClosureThrowsACheckedException() {
        start("nowait");
        fixture.client.put(NAMES, "a", 1L);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> fixture.client.execute(txn -> {
                    txn.getForUpdate(NAMES, "a");
                    throw undeclared(new IOException("no disk"));
                }));
        fixture.client.execute(txn -> txn.put(NAMES, "a", 2L)); // long before the other transaction would be idle
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException undeclared(Exception e) throws E {
        throw (E) e;
    }

    @Test
    void shouldBeOfNoUseOnceItIsClosed() {
        start("nowait");
        RccClient client = RccClient.connect(fixture.gateways.addresses());
        client.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> client.execute(txn -> txn.put(NAMES, "a", 1L)))
                .withMessage("the client is closed");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(
                        () -> client.transactAsync(txn -> txn.get(NAMES, "a")).join())
                .withMessageContaining("the client is closed");
        client.close();
    }
}
