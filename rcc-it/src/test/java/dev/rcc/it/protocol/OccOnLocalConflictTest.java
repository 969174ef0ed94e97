package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The transactions that fail under OCC: those that have read a record which another one has written by the time they commit, and those that meet a
 * lock.
 */
class OccOnLocalConflictTest extends ProtocolContract implements OnLocal {
    @Override
    public Protocol protocol() {
        return new Occ();
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 1000);
    /** A transaction that holds locks and never ends. */
    private static final long FOREIGN = Timestamp.of(1, 200, 0);

    private static ClusterConfig once(ClusterConfig config) {
        return config.withRetries(RetryPolicy.NEVER);
    }

    /** A cluster whose protocol shows the memory of its nodes. */
    private static ClusterConfig once(ObservedProtocol observed, HybridCode code, TableSchema schema) {
        return ClusterConfig.of(observed, List.of(schema))
                .withCode(code)
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(RetryPolicy.NEVER);
    }

    private static long[] loaded(boolean loaded) {
        return loaded ? LongStream.range(0, 400).toArray() : new long[0];
    }

    // Method: one transaction stays in its procedure with one access; another then does each access to the
    // same key, or to another key of the same leaf, and commits, since no lock is held.
    @ForEveryCode
    void shouldFailExactlyThoseWhoseReadsWereOverwritten(HybridCode code) {
        for (boolean loaded : new boolean[] {true, false}) {
            try (TestCluster cluster = start(once(config(code, SCHEMA)), loaded(loaded))) {
                Table table = cluster.table(0);
                int n = 0;
                for (Intent held : Intent.values()) {
                    for (Intent wanted : Intent.values()) {
                        for (boolean sameKey : new boolean[] {true, false}) {
                            long[] keys = keysOfOneLeaf(cluster, table, n % 3, 2 + n);
                            long key = keys[keys.length - 1];
                            long other = sameKey ? key : keys[keys.length - 2];
                            reset(cluster, table, key, loaded);
                            reset(cluster, table, other, loaded);
                            Result result = overtaken(cluster, accessing(table, key, held), () -> {
                                cluster.commit(2, accessing(table, other, wanted));
                            });
                            boolean writes = wanted != Intent.READ && loaded == (wanted != Intent.INSERT);
                            boolean changesKeys = writes && wanted != Intent.UPDATE && wanted != Intent.WRITE;
                            boolean blind = held == Intent.WRITE && loaded; // whatever record it replaces
                            boolean fails = sameKey ? (blind ? changesKeys : writes) : changesKeys && !loaded;
                            assertThat(result)
                                    .as("%s, then %s, %s, %s", held, wanted, sameKey, loaded ? "exists" : "is missing")
                                    .isEqualTo(
                                            fails
                                                    ? Result.aborted(ConflictReasons.VALIDATION_FAILED)
                                                    : Result.COMMITTED);
                            n = (n + 1) % 6;
                        }
                    }
                }
                cluster.assertAtRest();
            }
        }
    }

    private static void reset(TestCluster cluster, Table table, long key, boolean exists) {
        cluster.commit(0, exists ? insert(table, key, 1) : delete(table, key));
    }

    /** Runs a transaction; while it is in its procedure, does something else. */
    private static Result overtaken(TestCluster cluster, Procedure procedure, Runnable meanwhile) {
        CountDownLatch holding = new CountDownLatch(1);
        AtomicBoolean release = new AtomicBoolean();
        CompletableFuture<Result> result = cluster.spawn(0, 0, AtomicityContract.waiting(procedure, holding, release));
        cluster.await(holding);
        meanwhile.run();
        release.set(true);
        return cluster.await(result);
    }

    // A foreign lock on the tuple or leaf, taken before or after the fetch, and dropped in the end.
    @ForEveryCode
    void shouldAbortOnLocksOfOthersAndLeaveThemAlone(HybridCode code) {
        for (boolean loaded : new boolean[] {true, false}) {
            ObservedProtocol observed = new ObservedProtocol(protocol());
            try (TestCluster cluster = start(once(observed, code, SCHEMA), loaded(loaded))) {
                Table table = cluster.table(0);
                long key = keyOn(cluster, table, 1, 2);
                long bystander = keyOn(cluster, table, 2, 3);
                TablePartition partition = observed.context(1, 0).memstore().partition(0, 1);
                long tuple = loaded ? lookup(partition, key) : -1;
                long leaf = table.layout().leafOffset(KeyHash.of(key));
                for (Intent intent : Intent.values()) {
                    Procedure procedure = procedure(
                            txn -> List.of(declare(txn, table, bystander, intent), declare(txn, table, key, intent)),
                            (txn, accesses) -> accesses.forEach(OccOnLocalConflictTest::write));
                    long word = loaded ? tuple : leaf;
                    partition.memory().putVolatile(word, FOREIGN);
                    assertThat(cluster.run(0, procedure))
                            .as("%s of what is locked", intent)
                            .isEqualTo(Result.aborted(AbortReason.LOCK_CONFLICT));
                    assertThat(partition.memory().getAcquire(word)).isEqualTo(FOREIGN);
                    partition.memory().putVolatile(word, 0);
                    boolean writes = intent != Intent.READ && loaded == (intent != Intent.INSERT);
                    Result result = overtaken(
                            cluster, procedure, () -> partition.memory().putVolatile(word, FOREIGN));
                    assertThat(result)
                            .as("%s of what is locked later", intent)
                            .isEqualTo(Result.aborted(
                                    writes ? AbortReason.LOCK_CONFLICT : ConflictReasons.VALIDATION_FAILED));
                    assertThat(partition.memory().getAcquire(word)).isEqualTo(FOREIGN);
                    partition.memory().putVolatile(word, 0);
                    cluster.assertAtRest();
                    assertThat(cluster.read(1, table, key)).isEqualTo(loaded ? key : null);
                    assertThat(cluster.read(1, table, bystander)).isEqualTo(loaded ? bystander : null);
                }
            }
        }
    }

    // A record that was read is deleted, and its slot is the only one left for a record that the transaction
    // inserts. When the transaction comes to lock what it has read, it holds the lock of that slot itself.
    @ForEveryCode
    void shouldFailOnARecordWhoseSlotItTakesItself(HybridCode code) {
        TableSchema small = TableSchema.ofLongKeys(0, "small", 8, 24);
        ObservedProtocol observed = new ObservedProtocol(protocol());
        try (TestCluster cluster = start(once(observed, code, small))) {
            Table table = cluster.table(0);
            int keys = 0;
            while (cluster.run(0, insert(table, keyOn(cluster, table, 1, keys), keys))
                    .equals(Result.COMMITTED)) {
                keys++;
            }
            long inserted = keyOn(cluster, table, 1, keys);
            TablePartition partition = observed.context(1, 0).memstore().partition(0, 1);
            long deleted = IntStream.range(0, keys)
                    .mapToLong(i -> keyOn(cluster, table, 1, i))
                    .filter(key -> mayTakeTheSlotOf(partition, inserted, lookup(partition, key)))
                    .findFirst()
                    .orElseThrow();
            Procedure procedure = procedure(
                    txn -> List.of(txn.insert(table, inserted), txn.update(table, deleted)),
                    (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, 1)));
            assertThat(overtaken(cluster, procedure, () -> cluster.commit(2, delete(table, deleted))))
                    .isEqualTo(Result.aborted(ConflictReasons.VALIDATION_FAILED));
            assertThat(cluster.read(1, table, inserted)).isNull();
            cluster.commit(2, insert(table, inserted, 1));
            cluster.assertAtRest();
        }
    }

    private static boolean mayTakeTheSlotOf(TablePartition partition, long key, long tuple) {
        TableLayout layout = partition.table().layout();
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            for (int i = 0; i < TableLayout.BUCKET_ENTRIES; i++) {
                long entry = layout.bucketOffset(KeyHash.of(key), choice) + (long) i * Memory.WORD_BYTES;
                if (layout.tupleOfEntry(entry) == tuple) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long lookup(TablePartition partition, long key) {
        Memory identity = Memory.allocate(java.lang.foreign.Arena.ofAuto(), 16);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(8, key);
        return partition.lookup(KeyHash.of(key), identity, 0);
    }

    // Two keys always have the same value. A transaction that sees them differ, since another one came in
    // between, is tried again, whether it then throws, aborts without a retry, or outgrows its buffer.
    @ForEveryCode
    void shouldRetryAPreAbortedTransactionEvenIfItThrowsOrAborts(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA), loaded(true))) {
            Table table = cluster.table(0);
            for (int variant = 0; variant < 4; variant++) {
                int what = variant;
                long first = keyOn(cluster, table, 1, variant);
                long second = keyOn(cluster, table, 2, variant);
                cluster.commit(0, bothTo(table, first, second, 0));
                long attempts = cluster.metrics().attempted();
                Result result = readInTwoSteps(cluster, table, first, second, txn -> misbehave(txn, table, what), true);
                assertThat(result).as("variant %s", variant).isEqualTo(Result.COMMITTED);
                assertThat(cluster.metrics().attempted() - attempts)
                        .as("two of the reader, one of the writer")
                        .isEqualTo(3);
            }
            cluster.assertAtRest();
        }
    }

    // The same, but no transaction comes in between: then the end of the procedure is final.
    @ForEveryCode
    void shouldReportTheExceptionOrAbortOfATransactionWithValidReads(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA), loaded(true))) {
            Table table = cluster.table(0);
            for (int variant = 0; variant < 4; variant++) {
                int what = variant;
                long first = keyOn(cluster, table, 1, variant);
                long second = keyOn(cluster, table, 2, variant);
                cluster.commit(0, write(table, second, first + 1));
                long attempts = cluster.metrics().attempted();
                Result result =
                        readInTwoSteps(cluster, table, first, second, txn -> misbehave(txn, table, what), false);
                if (what == 1) {
                    assertThat(result).isEqualTo(Result.aborted(AbortReason.USER_ABORT));
                } else {
                    assertThat(result.thrown()).as("variant %s", what).isNotNull();
                }
                assertThat(cluster.metrics().attempted() - attempts).isLessThanOrEqualTo(1);
            }
            cluster.assertAtRest();
        }
    }

    // The same of two keys that come and go together, and whose records are not read: only the key that is
    // there would be written.
    @ForEveryCode
    void shouldTryADoomedBlindWriteAgain(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA), loaded(true))) {
            Table table = cluster.table(0);
            for (int round = 0; round < 3; round++) {
                long first = keyOn(cluster, table, 1, round);
                long second = keyOn(cluster, table, 2, round);
                long attempts = cluster.metrics().attempted();
                boolean replaced = round == 2;
                Result result = overtakenBetween(
                        cluster,
                        procedure(txn -> txn.write(table, first), (txn, early) -> {}),
                        () -> cluster.commit(
                                2,
                                replaced
                                        ? bothTo(table, first, second, 9)
                                        : procedure(
                                                txn -> List.of(txn.delete(table, first), txn.delete(table, second)),
                                                (txn, accesses) -> {})),
                        (txn, early) -> {
                            Access late = txn.write(table, second);
                            txn.fetch();
                            if (late.exists() != early.exists()) {
                                throw new IllegalStateException("only one exists");
                            }
                        });
                assertThat(result).as("round %s", round).isEqualTo(Result.COMMITTED);
                assertThat(cluster.metrics().attempted() - attempts).isEqualTo(replaced ? 2 : 3);
            }
            cluster.assertAtRest();
        }
    }

    /** Runs a transaction in two steps; between them, does something else. */
    private static Result overtakenBetween(
            TestCluster cluster, Procedure first, Runnable meanwhile, BiConsumer<Transaction, Access> second) {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch holding = new CountDownLatch(1);
        CompletableFuture<Result> result = cluster.spawn(
                0,
                0,
                procedure(
                        txn -> {
                            first.declare(txn);
                            return txn.access(0);
                        },
                        (txn, early) -> {
                            holding.countDown();
                            while (!done.get()) {
                                txn.coroutine().sleep(50_000);
                            }
                            second.accept(txn, early);
                        }));
        cluster.await(holding);
        meanwhile.run();
        done.set(true);
        return cluster.await(result);
    }

    private static void misbehave(Transaction txn, Table table, int what) {
        switch (what) {
            case 0 -> throw new IllegalStateException("the values differ");
            case 1 -> txn.abort();
            case 2 -> {
                for (long key = 0; key < 1_000_000; key++) {
                    txn.read(table, key);
                }
            }
            default -> {
                txn.insert(table, 1_000_000);
                txn.fetch();
                throw new IllegalStateException("the values differ, with more fetched");
            }
        }
    }

    private Result readInTwoSteps(
            TestCluster cluster,
            Table table,
            long first,
            long second,
            Consumer<Transaction> ifTheyDiffer,
            boolean disturbed) {
        CountDownLatch holding = new CountDownLatch(1);
        AtomicBoolean release = new AtomicBoolean();
        CompletableFuture<Result> reader =
                cluster.spawn(0, 0, procedure(txn -> txn.read(table, first), (txn, early) -> {
                    long value = early.getLong(VALUE);
                    holding.countDown();
                    while (!release.get()) {
                        txn.coroutine().sleep(50_000);
                    }
                    Access late = txn.read(table, second);
                    txn.fetch();
                    if (late.getLong(VALUE) != value) {
                        ifTheyDiffer.accept(txn);
                    }
                }));
        cluster.await(holding);
        if (disturbed) {
            cluster.commit(1, bothTo(table, first, second, -1));
        }
        release.set(true);
        return cluster.await(reader);
    }

    private static Procedure bothTo(Table table, long first, long second, long value) {
        return procedure(
                txn -> List.of(txn.update(table, first), txn.update(table, second)),
                (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, value)));
    }

    private static Procedure accessing(Table table, long key, Intent intent) {
        return procedure(txn -> declare(txn, table, key, intent), (txn, access) -> write(access));
    }

    private static void write(Access access) {
        if (access.intent() == Intent.UPDATE && access.exists()) {
            access.putLong(VALUE, -7);
        }
    }

    private static Access declare(Transaction txn, Table table, long key, Intent intent) {
        return switch (intent) {
            case READ -> txn.read(table, key);
            case UPDATE -> txn.update(table, key);
            case INSERT -> txn.insert(table, key);
            case DELETE -> txn.delete(table, key);
            case WRITE -> txn.write(table, key);
        };
    }
}
