package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.rcc.client.BadRequestException;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.FaultInjection;
import dev.rcc.client.KeyType;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.ProcedureFailedException;
import dev.rcc.client.RccClient;
import dev.rcc.client.RecordNotFoundException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.TransactionOutcomeUnknownException;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.server.procedure.ProcedureJar;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.server.procedure.bank.Transfer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Stored procedures, called by the client library from gateways of a cluster under each protocol. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StoredProcedureTest {
    /** A procedure that is a function, and counts how often it runs. */
    private static final class Stored<A, R> implements StoredProcedure<A, R> {
        private final ProcedureType<A, R> type;
        private final BiFunction<Transaction, A, R> body;
        private final AtomicInteger runs = new AtomicInteger();

        Stored(ProcedureType<A, R> type, BiFunction<Transaction, A, R> body) {
            this.type = type;
            this.body = body;
        }

        @Override
        public ProcedureType<A, R> type() {
            return type;
        }

        @Override
        public R run(Transaction txn, A argument) {
            runs.incrementAndGet();
            return body.apply(txn, argument);
        }
    }

    private static final ProcedureType<Long, Long> LONGS = ProcedureType.of("longs", Codec.ofLong(), Codec.ofLong());

    private ClientFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.closeAndInspect();
        }
    }

    private void start(String protocol, StoredProcedure<?, ?>... procedures) {
        fixture = new ClientFixture(
                protocol, GatewayOptions.DEFAULT, ClientOptions.DEFAULT, Procedures.of(List.of(procedures)));
    }

    private Stored<Long, Long> start(String protocol, BiFunction<Transaction, Long, Long> body) {
        Stored<Long, Long> procedure = new Stored<>(LONGS, body);
        start(protocol, procedure);
        return procedure;
    }

    private long call(long argument) {
        return fixture.client.call(LONGS, argument);
    }

    private long number(long key) {
        return fixture.client.<Long>read(txn -> txn.get(NUMBERS, key).orElse(-1L));
    }

    // Goal: an argument that is longer than a message may be is the error of its call, and takes no room from other
    // calls.
    @Test
    void shouldRefuseAnArgumentThatIsLongerThanAFrame() {
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        int frame = 2 * Wire.RECORD_BYTES_MAX;
        int transactions = 2;
        ProcedureType<byte[], Long> bytes = ProcedureType.of("bytes", Codec.ofBytes(frame), Codec.ofLong());
        fixture = new ClientFixture(
                "nowait",
                GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                        frame,
                        transactions,
                        limits.pipelined(),
                        limits.scanRecords(),
                        limits.transactionBytes(),
                        limits.idleMillis(),
                        limits.lifetimeMillis())),
                ClientOptions.DEFAULT.withConnections(1, Duration.ofSeconds(2)),
                Procedures.of(List.of(
                        new Stored<>(bytes, (txn, argument) -> 1L), new Stored<>(LONGS, (txn, argument) -> argument))));
        for (int i = 0; i <= 3 * transactions; i++) {
            assertThatExceptionOfType(BadRequestException.class)
                    .isThrownBy(() -> fixture.client.call(bytes, new byte[frame]))
                    .withMessageContaining("the call of procedure bytes takes a message of 1311")
                    .withMessageContaining("bytes, allowed: " + frame + " (client.frame-bytes)");
        }
        assertThat(call(7)).isEqualTo(7);
    }

    // ---- operations of a procedure ---------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldRunAProcedureOfAJar(String protocol, @TempDir Path directory) throws IOException {
        ProcedureJar.write(directory.resolve("bank.jar"), Transfer.class, Transfer.Order.class, Transfer.Receipt.class);
        try (Procedures procedures = Procedures.load(directory)) {
            fixture = new ClientFixture(protocol, GatewayOptions.DEFAULT, ClientOptions.DEFAULT, procedures);
            fixture.client.execute(txn -> LongStream.range(0, 4).forEach(i -> txn.insert(NUMBERS, i, 100L)));
            assertThat(fixture.client.call(Transfer.TYPE, new Transfer.Order(0, 1, 30)))
                    .isEqualTo(new Transfer.Receipt(70, 130));
            assertThat(number(0)).isEqualTo(70);
            assertThat(number(1)).isEqualTo(130);

            assertThatExceptionOfType(ProcedureFailedException.class)
                    .isThrownBy(() -> fixture.client.call(Transfer.TYPE, new Transfer.Order(0, 1, 71)))
                    .withMessageContaining("procedure transfer refuses: account 0 has only 70 cents");
            assertThatExceptionOfType(RecordNotFoundException.class)
                    .isThrownBy(() -> fixture.client.call(Transfer.TYPE, new Transfer.Order(0, 99, 1)))
                    .withMessageContaining("table numbers has no record 99");

            List<CompletableFuture<Transfer.Receipt>> calls = IntStream.range(0, 40)
                    .mapToObj(i ->
                            fixture.client.callAsync(Transfer.TYPE, new Transfer.Order(i % 4, (i + 1 + i % 3) % 4, 1)))
                    .toList();
            calls.forEach(CompletableFuture::join);
            assertThat(LongStream.range(0, 4).map(this::number).sum()).isEqualTo(400);
        }
    }

    // Goal: a procedure sees its own writes, whatever its operations and their order, in every attempt.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldOfferTheOperationsOfAClientAndReadItsOwnWrites(String protocol) {
        List<String> seen = new ArrayList<>();
        start(protocol, (txn, argument) -> {
            seen.clear();
            seen.add("all " + txn.scan(NUMBERS, 0L, 99L, 10));
            seen.add("first " + txn.scan(NUMBERS, 0L, 99L, 1));
            seen.add("deleted " + txn.delete(NUMBERS, 1L) + txn.delete(NUMBERS, 9L));
            txn.insert(NUMBERS, 5L, 50L);
            txn.put(NUMBERS, 3L, txn.require(NUMBERS, 3L) + 1);
            txn.put(NAMES, "new", argument);
            txn.put(NAMES, "old", txn.getForUpdate(NAMES, "old").orElseThrow() + argument);
            seen.add("got " + txn.getAsync(NUMBERS, 1L).join() + txn.get(NUMBERS, 5L) + txn.get(NUMBERS, 7L));
            seen.add("together " + txn.getAll(NUMBERS, List.of(5L, 1L, 3L, 5L))
                    + txn.getAllForUpdate(NUMBERS, List.of(7L, 3L)));
            seen.add("left " + txn.scan(NUMBERS, 0L, 99L, 10));
            seen.add("first left " + txn.scan(NUMBERS, 0L, 99L, 1));
            return (long) txn.scanForUpdate(NUMBERS, 0L, 99L, 10).size();
        });
        fixture.client.execute(txn -> {
            txn.insert(NUMBERS, 1L, 10L);
            txn.insert(NUMBERS, 3L, 30L);
            txn.insert(NAMES, "old", 1L);
        });
        assertThat(call(7)).isEqualTo(2);
        assertThat(seen)
                .containsExactly(
                        "all " + List.of(new Entry<>(1L, 10L), new Entry<>(3L, 30L)),
                        "first " + List.of(new Entry<>(1L, 10L)),
                        "deleted truefalse",
                        "got Optional.emptyOptional[50]Optional.empty",
                        "together [Optional[50], Optional.empty, Optional[31], Optional[50]][Optional.empty, Optional[31]]",
                        "left " + List.of(new Entry<>(3L, 31L), new Entry<>(5L, 50L)),
                        "first left " + List.of(new Entry<>(3L, 31L)));
        assertThat(fixture.client.<List<Entry<Long, Long>>>read(txn -> txn.scan(NUMBERS, 0L, 99L, 10)))
                .containsExactly(new Entry<>(3L, 31L), new Entry<>(5L, 50L));
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "old"))).isEqualTo(8);
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "new"))).isEqualTo(7);
    }

    // Goal: the first of many records is not locked for as long as all the others take.
    @Test
    void shouldLockTheRecordsOfAGetAllTogether() {
        start("nowait", (txn, count) -> {
            List<Long> keys = LongStream.range(0, count).boxed().toList();
            return txn.getAllForUpdate(NUMBERS, keys).stream()
                    .mapToLong(Optional::orElseThrow)
                    .sum();
        });
        fixture.client.execute(txn -> LongStream.range(0, 40).forEach(i -> txn.insert(NUMBERS, i, i)));
        assertThat(lockStages(1)).isPositive().isEqualTo(lockStages(40));
    }

    private long lockStages(long count) {
        long before = lockStages();
        assertThat(call(count)).isEqualTo(count * (count - 1) / 2);
        return lockStages() - before;
    }

    private long lockStages() {
        StageTimers timers = fixture.cluster.measurements().timers();
        return timers.passages(timers.stages().indexOf("lock"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldLoseNoUpdateAmongManyCalls(String protocol) {
        start(protocol, (txn, key) -> {
            long next = txn.get(NUMBERS, key).orElse(0L) + 1;
            txn.put(NUMBERS, key, next);
            return next;
        });
        List<CompletableFuture<Long>> calls = IntStream.range(0, 60)
                .mapToObj(i -> fixture.client.callAsync(LONGS, i % 2L))
                .toList();
        assertThat(calls.stream().map(CompletableFuture::join).sorted())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 30)
                        .boxed()
                        .flatMap(i -> List.of(i, i).stream())
                        .toList());
    }

    // Goal: a procedure whose keys are declared beforehand runs once, under CALVIN too.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldRunOnceIfItsKeysAreDeclared(String protocol) {
        AtomicInteger runs = new AtomicInteger();
        start(protocol, new StoredProcedure<Long, Long>() {
            @Override
            public ProcedureType<Long, Long> type() {
                return LONGS;
            }

            @Override
            public void declare(KeySet keys, Long key) {
                keys.read(NAMES, "read");
                keys.update(NAMES, "updated");
                keys.insert(NAMES, "inserted");
                keys.delete(NAMES, "deleted");
            }

            @Override
            public Long run(Transaction txn, Long key) {
                runs.incrementAndGet();
                txn.put(NAMES, "updated", txn.require(NAMES, "read"));
                txn.insert(NAMES, "inserted", 2L);
                return txn.delete(NAMES, "deleted") ? 1L : 0;
            }
        });
        fixture.client.execute(txn -> {
            for (String key : List.of("read", "updated", "deleted")) {
                txn.insert(NAMES, key, 70L);
            }
        });
        assertThat(call(0)).isEqualTo(1);
        assertThat(runs).hasValue(1);
        List<Long> left = fixture.client.read(txn -> Stream.of("read", "updated", "inserted", "deleted")
                .map(key -> txn.get(NAMES, key).orElse(-1L))
                .toList());
        assertThat(left).containsExactly(70L, 70L, 2L, -1L);
    }

    @Test
    void shouldRefuseADeclaredKeyThatTheTableCannotHave() {
        String key = "x".repeat(25);
        start("nowait", new StoredProcedure<Long, Long>() {
            @Override
            public ProcedureType<Long, Long> type() {
                return LONGS;
            }

            @Override
            public void declare(KeySet keys, Long argument) {
                keys.update(NAMES, key);
            }

            @Override
            public Long run(Transaction txn, Long argument) {
                return argument;
            }
        });
        assertWrong(LONGS, ErrorCode.BAD_REQUEST, "keys of 1 to 24 bytes, got 25");
    }

    // Goal: an attempt that ends before the procedure has run forgets no key that the procedure has declared.
    // Method: the key is held until some attempts have met its lock.
    @Test
    void shouldRunOnceWhenItsDeclaredKeyIsLockedAtFirst() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        start("nowait", new StoredProcedure<Long, Long>() {
            @Override
            public ProcedureType<Long, Long> type() {
                return LONGS;
            }

            @Override
            public void declare(KeySet keys, Long key) {
                keys.update(NUMBERS, key);
            }

            @Override
            public Long run(Transaction txn, Long key) {
                runs.incrementAndGet();
                long after = txn.getForUpdate(NUMBERS, key).orElseThrow() + 1;
                txn.put(NUMBERS, key, after);
                return after;
            }
        });
        fixture.client.insert(NUMBERS, 1L, 10L);
        CompletableFuture<Long> called;
        try (OpenTransaction holder = fixture.client.begin()) {
            holder.getForUpdate(NUMBERS, 1L);
            called = fixture.client.callAsync(LONGS, 1L);
            while (fixture.cluster.metrics().aborts(AbortReason.LOCK_CONFLICT) < 3) {
                Thread.sleep(1);
            }
        }
        assertThat(called.join()).isEqualTo(11);
        assertThat(runs).hasValue(1);
        assertThat(fixture.cluster.metrics().aborts(AbortReason.INTENT_CHANGED)).isZero();
    }

    // Goal: a declared write that the procedure does not make has no effect.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldNotApplyDeclaredWritesThatItDoesNotMake(String protocol) {
        start(protocol, new StoredProcedure<Long, Long>() {
            @Override
            public ProcedureType<Long, Long> type() {
                return LONGS;
            }

            @Override
            public void declare(KeySet keys, Long key) {
                keys.insert(NUMBERS, 1L);
                keys.delete(NUMBERS, 2L);
                keys.update(NUMBERS, 3L);
            }

            @Override
            public Long run(Transaction txn, Long key) {
                return (long) txn.scan(NUMBERS, 0L, 9L, 9).size();
            }
        });
        fixture.client.execute(txn -> {
            txn.insert(NUMBERS, 2L, 20L);
            txn.insert(NUMBERS, 3L, 30L);
        });
        assertThat(call(0)).isEqualTo(2);
        assertThat(LongStream.range(1, 4).map(this::number).toArray()).containsExactly(-1, 20, 30);
    }

    // ---- failures --------------------------------------------------------------------------------------------------

    // Goal: it does not matter what a procedure catches. Method: one that catches everything, many times at once.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "occ", "calvin"})
    void shouldLoseNoUpdateWhenTheProcedureCatchesAllExceptions(String protocol) {
        start(protocol, (txn, key) -> {
            long before = -1;
            try {
                before = txn.get(NUMBERS, key).orElse(0L);
                txn.put(NUMBERS, key, before + 1);
            } catch (RuntimeException e) {
                // and goes on
            }
            return before;
        });
        List<CompletableFuture<Long>> calls = IntStream.range(0, 40)
                .mapToObj(i -> fixture.client.callAsync(LONGS, 0L))
                .toList();
        assertThat(calls.stream().map(CompletableFuture::join).sorted())
                .containsExactlyElementsOf(LongStream.range(0, 40).boxed().toList());
    }

    @Test
    void shouldReportAnExceptionOfAProcedureAndWriteNothing() {
        start("occ", (txn, key) -> {
            txn.put(NUMBERS, key, 1L);
            if (key == 1) {
                throw new ProcedureException("not one");
            }
            return 1 / (key - 2);
        });
        assertThatExceptionOfType(ProcedureFailedException.class)
                .isThrownBy(() -> call(1))
                .withMessageContaining("procedure longs refuses: not one");
        assertThatExceptionOfType(ProcedureFailedException.class)
                .isThrownBy(() -> call(2))
                .withMessageContaining("procedure longs has failed")
                .withMessageContaining("java.lang.ArithmeticException: / by zero");
        assertThat(number(1)).isEqualTo(-1);
        assertThat(number(2)).isEqualTo(-1);
    }

    // Goal: the log names mistakes of procedures, and no exceptions that come from reads which were not all true at one
    // moment.
    // Method: the procedure's first run throws because its first read has changed before its second one.
    @Test
    void shouldLogAnExceptionOnlyIfTheReadsBeforeItAreTrue() {
        Logger logger = (Logger) LoggerFactory.getLogger(StoredTransaction.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false); // the console shows failures only
        try {
            start("occ", (txn, key) -> {
                long first = txn.get(NUMBERS, 1L).orElse(0L);
                if (first == 0) {
                    fixture.client.execute(other -> {
                        other.put(NUMBERS, 1L, 7L);
                        other.put(NUMBERS, 2L, 7L);
                    });
                }
                long second = txn.get(NUMBERS, 2L).orElse(0L);
                if (first != second || key == 1) {
                    throw new IllegalStateException("they differ");
                }
                return second;
            });
            assertThat(call(0)).isEqualTo(7);
            assertThat(log.list).isEmpty();
            assertThatExceptionOfType(ProcedureFailedException.class).isThrownBy(() -> call(1));
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "event=procedure_failed procedure=longs failed_before=0: its transaction has no effect");
        } finally {
            logger.setAdditive(true);
            logger.detachAppender(log);
        }
    }

    // Java code of other languages, such as Kotlin, throws checked exceptions without declaring them.
    @Test
    void shouldReportACheckedExceptionOfAProcedureAndReleaseItsLocks() {
        start("nowait", (txn, key) -> {
            txn.getForUpdate(NUMBERS, key);
            throw undeclared(new IOException("no disk"));
        });
        assertThatExceptionOfType(ProcedureFailedException.class)
                .isThrownBy(() -> call(1))
                .withMessageContaining("java.io.IOException: no disk");
        fixture.client.execute(txn -> txn.put(NUMBERS, 1L, 1L));
        assertThat(number(1)).isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException undeclared(Exception e) throws E {
        throw (E) e;
    }

    @Test
    void shouldEndAProcedureWhoseTimeIsOver() {
        start("nowait", (txn, key) -> {
            while (true) {
                txn.get(NUMBERS, key);
            }
        });
        CallOptions soon = CallOptions.DEFAULT.withDeadline(Duration.ofMillis(300));
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> fixture.client.call(soon, LONGS, 1L));
    }

    @Test
    void shouldRefuseCallsThatMakeNoSense() {
        ProcedureType<Long, Long> reader = ProcedureType.ofReader("reader", Codec.ofLong(), Codec.ofLong());
        Table<Long, Long> nothing = new Table<>("nothing", KeyType.LONG, Codec.ofLong());
        start(
                "nowait",
                new Stored<>(reader, (txn, key) -> {
                    txn.put(NUMBERS, key, 1L);
                    return 1L;
                }),
                new Stored<>(LONGS, (txn, key) -> {
                    try {
                        txn.scan(NAMES, "a", "b", (int) (long) key);
                    } catch (BadRequestException e) {
                        // and goes on
                    }
                    return txn.require(nothing, key);
                }));
        assertWrong(reader, ErrorCode.BAD_REQUEST, "the transaction only reads");
        assertWrong(LONGS, ErrorCode.BAD_REQUEST, "not ordered");
        assertWrong(
                ProcedureType.of("nobody", Codec.ofLong(), Codec.ofLong()),
                ErrorCode.NO_SUCH_PROCEDURE,
                "no procedure 'nobody'");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(
                        () -> fixture.client.call(ProcedureType.of("longs", Codec.ofNothing(), Codec.ofLong()), null))
                .withMessageContaining("takes an argument of 8 bytes, got 0");
    }

    private void assertWrong(ProcedureType<Long, Long> type, ErrorCode code, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> fixture.client.call(type, 1L))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    // ---- at most once ----------------------------------------------------------------------------------------------

    @Test
    void shouldTakeEffectOnceWhenCallsOrAnswersAreLost() throws IOException {
        start("sundial", (txn, key) -> {
            long next = txn.get(NUMBERS, key).orElse(0L) + 1;
            txn.put(NUMBERS, key, next);
            return next;
        });
        try (CutProxy proxy = new CutProxy(fixture.gateways.gateway(0).address());
                RccClient client = RccClient.connect(proxy.address())) {
            for (int i = 1; i <= 12; i++) {
                proxy.cutOnceAt(i % 2 == 0 ? CutProxy.CALL : CutProxy.RETURNED);
                assertThat(client.call(LONGS, 7L)).isEqualTo(i);
            }
        }
        assertThat(number(7)).isEqualTo(12);
    }

    @Test
    void shouldAnswerACallThatIsSentTwiceWithTheFirstOnesResult() throws IOException {
        start("nowait", (txn, key) -> {
            txn.insert(NUMBERS, key, 8L);
            return key + 1;
        });
        Message.Call call = new Message.Call(
                false, 10_000, 0, CommitId.of(1, 0, 1), "longs", Bytes.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 5}));
        try (RawClient raw = RawClient.greet(fixture.gateways.gateway(0).address())) {
            Message.Returned first = (Message.Returned) raw.call(call);
            assertThat(first.result().toArray()).containsExactly(0, 0, 0, 0, 0, 0, 0, 6);
            assertThat(raw.call(call)).isEqualTo(first);
        }
    }

    @Test
    void shouldInjectFaults() {
        AtomicInteger unknown = new AtomicInteger();
        Stored<Long, Long> stored = start("nowait", (txn, key) -> {
            txn.put(NUMBERS, key, key);
            return key;
        });
        ClientOptions faulty = ClientOptions.DEFAULT.inject(
                FaultInjection.NONE.conflicts(0.3).unknownOutcomes(0.3).withSeed(5));
        try (RccClient client = RccClient.connect(fixture.gateways.addresses(), faulty)) {
            for (long i = 0; i < 40; i++) {
                try {
                    client.call(LONGS, i);
                } catch (TransactionOutcomeUnknownException e) {
                    unknown.incrementAndGet();
                }
            }
        }
        assertThat(unknown).hasValueBetween(4, 36);
        assertThat(LongStream.range(0, 40).filter(i -> number(i) == i).count())
                .isBetween(40L - unknown.get(), 40L)
                .isLessThanOrEqualTo(stored.runs.get());
    }
}
