package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.Codec;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Events that meet a client's transaction while it waits for another node. Method: an answer of the transaction, within its coroutine, sends tasks to
 * the worker. A worker runs them before it looks for the other node's reply, so they meet the transaction's next wait.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientSessionTest {
    private static final int NUMBERS = 0;
    private static final int SECRETS = 1;
    private static final int PIPELINED = 4;
    private static final TransactionTerms TERMS = new TransactionTerms(false, 20_000, 0);
    private static final Bytes VALUE = Bytes.wrap(new byte[] {0, 0, 0, 0, 0, 0, 0, 8});
    private static final Operation SCAN = new Operation.Scan(NUMBERS, false, Bound.NONE, Bound.NONE, 10, false);

    /** Takes a long argument, and does nothing with it. */
    private record Swallow() implements StoredProcedure<byte[], Void> {
        private static final int ARGUMENT_BYTES = Wire.DATA_BYTES_MAX;

        @Override
        public ProcedureType<byte[], Void> type() {
            return ProcedureType.of("swallow", Codec.ofBytes(ARGUMENT_BYTES), Codec.ofNothing());
        }

        @Override
        public Void run(Transaction txn, byte[] argument) {
            return null;
        }
    }

    private EmbeddedCluster cluster;
    private GatewayCore core;
    private Permissions permissions;
    private ClientSession session;
    private final Answers answers = new Answers();

    /** The answers by the numbers of their requests, and a task for one of them. */
    private static final class Answers implements AnswerSink {
        private final Map<Integer, CompletableFuture<Message.Reply>> all = new ConcurrentHashMap<>();
        private volatile int awaited;
        private volatile Runnable task;
        private volatile boolean writable = true;

        /** Has a task run at the answer to a request, on the coroutine that answers it. */
        void at(int request, Runnable newTask) {
            task = newTask;
            awaited = request;
        }

        @Override
        public void answer(int request, Message.Reply reply) {
            of(request).complete(reply);
            if (request == awaited) {
                task.run();
            }
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        CompletableFuture<Message.Reply> of(int request) {
            return all.computeIfAbsent(request, number -> new CompletableFuture<>());
        }

        Message.Reply get(int request) throws Exception {
            return of(request).get(20, TimeUnit.SECONDS);
        }

        ErrorCode code(int request) throws Exception {
            assertThat(get(request)).isInstanceOf(Message.Failed.class);
            return ErrorCode.of(((Message.Failed) get(request)).code());
        }
    }

    private static User user(Map<String, Role> roles) {
        return new User("reader", Users.hash("token"), "", roles);
    }

    @BeforeEach
    void start() {
        cluster = new EmbeddedCluster(ClusterConfig.of(
                        Protocols.byName("nowait"),
                        List.of(
                                TableSchema.ofLongKeys(NUMBERS, "numbers", 8, 4_000)
                                        .ordered(256),
                                TableSchema.ofLongKeys(SECRETS, "secrets", 8, 1_000),
                                OutcomeRecords.schema(2, 64)))
                .withMemory(1 << 18, 1 << 18, 1 << 12));
        cluster.start();
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        GatewayOptions options = GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                limits.frameLength(),
                limits.transactions(),
                PIPELINED,
                limits.scanRecords(),
                limits.transactionBytes(),
                limits.idleMillis(),
                limits.lifetimeMillis()));
        core = new GatewayCore(GatewayNode.of(cluster, 0), options, Procedures.of(List.of(new Swallow())), 1);
        core.open(() -> {}, () -> {});
        permissions = new Permissions(user(Map.of("*", Role.ADMIN)), cluster.catalog());
        session = core.connect(core.nextSlots(), permissions, answers, "");
    }

    @AfterEach
    void close() {
        core.close();
        cluster.close();
    }

    /** A key of the numbers whose record is at another node than the client. */
    private Key farKey() {
        return Key.of(LongStream.range(0, Long.MAX_VALUE)
                .filter(key -> isFar(cluster.catalog().placement().partition(KeyHash.of(key))))
                .findFirst()
                .orElseThrow());
    }

    /** The second commit of a slot whose outcomes are at another node than the client. */
    private CommitId farCommit() {
        int partition = IntStream.iterate(0, each -> each + 1)
                .filter(this::isFar)
                .findFirst()
                .orElseThrow();
        return CommitId.of(CommitId.session(1L << 20, partition), 0, 2);
    }

    private boolean isFar(int partition) {
        return cluster.catalog().placement().primary(partition) == 1;
    }

    /** Begins a transaction, and sends requests that arrive together; their numbers begin with this one. */
    private void send(int txn, int firstRequest, Request... requests) {
        session.slots().execute(() -> {
            session.begin(firstRequest - 1, txn, TERMS);
            for (int i = 0; i < requests.length; i++) {
                session.request(firstRequest + i, txn, requests[i]);
            }
        });
    }

    // Goal: an operation that was refused, and so not read, is not answered as if it had been read.
    @Test
    void shouldRefuseAnOperationThatCameBeforeItsRoleWasGranted() throws Exception {
        Key key = Key.of(7);
        send(1, 11, new Operation.Insert(SECRETS, key, VALUE), new Request.Commit(CommitId.NONE));
        assertThat(answers.get(12)).isInstanceOf(Message.Committed.class);
        permissions.become(user(Map.of("numbers", Role.READ)));

        User granted = user(Map.of("numbers", Role.READ, "secrets", Role.WRITE));
        answers.at(21, () -> session.slots().execute(() -> permissions.become(granted)));
        send(
                2,
                21,
                SCAN,
                new Operation.Get(NUMBERS, farKey(), false),
                new Operation.Insert(SECRETS, key, VALUE),
                new Request.Commit(CommitId.NONE));
        assertThat(answers.get(22)).isEqualTo(new Message.Value(null));
        assertThat(answers.code(23)).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(answers.code(24)).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(permissions.user()).as("the role was granted meanwhile").isEqualTo(granted);
    }

    @Test
    void shouldLeaveTheSlotsToOthersWhileTheClientDoesNotReadItsAnswers() throws Exception {
        int requests = 100;
        answers.writable = false;
        for (int i = 1; i <= requests; i++) {
            session.autocommit(i, TERMS, CommitId.NONE, SCAN);
        }
        Answers others = new Answers();
        core.connect(session.slots(), permissions, others, "").autocommit(1, TERMS, CommitId.NONE, SCAN);
        assertThat(others.get(1)).isInstanceOf(Message.Autocommitted.class);
        assertThat(answers.all).as("answers that would have to be kept").isEmpty();

        answers.writable = true;
        session.writable();
        for (int i = 1; i <= requests; i++) {
            assertThat(answers.get(i)).isInstanceOf(Message.Autocommitted.class);
        }
    }

    @Test
    void shouldEndATransactionThatIsHeldBackWhenItsClientIsGone() throws Exception {
        answers.writable = false;
        session.autocommit(1, TERMS, CommitId.NONE, SCAN);
        CompletableFuture<Void> isHeldBack = new CompletableFuture<>();
        session.slots().execute(() -> session.slots().execute(() -> isHeldBack.complete(null)));
        isHeldBack.get(20, TimeUnit.SECONDS);
        session.gone();
        assertThat(answers.code(1)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(session.running()).isZero();
    }

    @Test
    void shouldAnswerASecondCommitAsTheFirstEvenIfItsTransactionIsToEnd() throws Exception {
        CommitId id = farCommit();
        send(1, 11, new Operation.Put(NUMBERS, farKey(), VALUE), new Request.Commit(id));
        assertThat(answers.get(12)).isInstanceOf(Message.Committed.class);

        CompletableFuture<Void> isEnding = new CompletableFuture<>();
        answers.at(21, () -> {
            session.end(new Failure(ErrorCode.DEADLINE_EXCEEDED, "its time is over"));
            session.slots().execute(() -> isEnding.complete(null));
        });
        send(2, 21, SCAN, new Request.Commit(id));
        isEnding.get(20, TimeUnit.SECONDS);
        assertThat(answers.get(22)).isInstanceOf(Message.Committed.class);
    }

    @Test
    void shouldKeepNoFurtherOperationOfATransactionThatHasTooMany() throws Exception {
        Operation get = new Operation.Get(NUMBERS, farKey(), false);
        int last = 12 + 3 * PIPELINED;
        CompletableFuture<Boolean> isAnsweredAtOnce = new CompletableFuture<>();
        answers.at(11, () -> {
            for (int request = 13; request <= last; request++) {
                session.request(request, 1, get);
            }
            session.slots()
                    .execute(() -> isAnsweredAtOnce.complete(answers.of(last).isDone()));
        });
        send(1, 11, SCAN, get);
        assertThat(isAnsweredAtOnce.get(20, TimeUnit.SECONDS))
                .as("the last one, while the transaction waits for the first one's record")
                .isTrue();
        session.slots().execute(() -> session.request(last + 1, 1, new Request.Commit(CommitId.NONE)));
        for (int request = 12; request <= last + 1; request++) {
            assertThat(answers.code(request)).as("request %d", request).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        }
    }

    /** Makes calls that come together; their requests have the numbers from this one on. Returns how many are refused, which must be the last. */
    private int overloadedCalls(int firstRequest, int count) throws Exception {
        Bytes argument = Bytes.wrap(new byte[Swallow.ARGUMENT_BYTES]);
        session.slots().execute(() -> {
            for (int i = 0; i < count; i++) {
                session.call(firstRequest + i, TERMS, CommitId.NONE, "swallow", argument);
            }
        });
        int overloaded = 0;
        for (int i = 0; i < count; i++) {
            if (answers.get(firstRequest + i) instanceof Message.Failed) {
                assertThat(answers.code(firstRequest + i)).isEqualTo(ErrorCode.OVERLOADED);
                overloaded++;
            } else {
                assertThat(overloaded).as("refused before call %d", i).isZero();
            }
        }
        return overloaded;
    }

    // Goal: the arguments of calls that have no answer are bounded. Method: a worker runs all tasks before it runs a
    // coroutine.
    @Test
    void shouldRefuseCallsWhoseArgumentsTakeTooManyBytes() throws Exception {
        int frameLength = GatewayOptions.DEFAULT.limits().frameLength();
        int most = 16 * frameLength / Swallow.ARGUMENT_BYTES - 1; // one less for the overhead
        assertThat(overloadedCalls(100, most + 3)).isEqualTo(3);
        assertThat(overloadedCalls(200, most)).as("once all are answered").isZero();
    }
}
