package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccLayout;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.server.config.ClusterConfig;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The versions that each transaction sees under MVCC, and the transactions that fail: readers for want of an old version, writers that are too late.
 */
class MvccOnLocalConflictTest extends ProtocolContract implements OnLocal {
    @Override
    public Protocol protocol() {
        return new Mvcc();
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 1000);
    private static final long[] KEYS = LongStream.range(0, 100).toArray();
    /** A transaction earlier than all, which holds locks and never ends. */
    private static final long EARLIER = Timestamp.of(1, 200, 0);
    /** A transaction later than all. */
    private static final long LATER = Timestamp.of(Timestamp.MAX_CLOCK / 2, 200, 0);

    private static ClusterConfig config(Protocol protocol, HybridCode code, RetryPolicy retries) {
        return ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(code)
                .withShape(3, 1, 8, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(retries);
    }

    private static ClusterConfig once(HybridCode code) {
        return config(new Mvcc(), code, RetryPolicy.NEVER);
    }

    /** A transaction that has its timestamp, and goes on when the test releases it. */
    private static final class Held {
        private final CountDownLatch holding = new CountDownLatch(1);
        private final AtomicBoolean released = new AtomicBoolean();
        private CompletableFuture<Result> result;

        /** Starts it; {@code later} happens once it is released, {@code first} at once. */
        static <A> Held start(
                TestCluster cluster,
                int node,
                int coroutine,
                Function<Transaction, A> first,
                BiConsumer<Transaction, A> later) {
            Held held = new Held();
            held.result = cluster.spawn(node, coroutine, procedure(first, (txn, accesses) -> {
                held.holding.countDown();
                while (!held.released.get()) {
                    txn.coroutine().sleep(50_000);
                }
                later.accept(txn, accesses);
            }));
            cluster.await(held.holding);
            return held;
        }

        /** Starts a transaction that does nothing before it is released. */
        static Held start(TestCluster cluster, int node, int coroutine, Consumer<Transaction> later) {
            return start(cluster, node, coroutine, txn -> null, (txn, nothing) -> later.accept(txn));
        }

        Result end(TestCluster cluster) {
            released.set(true);
            return cluster.await(result);
        }
    }

    private static Access fetched(Transaction txn, Access access) {
        txn.fetch();
        return access;
    }

    static long lookup(TablePartition partition, long key) {
        Memory identity = Memory.allocate(Arena.ofAuto(), 16);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(8, key);
        return partition.lookup(KeyHash.of(key), identity, 0);
    }

    // ---- old versions ----------------------------------------------------------------------------------------------

    // Readers begin between the writes of one key and read it when all are done.
    @ForEveryCode
    void shouldShowEachReaderTheVersionOfItsTime(HybridCode code) {
        for (int versions : new int[] {1, 2, 4}) {
            Mvcc mvcc = new Mvcc(new MvccOptions(versions, true, 0));
            try (TestCluster cluster = start(config(mvcc, code, RetryPolicy.NEVER), KEYS)) {
                Table table = cluster.table(0);
                long key = keyOn(cluster, table, 1, 0);
                int writes = 6;
                long[] seen = new long[writes + 1];
                List<Held> readers = new ArrayList<>();
                for (int i = 0; i <= writes; i++) {
                    int reader = i;
                    readers.add(Held.start(cluster, 0, i, txn -> {
                        seen[reader] = fetched(txn, txn.read(table, key)).getLong(VALUE);
                    }));
                    if (i < writes) {
                        cluster.commit(2, write(table, key, 1_000 + i));
                    }
                }
                for (int i = writes; i >= 0; i--) {
                    boolean gone = i <= writes - versions;
                    assertThat(readers.get(i).end(cluster))
                            .as("reader %s of %s versions", i, versions)
                            .isEqualTo(gone ? Result.aborted(Mvcc.VERSION_GONE) : Result.COMMITTED);
                    assertThat(seen[i]).isEqualTo(gone ? 0 : 1_000 + i - 1);
                }
                cluster.assertAtRest();
            }
        }
    }

    // A reader cannot find out any more whether a key existed that came or went after the reader's time; it
    // can for a key that did not.
    @ForEveryCode
    void shouldAbortALateReaderThatCannotDetermineWhetherAKeyExisted(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            long deleted = keyOn(cluster, table, 1, 0);
            long inserted = keyOn(cluster, table, 1, 200);
            long untouched = keyOn(cluster, table, 2, 200);
            cluster.commit(2, write(table, deleted, 5)); // so that there is a history to be dropped
            Held ofDeleted = Held.start(cluster, 0, 0, txn -> fetched(txn, txn.read(table, deleted)));
            Held ofInserted = Held.start(cluster, 0, 1, txn -> fetched(txn, txn.read(table, inserted)));
            Held ofUntouched = Held.start(cluster, 0, 2, txn -> {
                assertThat(fetched(txn, txn.read(table, untouched)).exists()).isFalse();
            });
            cluster.commit(1, delete(table, deleted));
            cluster.commit(2, insert(table, inserted, 1));
            assertThat(ofDeleted.end(cluster)).isEqualTo(Result.aborted(Mvcc.VERSION_GONE));
            assertThat(ofInserted.end(cluster)).isEqualTo(Result.aborted(Mvcc.VERSION_GONE));
            assertThat(ofUntouched.end(cluster)).isEqualTo(Result.COMMITTED);
            // A new key in the same slot has no history of the old one.
            Held ofReinserted = Held.start(cluster, 0, 3, txn -> fetched(txn, txn.read(table, deleted)));
            cluster.commit(1, insert(table, deleted, 7));
            assertThat(ofReinserted.end(cluster)).isEqualTo(Result.aborted(Mvcc.VERSION_GONE));
            assertThat(cluster.read(0, table, deleted)).isEqualTo(7);
            cluster.assertAtRest();
        }
    }

    // ---- late writers ----------------------------------------------------------------------------------------------

    // An earlier transaction changes a record that a later one has read, before or after it has looked at
    // it itself.
    @ForEveryCode
    void shouldAbortAWriterBelowALaterRead(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            for (Intent intent : List.of(Intent.UPDATE, Intent.INSERT, Intent.DELETE, Intent.WRITE)) {
                for (boolean fetchedBefore : new boolean[] {true, false}) {
                    int n = 2 * intent.code() + (fetchedBefore ? 1 : 0);
                    long key = keyOn(cluster, table, 1, intent == Intent.INSERT ? 200 + n : n);
                    Held writer = Held.start(
                            cluster,
                            0,
                            0,
                            txn -> fetchedBefore ? declare(txn, table, key, intent) : null,
                            (txn, access) ->
                                    change(access != null ? access : fetched(txn, declare(txn, table, key, intent))));
                    Long seen = cluster.read(2, table, key);
                    assertThat(writer.end(cluster))
                            .as("%s, fetched %s", intent, fetchedBefore ? "before" : "after")
                            .isEqualTo(Result.aborted(Mvcc.WRITE_TOO_LATE));
                    assertThat(cluster.read(1, table, key)).isEqualTo(seen);
                }
            }
            cluster.assertAtRest();
        }
    }

    // The same, but the later transaction has written.
    @ForEveryCode
    void shouldAbortAWriterBelowALaterWrite(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            long early = keyOn(cluster, table, 1, 0);
            long late = keyOn(cluster, table, 1, 1);
            Held fetchedBefore = Held.start(cluster, 0, 0, txn -> txn.update(table, early), (txn, a) -> change(a));
            Held fetchedAfter = Held.start(cluster, 0, 1, txn -> change(fetched(txn, txn.update(table, late))));
            cluster.commit(2, write(table, early, 5));
            cluster.commit(2, write(table, late, 6));
            assertThat(fetchedBefore.end(cluster)).isEqualTo(Result.aborted(ConflictReasons.VALIDATION_FAILED));
            assertThat(fetchedAfter.end(cluster)).isEqualTo(Result.aborted(Mvcc.WRITE_TOO_LATE));
            assertThat(cluster.read(1, table, early)).isEqualTo(5);
            assertThat(cluster.read(1, table, late)).isEqualTo(6);
            cluster.assertAtRest();
        }
    }

    // Reads of the past and writes go together, as long as no transaction has read in between.
    @ForEveryCode
    void shouldLetAnEarlierTransactionWriteAnUntouchedRecord(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            long read = keyOn(cluster, table, 1, 0);
            long written = keyOn(cluster, table, 2, 0);
            Held earlier = Held.start(cluster, 0, 0, txn -> {
                Access old = txn.read(table, read);
                Access target = txn.update(table, written);
                txn.fetch();
                target.putLong(VALUE, 1_000 + old.getLong(VALUE));
            });
            cluster.commit(2, write(table, read, 5));
            assertThat(earlier.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(cluster.read(1, table, written)).isEqualTo(1_000 + read);
            cluster.assertAtRest();
        }
    }

    // ---- pending writers -------------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldWaitForEarlierWritersOnly(HybridCode code) {
        for (boolean loaded : new boolean[] {true, false}) {
            ObservedProtocol observed = new ObservedProtocol(new Mvcc(new MvccOptions(4, true, 3)));
            try (TestCluster cluster = start(config(observed, code, RetryPolicy.NEVER), loaded ? KEYS : new long[0])) {
                Table table = cluster.table(0);
                long key = keyOn(cluster, table, 1, 1);
                TablePartition partition = observed.context(1, 0).memstore().partition(0, 1);
                long word = loaded ? lookup(partition, key) : table.layout().leafOffset(KeyHash.of(key));
                Procedure reading = procedure(txn -> txn.read(table, key), (txn, access) -> {});
                partition.memory().putVolatile(word, LATER);
                assertThat(cluster.run(0, reading)).isEqualTo(Result.COMMITTED);
                for (Intent intent : Intent.values()) {
                    partition.memory().putVolatile(word, EARLIER);
                    Procedure accessing =
                            procedure(txn -> declare(txn, table, key, intent), (txn, access) -> change(access));
                    assertThat(cluster.run(0, accessing))
                            .as("%s, %s", intent, loaded ? "exists" : "is missing")
                            .isEqualTo(Result.aborted(Mvcc.PENDING_WRITER));
                    assertThat(partition.memory().getAcquire(word)).isEqualTo(EARLIER);
                }
                partition.memory().putVolatile(word, MvccLayout.FREE);
                cluster.assertAtRest();
            }
        }
    }

    // Method: a reader that would wait almost for ever; its round trips show that it is waiting when the lock is
    // dropped.
    @ForEveryCode
    void shouldReadOnceTheEarlierWriterHasUnlocked(HybridCode code) {
        ObservedProtocol observed =
                new ObservedProtocol(new Mvcc(new MvccOptions(4, true, MvccOptions.MAX_PENDING_WAITS)));
        try (TestCluster cluster = start(config(observed, code, RetryPolicy.NEVER), KEYS)) {
            Table table = cluster.table(0);
            long key = keyOn(cluster, table, 1, 1);
            TablePartition partition = observed.context(1, 0).memstore().partition(0, 1);
            long tuple = lookup(partition, key);
            partition.memory().putVolatile(tuple, EARLIER);
            CompletableFuture<Result> reader =
                    cluster.spawn(0, 0, procedure(txn -> txn.read(table, key), (txn, access) -> {}));
            // By the time that another node's transactions have come and gone, it has raised rts or is about to.
            for (int i = 0; i < 5; i++) {
                cluster.read(2, table, keyOn(cluster, table, 1, 2));
            }
            assertThat(reader).isNotDone();
            partition.memory().putVolatile(tuple, MvccLayout.FREE);
            assertThat(cluster.await(reader)).isEqualTo(Result.COMMITTED);
            cluster.assertAtRest();
        }
    }

    // ---- reads before writes ---------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldMakeAnUpdateThatWasNotWrittenARead(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            long key = keyOn(cluster, table, 1, 0);
            Held earlier = Held.start(cluster, 0, 0, txn -> change(fetched(txn, txn.update(table, key))));
            cluster.commit(2, procedure(txn -> txn.update(table, key), (txn, access) -> access.getLong(VALUE)));
            assertThat(earlier.end(cluster)).isEqualTo(Result.aborted(Mvcc.WRITE_TOO_LATE));
            // Overwritten by an earlier one before it ends: it should have read that.
            Held writer = Held.start(cluster, 0, 0, txn -> change(fetched(txn, txn.update(table, key))));
            Held unwritten = Held.start(cluster, 2, 0, txn -> txn.update(table, key), (txn, access) -> {});
            assertThat(writer.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(unwritten.end(cluster)).isEqualTo(Result.aborted(ConflictReasons.VALIDATION_FAILED));
            cluster.assertAtRest();
        }
    }

    // A writer that has not read the record replaces any earlier version that is there, and keeps that
    // version for readers that come in between.
    @ForEveryCode
    void shouldWriteBlindlyOverAConcurrentEarlierWrite(HybridCode code) {
        try (TestCluster cluster = start(once(code), KEYS)) {
            Table table = cluster.table(0);
            long key = keyOn(cluster, table, 1, 0);
            long[] seen = new long[3];
            Held first = Held.start(
                    cluster,
                    1,
                    0,
                    txn -> seen[0] = fetched(txn, txn.read(table, key)).getLong(VALUE));
            Held writer = Held.start(
                    cluster, 0, 0, txn -> txn.update(table, key), (txn, access) -> access.putLong(VALUE, 500));
            Held between = Held.start(
                    cluster,
                    1,
                    1,
                    txn -> seen[1] = fetched(txn, txn.read(table, key)).getLong(VALUE));
            Held blind = Held.start(
                    cluster, 2, 0, txn -> txn.write(table, key), (txn, access) -> access.putLong(VALUE, 600));
            Held later = Held.start(
                    cluster,
                    1,
                    2,
                    txn -> seen[2] = fetched(txn, txn.read(table, key)).getLong(VALUE));
            assertThat(writer.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(blind.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(later.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(between.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(first.end(cluster)).isEqualTo(Result.COMMITTED);
            assertThat(seen).containsExactly(key, 500, 600);
            cluster.assertAtRest();
        }
    }

    // Two keys always have the same value. A transaction reads one to write it; an earlier one writes both;
    // the first then reads the other, and is tried again, whatever it does about the difference.
    @ForEveryCode
    void shouldTryAPreAbortedTransactionAgain(HybridCode code) {
        try (TestCluster cluster = start(config(new Mvcc(), code, PATIENT), KEYS)) {
            Table table = cluster.table(0);
            for (boolean throwing : new boolean[] {true, false}) {
                long first = keyOn(cluster, table, 1, throwing ? 0 : 2);
                long second = keyOn(cluster, table, 2, throwing ? 0 : 2);
                cluster.commit(0, bothTo(table, first, second, 3));
                Held writer = Held.start(cluster, 0, 0, txn -> {
                    bothTo(txn, table, first, second).forEach(access -> access.putLong(VALUE, 4));
                });
                long attempts = cluster.metrics().attempted();
                Held doomed = Held.start(cluster, 2, 0, txn -> txn.update(table, first), (txn, access) -> {
                    if (fetched(txn, txn.read(table, second)).getLong(VALUE) != access.getLong(VALUE)) {
                        if (throwing) {
                            throw new IllegalStateException("the values differ");
                        }
                        txn.abort();
                    }
                });
                assertThat(writer.end(cluster)).isEqualTo(Result.COMMITTED);
                assertThat(doomed.end(cluster)).isEqualTo(Result.COMMITTED);
                assertThat(cluster.metrics().attempted() - attempts)
                        .as("two of the doomed, one of the writer")
                        .isEqualTo(3);
            }
            cluster.assertAtRest();
        }
    }

    // ---- clocks ----------------------------------------------------------------------------------------------------

    // A transaction whose clock is far ahead has read or written a record. A writer's clock follows, and its
    // next attempt commits; a clock that does not follow lets it fail until the time has come.
    @ForEveryCode
    void shouldMoveTheClockPastLaterTimestampsIfItMay(HybridCode code) {
        for (boolean adjusts : new boolean[] {true, false}) {
            for (boolean read : new boolean[] {true, false}) {
                ObservedProtocol observed = new ObservedProtocol(new Mvcc(new MvccOptions(4, adjusts, 0)));
                try (TestCluster cluster = start(config(observed, code, new RetryPolicy(2, 0, 0)), KEYS)) {
                    Table table = cluster.table(0);
                    long key = keyOn(cluster, table, 1, 0);
                    TablePartition partition = observed.context(1, 0).memstore().partition(0, 1);
                    long tuple = lookup(partition, key);
                    long version = tuple + table.layout().tuple().versionOffset();
                    if (read) {
                        partition.memory().putVolatile(tuple + MvccLayout.RTS_OFFSET, LATER);
                    } else {
                        for (int node = 0; node < 3; node++) { // on the backups, too: they compare
                            Memory memory = observed.context(node, 0)
                                    .memstore()
                                    .partition(0, 1)
                                    .memory();
                            table.layout().tuple().putChecksum(memory, tuple, LATER);
                            memory.putVolatile(version, LATER);
                        }
                    }
                    assertThat(cluster.run(0, write(table, key, 1_000)))
                            .isEqualTo(adjusts ? Result.COMMITTED : Result.aborted(Mvcc.WRITE_TOO_LATE));
                    if (adjusts) {
                        assertThat(Timestamp.isBefore(LATER, partition.memory().getAcquire(version)))
                                .isTrue();
                    }
                    assertThat(cluster.metrics().attempted()).isEqualTo(2);
                    cluster.assertAtRest();
                }
            }
        }
    }

    private static List<Access> bothTo(Transaction txn, Table table, long first, long second) {
        List<Access> accesses = List.of(txn.update(table, first), txn.update(table, second));
        txn.fetch();
        return accesses;
    }

    private static Procedure bothTo(Table table, long first, long second, long value) {
        return procedure(
                txn -> List.of(txn.update(table, first), txn.update(table, second)),
                (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, value)));
    }

    private static void change(Access access) {
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
