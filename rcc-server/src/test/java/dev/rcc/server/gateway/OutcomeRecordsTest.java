package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.CommitOutcome;
import dev.rcc.client.ConflictException;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.FaultInjection;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.ResultLostException;
import dev.rcc.client.Transaction;
import dev.rcc.client.TransactionOutcomeUnknownException;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.procedure.Procedures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes of commits that the cluster keeps: any gateway finds them, whichever node has died. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OutcomeRecordsTest {
    private static final int NODES = 4;
    private static final int SLOTS = 64;
    private static final Users USERS = Users.of(List.of(
            new User("reader", Users.hash("r"), "", Map.of("*", Role.READ)),
            new User("writer", Users.hash("w"), "", Map.of("numbers", Role.WRITE))));

    static List<String> protocols() {
        return Protocols.names();
    }

    private static EmbeddedCluster cluster(String protocol, int slots) {
        EmbeddedCluster cluster = new EmbeddedCluster(ClusterConfig.of(
                        Protocols.byName(protocol),
                        List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000), OutcomeRecords.schema(1, slots)))
                .withShape(NODES, 1, 20, 3)
                .withRecovery(Duration.ofSeconds(30))
                .withMemory(1 << 18, 1 << 16, 1 << 12));
        cluster.start();
        return cluster;
    }

    private static Message begin(int txn) {
        return new Message.Begin(txn, false, 20_000, 0);
    }

    private static Message put(int txn, long key, long value) {
        return new Message.Put(txn, 0, Key.of(key), value(value));
    }

    /** The outcome of a commit that puts a number; 0 if it takes effect, else the error's code. */
    private static int commit(RawClient client, int txn, CommitId id, long key, long value) throws IOException {
        client.send(begin(txn));
        client.call(put(txn, key, value));
        return switch (client.call(new Message.Commit(txn, id))) {
            case Message.Committed committed -> 0;
            case Message.Failed failed -> failed.code();
            default -> throw new AssertionError();
        };
    }

    private static Message.Status ask(RawClient client, CommitId id) throws IOException {
        return ((Message.OutcomeIs) client.call(new Message.AskOutcome(id, 0, 5))).status();
    }

    private static Message.Value read(RawClient client, int txn, long key) throws IOException {
        client.send(begin(txn));
        Message.Value value = (Message.Value) client.call(new Message.Get(txn, 0, false, Key.of(key)));
        client.call(new Message.Commit(txn, CommitId.NONE));
        return value;
    }

    // Goal: every gateway gives the same, final answer, under every protocol; a commit whose outcome was
    // asked for before it came is refused at any gateway.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldReportTheSameOutcomeAtEveryGateway(String protocol) throws IOException {
        try (EmbeddedCluster cluster = cluster(protocol, 1024);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RawClient one = RawClient.greet(gateways.gateway(1).address());
                RawClient other = RawClient.greet(gateways.gateway(2).address())) {
            long session = 5; // drawn at random, two of its slots would meet at one key now and then
            for (int slot = 0; slot < 3; slot++) {
                CommitId first = CommitId.of(session, slot, 1);
                CommitId second = CommitId.of(session, slot, 2);
                CommitId third = CommitId.of(session, slot, 3);
                assertThat(commit(one, 1, first, slot, 11)).isZero();
                assertThat(ask(other, first)).isEqualTo(Message.Status.COMMITTED);
                assertThat(ask(other, second)).isEqualTo(Message.Status.NOT_COMMITTED);
                assertThat(ask(one, second)).isEqualTo(Message.Status.NOT_COMMITTED);
                assertThat(commit(one, 2, second, slot, 22)).isEqualTo(ErrorCode.CONFLICT.number());
                assertThat(commit(other, 2, third, slot, 33)).isZero();
                assertThat(commit(one, 3, third, slot, 44))
                        .as("answered as the first time")
                        .isZero();
                assertThat(ask(one, third)).isEqualTo(Message.Status.COMMITTED);
                assertThat(ask(one, second)).as("the slot has gone on").isEqualTo(Message.Status.UNKNOWN);
                assertThat(read(one, 4, slot).value()).isEqualTo(value(33));
            }
        }
    }

    private static Bytes value(long number) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    // Goal: two slots that meet at one key never mistake each other's outcomes, and the key is free again
    // after a while.
    @ParameterizedTest
    @ValueSource(longs = {1, 600_000})
    void shouldGiveAPlaceToAnotherSlotOnlyAfterRetention(long retentionMillis) throws IOException {
        GatewayOptions options = GatewayOptions.DEFAULT.withOutcomeRetention(Duration.ofMillis(retentionMillis));
        try (EmbeddedCluster cluster = cluster("nowait", 1);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, options);
                RawClient client = RawClient.greet(gateways.gateway(0).address())) {
            CommitId mine = CommitId.random();
            CommitId yours = CommitId.random();
            assertThat(commit(client, 1, mine, 1, 1)).isZero();
            long written = System.currentTimeMillis();
            while (System.currentTimeMillis() < written + 2) {
                Thread.onSpinWait(); // a millisecond of retention must be over
            }
            int expected = retentionMillis == 1 ? 0 : ErrorCode.OUTCOME_SLOT_TAKEN.number();
            assertThat(commit(client, 2, yours, 2, 2)).isEqualTo(expected);
            if (expected == 0) {
                assertThat(ask(client, mine)).isEqualTo(Message.Status.UNKNOWN);
                assertThat(ask(client, yours)).isEqualTo(Message.Status.COMMITTED);
            } else {
                assertThat(ask(client, mine)).isEqualTo(Message.Status.COMMITTED);
                assertThat(ask(client, yours)).isEqualTo(Message.Status.NOT_COMMITTED);
                assertThat(commit(client, 3, yours, 2, 2)).isEqualTo(expected);
            }
        }
    }

    // Goal: users that cannot have committed anything take no places of those that can. Method: a single place.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldLeaveNoRefusalForAUserThatMayChangeNothing(String protocol) throws IOException {
        try (EmbeddedCluster cluster = cluster(protocol, 1);
                EmbeddedGateways gateways =
                        new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withUsers(USERS, false));
                RawClient reader = new RawClient(gateways.gateway(0).address());
                RawClient writer = new RawClient(gateways.gateway(1).address())) {
            reader.call(new Message.Hello(1, 1, "r", "test"));
            writer.call(new Message.Hello(1, 1, "w", "test"));
            CommitId first = CommitId.of(5, 0, 1);
            CommitId second = CommitId.of(5, 0, 2);
            assertThat(ask(reader, CommitId.random())).isEqualTo(Message.Status.UNKNOWN);
            assertThat(ask(reader, first)).isEqualTo(Message.Status.UNKNOWN);
            assertThat(commit(writer, 1, first, 1, 1)).isZero();
            assertThat(ask(reader, first)).isEqualTo(Message.Status.COMMITTED);
            assertThat(ask(reader, second)).isEqualTo(Message.Status.UNKNOWN);
            assertThat(commit(writer, 1, second, 1, 1)).isZero();
        }
    }

    // Goal: users that can write nothing take no places of those that can. Method: a single place.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldLeaveNoOutcomeForAUserThatMayChangeNothing(String protocol) throws IOException {
        try (EmbeddedCluster cluster = cluster(protocol, 1);
                EmbeddedGateways gateways =
                        new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withUsers(USERS, false), PEEKS);
                RawClient reader = new RawClient(gateways.gateway(0).address());
                RawClient writer = new RawClient(gateways.gateway(1).address())) {
            reader.call(new Message.Hello(1, 1, "r", "test"));
            writer.call(new Message.Hello(1, 1, "w", "test"));
            CommitId commit = CommitId.of(5, 0, 1);
            CommitId call = CommitId.of(6, 0, 1);
            reader.send(begin(1));
            reader.call(new Message.Get(1, 0, false, Key.of(1)));
            assertThat(reader.call(new Message.Commit(1, commit))).isInstanceOf(Message.Committed.class);
            assertThat(reader.call(call("peek", call))).isInstanceOf(Message.Returned.class);
            assertThat(ask(reader, commit)).isEqualTo(Message.Status.UNKNOWN);
            assertThat(ask(reader, call)).isEqualTo(Message.Status.UNKNOWN);
            assertThat(commit(writer, 1, CommitId.of(7, 0, 1), 1, 1)).isZero();
        }
    }

    @Test
    void shouldLeaveNoOutcomeOfATransactionThatWasBegunToReadOnly() throws IOException {
        try (EmbeddedCluster cluster = cluster("nowait", 1);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT, PEEKS);
                RawClient client = RawClient.greet(gateways.gateway(0).address())) {
            client.send(new Message.Begin(1, true, 20_000, 0));
            client.call(new Message.Get(1, 0, false, Key.of(1)));
            assertThat(client.call(new Message.Commit(1, CommitId.of(5, 0, 1)))).isInstanceOf(Message.Committed.class);
            assertThat(client.call(call("peekOnly", CommitId.of(6, 0, 1)))).isInstanceOf(Message.Returned.class);
            assertThat(commit(client, 2, CommitId.of(7, 0, 1), 1, 1)).isZero();
        }
    }

    // Goal: what a user wrote while it might leaves an outcome, though the user may write nothing any more.
    @Test
    void shouldLeaveTheOutcomeOfAWriterThatHasLostItsRole() throws IOException {
        try (EmbeddedCluster cluster = cluster("nowait", 1024);
                EmbeddedGateways gateways =
                        new EmbeddedGateways(cluster, GatewayOptions.DEFAULT.withUsers(USERS, false));
                RawClient reader = new RawClient(gateways.gateway(0).address());
                RawClient writer = new RawClient(gateways.gateway(1).address())) {
            reader.call(new Message.Hello(1, 1, "r", "test"));
            writer.call(new Message.Hello(1, 1, "w", "test"));
            CommitId id = CommitId.of(5, 0, 1);
            writer.send(begin(1));
            writer.call(put(1, 1, 1));
            gateways.gateway(1)
                    .users(Users.of(List.of(new User("writer", Users.hash("w"), "", Map.of("*", Role.READ)))));
            assertThat(writer.call(new Message.Commit(1, id))).isInstanceOf(Message.Committed.class);
            assertThat(ask(reader, id)).isEqualTo(Message.Status.COMMITTED);
        }
    }

    @Test
    void shouldHideItsTableFromClients() throws IOException {
        try (EmbeddedCluster cluster = cluster("nowait", 8);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RawClient client = RawClient.greet(gateways.gateway(0).address())) {
            Message.Tables tables = (Message.Tables) client.call(new Message.DescribeTables());
            assertThat(tables.tables()).extracting(Message.TableInfo::name).containsExactly("numbers");
            client.send(begin(1));
            assertThat(client.call(new Message.Get(1, 1, false, Key.of(0))))
                    .isInstanceOfSatisfying(
                            Message.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NO_SUCH_TABLE.number()));
        }
    }

    // ---- stored procedures -----------------------------------------------------------------------------------------

    /** Takes 1 from a number, which must not become negative, and returns what is left, in so many bytes. */
    private record Take(int resultBytes) implements StoredProcedure<Long, byte[]> {
        @Override
        public ProcedureType<Long, byte[]> type() {
            return ProcedureType.of("take" + resultBytes, Codec.ofLong(), Codec.ofBytes(resultBytes));
        }

        @Override
        public byte[] run(Transaction txn, Long key) {
            long left = txn.require(NUMBERS, key) - 1;
            if (left < 0) {
                throw new ProcedureException("nothing is left");
            }
            txn.put(NUMBERS, key, left);
            return left(left);
        }

        byte[] left(long left) {
            byte[] result = new byte[resultBytes];
            Arrays.fill(result, (byte) left);
            return result;
        }
    }

    /** Reads a number. */
    private record Peek(ProcedureType<Long, Long> type) implements StoredProcedure<Long, Long> {
        @Override
        public Long run(Transaction txn, Long key) {
            return txn.get(NUMBERS, key).orElse(-1L);
        }
    }

    /** A procedure that might write, and one that may not. */
    private static final Procedures PEEKS = Procedures.of(List.of(
            new Peek(ProcedureType.of("peek", Codec.ofLong(), Codec.ofLong())),
            new Peek(ProcedureType.ofReader("peekOnly", Codec.ofLong(), Codec.ofLong()))));

    private static Message call(String procedure, CommitId id) {
        return new Message.Call(false, 20_000, 0, id, procedure, value(1));
    }

    private static final Take SMALL = new Take(OutcomeRecords.DEFAULT_RESULT_BYTES);
    private static final Take LARGE = new Take(OutcomeRecords.DEFAULT_RESULT_BYTES + 1);

    /** The result of a call; an attempt that met another transaction, such as one that still unlocks its writes, is made again. */
    private static Bytes returned(RawClient client, Message call) throws IOException {
        Message answer = client.call(call);
        while (answer instanceof Message.Failed failed && failed.code() == ErrorCode.CONFLICT.number()) {
            answer = client.call(call);
        }
        assertThat(answer).isInstanceOf(Message.Returned.class);
        return ((Message.Returned) answer).result();
    }

    private static EmbeddedGateways gateways(EmbeddedCluster cluster) {
        return new EmbeddedGateways(
                cluster,
                GatewayOptions.DEFAULT.withTimeouts(
                        Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
                Procedures.of(List.of(SMALL, LARGE)));
    }

    // Goal: the same call is answered as the first time, at any gateway, though the procedure would refuse by
    // now; a result too large for the cluster to keep is known only where the call was carried out.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldAnswerACallAsTheFirstTimeAtEveryGateway(String protocol) throws IOException {
        try (EmbeddedCluster cluster = cluster(protocol, 1024);
                EmbeddedGateways gateways = gateways(cluster);
                RawClient one = RawClient.greet(gateways.gateway(1).address());
                RawClient other = RawClient.greet(gateways.gateway(2).address())) {
            long session = 5; // drawn at random, two of its slots would meet at one key now and then
            for (Take take : List.of(SMALL, LARGE)) {
                long key = take.resultBytes();
                CommitId id = CommitId.of(session, take.resultBytes(), 2);
                Message call =
                        new Message.Call(false, 20_000, 0, id, take.type().name(), value(key));
                one.send(begin(1));
                one.call(put(1, key, 1));
                one.call(new Message.Commit(1, CommitId.of(session, take.resultBytes(), 1)));

                Bytes left = Bytes.wrap(take.left(0));
                assertThat(returned(one, call)).isEqualTo(left);
                assertThat(returned(one, call)).isEqualTo(left);
                assertThat(((Message.OutcomeIs) one.call(new Message.AskOutcome(id, 0, 5))).result())
                        .isEqualTo(left);
                Message.OutcomeIs elsewhere = (Message.OutcomeIs) other.call(new Message.AskOutcome(id, 0, 5));
                assertThat(elsewhere.status()).isEqualTo(Message.Status.COMMITTED);
                if (take.equals(SMALL)) {
                    assertThat(returned(other, call)).isEqualTo(left);
                    assertThat(elsewhere.result()).isEqualTo(left);
                } else {
                    assertThat(((Message.Failed) other.call(call)).code()).isEqualTo(ErrorCode.RESULT_LOST.number());
                    assertThat(elsewhere.result()).isNull();
                }
                assertThat(read(one, 2, key).value()).isEqualTo(value(0));
            }
        }
    }

    // Goal: a gateway's node dies when it has carried out a call and not answered yet. The caller has the result; if it
    // was too large to be kept, the caller knows that the call has committed.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReturnTheResultOrReportTheCommitOfACallWhenTheGatewaysNodeDies(boolean isKept) throws Exception {
        int dead = NODES - 1;
        try (EmbeddedCluster cluster = cluster("sundial", SLOTS);
                EmbeddedGateways gateways = gateways(cluster);
                RccClient setUp = RccClient.connect(gateways.gateway(0).address());
                CutProxy proxy = new CutProxy(gateways.gateway(dead).address());
                RccClient client = RccClient.connect(proxy.address())) {
            setUp.execute(txn -> txn.put(NUMBERS, 1L, 100L));
            CompletableFuture<Void> died = new CompletableFuture<>();
            proxy.dieAt(CutProxy.RETURNED, () -> {
                gateways.gateway(dead).cut();
                cluster.stopNode(dead);
                died.complete(null);
            });
            Take take = isKept ? SMALL : LARGE;
            long calls = 0;
            while (!died.isDone()) { // the calls that go through other gateways
                calls++;
                if (isKept) {
                    assertThat(client.call(take.type(), 1L)).isEqualTo(take.left(100 - calls));
                } else {
                    try {
                        assertThat(client.call(take.type(), 1L)).isEqualTo(take.left(100 - calls));
                        assertThat(died).isNotDone();
                    } catch (ResultLostException e) {
                        assertThat(e.code()).isEqualTo(ErrorCode.RESULT_LOST);
                        assertThat(e)
                                .hasMessageContaining(
                                        "has committed, as " + e.ticket().id());
                        assertThat(client.outcomeOf(e.ticket())).isEqualTo(CommitOutcome.COMMITTED);
                        assertThat(client.resultOf(take.type(), e.ticket())).isEmpty();
                    }
                }
            }
            assertThat(setUp.<Long>read(txn -> txn.require(NUMBERS, 1L))).isEqualTo(100 - calls);
        }
    }

    // Goal: a client that did not get the outcome of a call in time finds it out later, with the call's
    // result.
    @Test
    void shouldReturnTheResultOfACommittedCallLater() {
        ClientOptions faulty = ClientOptions.DEFAULT.inject(FaultInjection.NONE.unknownOutcomes(1));
        try (EmbeddedCluster cluster = cluster("nowait", SLOTS);
                EmbeddedGateways gateways = gateways(cluster);
                RccClient client = RccClient.connect(gateways.addresses());
                RccClient unlucky = RccClient.connect(gateways.addresses(), faulty)) {
            client.execute(txn -> txn.put(NUMBERS, 1L, 100L));
            long left = 100;
            for (int i = 0; i < 20; i++) {
                try {
                    unlucky.call(SMALL.type(), 1L);
                    throw new AssertionError("no fault was injected");
                } catch (TransactionOutcomeUnknownException e) {
                    Optional<byte[]> result = client.resultOf(SMALL.type(), e.ticket());
                    boolean isCommitted = client.outcomeOf(e.ticket()) == CommitOutcome.COMMITTED;
                    left -= isCommitted ? 1 : 0;
                    assertThat(result.isPresent()).isEqualTo(isCommitted);
                    if (isCommitted) {
                        assertThat(result.get()).isEqualTo(SMALL.left(left));
                    }
                }
            }
            assertThat(left).isBetween(81L, 99L);
            assertThat(client.<Long>read(txn -> txn.require(NUMBERS, 1L))).isEqualTo(left);
        }
    }

    // A process that is leased for a benchmark, or ended, just when its node has started interrupts the
    // thread that opens the gateway.
    @Test
    void shouldOpenOnAThreadThatIsInterrupted() {
        try (EmbeddedCluster cluster = cluster("nowait", SLOTS)) {
            Thread.currentThread().interrupt();
            try (Gateway gateway = new Gateway(GatewayNode.of(cluster, 0), GatewayOptions.DEFAULT, List::of)) {
                assertThat(Thread.interrupted()).isTrue();
                assertThat(gateway.address()).isNotEmpty();
            }
        } finally {
            boolean _ = Thread.interrupted();
        }
    }

    // ---- the death of a gateway's node -----------------------------------------------------------------------------

    // Goal: a host loses its power, so that its connections stay open and silent. A client that waits for it goes on as
    // soon as the cluster does,
    // not only when its time is over; also if the client was given another address of that gateway than the cluster
    // names.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotWaitForAHostThatIsGoneWithoutAWord(boolean isNamedAsConnected) throws Exception {
        CallOptions call = CallOptions.DEFAULT.withDeadline(Duration.ofHours(1));
        List<String> members = new CopyOnWriteArrayList<>();
        try (EmbeddedCluster cluster = cluster("nowait", SLOTS);
                Gateway gone = new Gateway(GatewayNode.of(cluster, 0), GatewayOptions.DEFAULT, () -> members);
                Gateway other = new Gateway(GatewayNode.of(cluster, 1), GatewayOptions.DEFAULT, () -> members);
                CutProxy proxy = new CutProxy(gone.address())) {
            String name = isNamedAsConnected ? proxy.address() : gone.address();
            members.addAll(List.of(name, other.address()));
            try (RccClient client = RccClient.connect(proxy.address(), ClientOptions.DEFAULT.withCall(call))) {
                beginAt(other.address(), client).abort();
                beginAt(name, client).abort();
                OpenTransaction txn = beginAt(proxy.address(), client);
                txn.put(NUMBERS, 1L, 1L);
                txn.get(NUMBERS, 2L);
                proxy.freeze();
                CompletableFuture<Void> commit = CompletableFuture.runAsync(txn::commit);
                members.remove(name);
                other.membersChanged();
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(commit::join)
                        .withCauseInstanceOf(ConflictException.class)
                        .withMessageContaining("the commit has not taken effect");
                for (int i = 0; i < 6; i++) {
                    try (OpenTransaction next = client.begin()) {
                        assertThat(next.toString()).endsWith(other.address());
                    }
                }
                client.execute(next -> next.put(NUMBERS, 1L, 2L));
            }
        }
    }

    // Goal: the same if no gateway announces that one is gone, as when a firewall has dropped the connections to it.
    @Test
    void shouldNotWaitForAGatewayThatDoesNotAnswerThoughTheClusterNamesIt() throws Exception {
        CallOptions call = CallOptions.DEFAULT.withDeadline(Duration.ofHours(1));
        List<String> members = new CopyOnWriteArrayList<>();
        try (EmbeddedCluster cluster = cluster("nowait", SLOTS);
                Gateway gone = new Gateway(GatewayNode.of(cluster, 0), GatewayOptions.DEFAULT, () -> members);
                Gateway other = new Gateway(GatewayNode.of(cluster, 1), GatewayOptions.DEFAULT, () -> members);
                CutProxy proxy = new CutProxy(gone.address())) {
            members.addAll(List.of(proxy.address(), other.address()));
            try (RccClient client = RccClient.connect(proxy.address(), ClientOptions.DEFAULT.withCall(call))) {
                beginAt(other.address(), client).abort();
                OpenTransaction txn = beginAt(proxy.address(), client);
                txn.put(NUMBERS, 1L, 1L);
                proxy.freeze();
                assertThatExceptionOfType(ConflictException.class)
                        .isThrownBy(txn::commit)
                        .withMessageContaining("the commit has not taken effect");
                for (long i = 0; i < 6; i++) {
                    long value = i;
                    client.execute(next -> next.put(NUMBERS, 1L, value));
                }
            }
        }
    }

    private static OpenTransaction beginAt(String gateway, RccClient client) {
        for (int i = 0; i < 20; i++) {
            OpenTransaction txn = client.begin();
            if (txn.toString().endsWith(gateway)) {
                return txn;
            }
            txn.abort();
        }
        throw new AssertionError("no transaction began at " + gateway);
    }

    // Goal: a gateway's node dies between a commit and its answer, and the client gets the true outcome from
    // another; no increment is lost or done twice. Method: clients increment numbers of their own; a proxy
    // kills the node when a commit, or the answer to one, passes.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldNeitherLoseNorRepeatACommitWhenTheGatewaysNodeDies(int seed) throws Exception {
        long base = Long.getLong("rcc.seed", 0);
        Random random = new Random(base + seed);
        String protocol = protocols().get(seed % protocols().size());
        String context = "-Drcc.seed=" + base + ", case " + seed + ", " + protocol;
        int clients = 8;
        int dead = NODES - 1;
        CallOptions call =
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(60)).withMaxAttempts(1_000);
        try (EmbeddedCluster cluster = cluster(protocol, SLOTS)) {
            List<String> members = new ArrayList<>();
            List<Gateway> gateways = new ArrayList<>();
            for (int node = 0; node < NODES; node++) {
                gateways.add(new Gateway(
                        GatewayNode.of(cluster, node),
                        GatewayOptions.DEFAULT.withTimeouts(
                                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
                        () -> members));
            }
            AtomicLongArray done = new AtomicLongArray(clients);
            AtomicInteger total = new AtomicInteger();
            try (CutProxy proxy = new CutProxy(gateways.get(dead).address())) {
                gateways.stream().limit(dead).map(Gateway::address).forEach(members::add);
                members.add(proxy.address());
                CompletableFuture<Void> died = new CompletableFuture<>();
                try (RccClient client = RccClient.connect(proxy.address(), ClientOptions.DEFAULT.withCall(call));
                        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<CompletableFuture<Void>> ends = new ArrayList<>();
                    for (int i = 0; i < clients; i++) {
                        long key = i;
                        int own = i;
                        ends.add(CompletableFuture.runAsync(
                                () -> {
                                    for (int afterwards = 0; afterwards < 10; ) {
                                        boolean isAfterwards = died.isDone();
                                        client.execute(txn -> txn.put(
                                                NUMBERS,
                                                key,
                                                txn.get(NUMBERS, key).orElse(0L) + 1));
                                        done.incrementAndGet(own);
                                        total.incrementAndGet();
                                        afterwards += isAfterwards ? 1 : 0;
                                    }
                                },
                                threads));
                    }
                    int killAfter = 20 + random.nextInt(40);
                    assertThat(cluster.await(Duration.ofSeconds(60), () -> total.get() >= killAfter))
                            .as(context)
                            .isTrue();
                    proxy.dieAt(random.nextBoolean() ? CutProxy.COMMIT : CutProxy.COMMITTED, () -> {
                        gateways.get(dead).cut();
                        cluster.stopNode(dead);
                        died.complete(null);
                    });
                    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                            .get(120, TimeUnit.SECONDS);
                    for (int i = 0; i < clients; i++) {
                        long key = i;
                        assertThat(client.<Long>read(txn -> txn.require(NUMBERS, key)))
                                .as("number %d, %s", i, context)
                                .isEqualTo(done.get(i));
                    }
                }
            } finally {
                gateways.forEach(Gateway::close);
            }
        }
    }
}
