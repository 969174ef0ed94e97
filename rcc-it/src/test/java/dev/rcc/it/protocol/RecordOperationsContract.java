package dev.rcc.it.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The operations of a single transaction on records, and its limits. Nothing here runs concurrently. */
abstract class RecordOperationsContract extends ProtocolContract {
    private static final TableSchema NUMBERS = TableSchema.ofLongKeys(0, "numbers", 16, 100);
    private static final TableSchema WORDS = TableSchema.ofByteKeys(1, "words", 40, 12, 100);
    private static final TableSchema LARGEST =
            TableSchema.ofByteKeys(2, "largest", TableSchema.MAX_KEY_BYTES, TableSchema.MAX_RECORD_BYTES, 1);

    // ---- one record ------------------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldReadLoadedRecords(HybridCode code) {
        long[] keys = LongStream.range(0, 50).toArray();
        try (TestCluster cluster = start(config(code, NUMBERS), keys)) {
            for (long key : keys) {
                assertThat(cluster.read((int) key % 3, cluster.table(0), key)).isEqualTo(key);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldReadItsUpdatesFromEveryNode(HybridCode code) {
        long[] keys = LongStream.range(0, 12).toArray();
        try (TestCluster cluster = start(config(code, NUMBERS), keys)) {
            for (long key : keys) {
                cluster.commit((int) key % 3, write(cluster.table(0), key, key + 1_000));
                for (int node = 0; node < 3; node++) {
                    assertThat(cluster.read(node, cluster.table(0), key)).isEqualTo(key + 1_000);
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldLeaveARecordAloneThatItDeclaredForUpdateButDidNotWrite(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1, 2)) {
            cluster.commit(
                    0, procedure(txn -> txn.update(cluster.table(0), 1), (txn, access) -> access.getLong(VALUE)));
            assertThat(cluster.read(1, cluster.table(0), 1)).isEqualTo(1);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldReplaceAWholeRecordThatItDoesNotRead(HybridCode code) {
        long[] keys = LongStream.range(0, 6).toArray();
        try (TestCluster cluster = start(
                config(code, NUMBERS),
                c -> LongStream.of(keys)
                        .forEach(key -> c.loader.load(c.table(0), key, record -> {
                            record.putLong(VALUE, key);
                            record.putLong(8, -1);
                        })))) {
            Table table = cluster.table(0);
            for (int round = 0; round < 2; round++) { // the second time, addresses are known
                for (long key : keys) {
                    long value = 1_000L * (round + 1) + key;
                    long[] seen = new long[2];
                    cluster.commit((int) key % 3, procedure(txn -> txn.write(table, key), (txn, access) -> {
                        assertThat(access.exists()).isTrue();
                        assertThat(access.version()).isZero();
                        assertThat(access.getLong(VALUE)).isZero();
                        access.putLong(VALUE, value);
                        assertThat(access.getLong(VALUE)).isEqualTo(value);
                    }));
                    cluster.commit((int) (key + 1) % 3, procedure(txn -> txn.read(table, key), (txn, access) -> {
                        seen[0] = access.getLong(VALUE);
                        seen[1] = access.getLong(8);
                    }));
                    assertThat(seen).as("what was not put is zero").containsExactly(value, 0);
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldReplaceARecordWithZerosIfItOnlyDeclaresThat(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1, 2)) {
            Table table = cluster.table(0);
            cluster.commit(0, procedure(txn -> txn.write(table, 1), (txn, access) -> txn.write(table, 2)));
            assertThat(cluster.read(1, table, 1)).isZero();
            assertThat(cluster.read(2, table, 2)).isZero();
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldWriteNothingUnderAMissingKey(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            long missing = keysOfOneLeaf(cluster, table, 0, 2)[1] + 100;
            cluster.commit(0, procedure(txn -> txn.write(table, missing), (txn, access) -> {
                assertThat(access.exists()).isFalse();
                assertThatIllegalStateException()
                        .isThrownBy(() -> access.putLong(VALUE, 5))
                        .withMessageContaining("does not exist");
            }));
            assertThat(cluster.read(1, table, missing)).isNull();
            cluster.commit(1, insert(table, missing, 3));
            cluster.commit(0, procedure(txn -> txn.write(table, missing), (txn, a) -> a.putLong(VALUE, 4)));
            assertThat(cluster.read(2, table, missing)).isEqualTo(4);
            cluster.commit(2, delete(table, missing));
            cluster.commit(
                    0,
                    procedure(
                            txn -> txn.write(table, missing),
                            (txn, a) -> assertThat(a.exists()).isFalse()));
            assertThat(cluster.read(1, table, missing)).isNull();
            cluster.assertAtRest();
        }
    }

    // Goal: the bytes that take the place of the fetched ones are complete: history, logs and backups are as
    // after an update.
    @ForEveryCode
    void shouldReplaceTheLargestRecordsUnderTheLongestKeys(HybridCode code) {
        byte[] key = new byte[TableSchema.MAX_KEY_BYTES];
        Arrays.fill(key, (byte) 7);
        int last = TableSchema.MAX_RECORD_BYTES - Long.BYTES;
        ClusterConfig config = config(code, NUMBERS, WORDS, LARGEST).withMemory(1024 * 1024, 256 * 1024, 1024);
        try (TestCluster cluster = start(config)) {
            Table table = cluster.table(2);
            cluster.commit(0, procedure(txn -> txn.insert(table, key), (txn, access) -> access.putLong(last, 1)));
            cluster.commit(1, procedure(txn -> txn.write(table, key), (txn, access) -> access.putLong(last, 2)));
            long[] seen = new long[1];
            cluster.commit(2, procedure(txn -> txn.read(table, key), (txn, access) -> seen[0] = access.getLong(last)));
            assertThat(seen[0]).isEqualTo(2);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldInsertDeleteAndInsertAgain(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS))) {
            Table table = cluster.table(0);
            for (long round = 0; round < 3; round++) {
                for (long key = 0, keys = Math.max(3, rounds(12)); key < keys; key++) {
                    int node = (int) key % 3;
                    cluster.commit(node, insert(table, key, 100 * round + key));
                    assertThat(cluster.read((node + 1) % 3, table, key)).isEqualTo(100 * round + key);
                    cluster.commit((node + 2) % 3, delete(table, key));
                    assertThat(cluster.read(node, table, key)).isNull();
                }
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldZeroAnInsertedRecordThatItDoesNotWrite(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            long other = keysOfOneLeaf(cluster, table, 0, 2)[1];
            cluster.commit(0, insert(table, other, -1));
            cluster.commit(0, delete(table, other));
            cluster.commit(0, procedure(txn -> txn.insert(table, other), (txn, access) -> {}));
            assertThat(cluster.read(1, table, other)).isZero();
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldLeaveAnExistingRecordAloneWhenItIsInsertedAgain(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            boolean[] existed = new boolean[1];
            Long[] value = new Long[1];
            cluster.commit(2, procedure(txn -> txn.insert(cluster.table(0), 1), (txn, access) -> {
                existed[0] = access.exists();
                value[0] = valueOf(access);
            }));
            assertThat(existed[0]).isTrue();
            assertThat(value[0]).isEqualTo(1);
            assertThat(cluster.read(0, cluster.table(0), 1)).isEqualTo(1);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldReportAMissingKeyAsNonexistentAndNotCreateIt(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            for (int node = 0; node < 3; node++) {
                List<Boolean> exist = new ArrayList<>();
                cluster.commit(
                        node,
                        procedure(
                                txn -> List.of(
                                        txn.read(table, 7),
                                        txn.update(table, 8),
                                        txn.delete(table, 9),
                                        txn.write(table, 10)),
                                (txn, accesses) -> {
                                    exist.clear();
                                    accesses.forEach(access -> exist.add(access.exists()));
                                }));
                assertThat(exist).containsExactly(false, false, false, false);
            }
            for (long key = 7; key <= 10; key++) {
                assertThat(cluster.read(0, table, key)).isNull();
            }
            cluster.assertAtRest();
        }
    }

    // ---- keys ------------------------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldDistinguishByteKeysByLengthAndContent(HybridCode code) {
        List<byte[]> keys = List.of(
                new byte[] {0},
                new byte[] {0, 0},
                new byte[8],
                new byte[9],
                new byte[40],
                "a".getBytes(UTF_8),
                "aaaaaaaa".getBytes(UTF_8),
                "aaaaaaaab".getBytes(UTF_8));
        try (TestCluster cluster = start(config(code, NUMBERS, WORDS))) {
            Table table = cluster.table(1);
            for (int i = 0; i < keys.size(); i++) {
                byte[] key = keys.get(i);
                int value = i;
                cluster.commit(
                        i % 3, procedure(txn -> txn.insert(table, key), (txn, access) -> access.putLong(VALUE, value)));
            }
            for (int i = 0; i < keys.size(); i++) {
                byte[] key = keys.get(i);
                Long[] value = new Long[1];
                cluster.commit(
                        (i + 1) % 3,
                        procedure(txn -> txn.read(table, key), (txn, access) -> value[0] = valueOf(access)));
                assertThat(value[0]).as("key %s", Arrays.toString(key)).isEqualTo(i);
            }
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldTreatAKeyThatIsDeclaredTwiceAsOne(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            cluster.commit(
                    1,
                    procedure(
                            txn -> List.of(txn.read(table, 1), txn.update(table, 1), txn.read(table, 1)),
                            (txn, accesses) -> {
                                accesses.get(1).putLong(VALUE, 5);
                                assertThat(accesses.get(0).getLong(VALUE)).isEqualTo(5);
                                assertThat(txn.size()).isEqualTo(1);
                            }));
            assertThat(cluster.read(0, table, 1)).isEqualTo(5);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldFetchKeysThatItDiscovers(HybridCode code) {
        int length = 6;
        try (TestCluster cluster = start(
                config(code, NUMBERS),
                c -> LongStream.range(0, length).forEach(key -> c.loader.load(c.table(0), key, value(key + 1))))) {
            Table table = cluster.table(0);
            List<Long> path = new ArrayList<>();
            Procedure followTheChain = procedure(txn -> txn.read(table, 0), (txn, first) -> {
                path.clear();
                Access at = first;
                while (at.exists()) {
                    path.add(at.getLong(VALUE));
                    at = txn.read(table, at.getLong(VALUE));
                    txn.fetch();
                }
                Access end = txn.insert(table, 100);
                txn.fetch();
                end.putLong(VALUE, path.size());
            });
            cluster.commit(1, followTheChain);
            assertThat(path).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(cluster.read(2, table, 100)).isEqualTo(length);
            cluster.assertAtRest();
        }
    }

    // ---- several records -------------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldWriteSeveralTablesOnSeveralNodesAtOnce(HybridCode code) {
        long[] keys = LongStream.range(0, 9).toArray();
        try (TestCluster cluster = start(config(code, NUMBERS, WORDS), keys)) {
            Table numbers = cluster.table(0);
            Table words = cluster.table(1);
            cluster.commit(
                    0,
                    procedure(
                            txn -> {
                                List<Access> accesses = new ArrayList<>();
                                for (long key = 0; key < 9; key++) {
                                    byte[] word = {(byte) key};
                                    accesses.add(key % 3 == 0 ? txn.delete(numbers, key) : txn.update(numbers, key));
                                    accesses.add(txn.insert(words, word));
                                }
                                return accesses;
                            },
                            (txn, accesses) -> {
                                for (int i = 0; i < accesses.size(); i++) {
                                    if (i % 6 != 0) {
                                        accesses.get(i).putLong(VALUE, 100 + i);
                                    }
                                }
                            }));
            for (int key = 0; key < 9; key++) {
                byte[] word = {(byte) key};
                Long[] value = new Long[1];
                cluster.commit(1, procedure(txn -> txn.read(words, word), (txn, a) -> value[0] = valueOf(a)));
                assertThat(value[0]).isEqualTo(101 + 2 * key);
                assertThat(cluster.read(2, numbers, key)).isEqualTo(key % 3 == 0 ? null : Long.valueOf(100 + 2 * key));
            }
            cluster.assertAtRest();
        }
    }

    // Goal: a set of keys behaves as a map does, whatever their slots, leaves and cached addresses went through.
    @ForEveryCode
    void shouldBehaveAsAMapDoes(HybridCode code) {
        SplittableRandom random = new SplittableRandom(config(code, NUMBERS).seed());
        try (TestCluster cluster = start(config(code, TableSchema.ofLongKeys(0, "map", 8, 1)))) {
            Table table = cluster.table(0);
            Long[] expected = new Long[24];
            for (int step = 0, steps = rounds(150); step < steps; step++) {
                int first = random.nextInt(24);
                int second = random.nextInt(24);
                int value = step;
                cluster.commit(
                        random.nextInt(3),
                        procedure(
                                txn -> List.of(touch(txn, table, first, expected), touch(txn, table, second, expected)),
                                (txn, accesses) -> {
                                    for (Access access : accesses) {
                                        if (access.intent() != Intent.DELETE) {
                                            access.putLong(VALUE, value);
                                        }
                                    }
                                }));
                for (int key : first == second ? new int[] {first} : new int[] {first, second}) {
                    boolean deleted = expected[key] != null && key % 2 == 0;
                    expected[key] = deleted ? null : Long.valueOf(value);
                }
                int key = random.nextInt(24);
                assertThat(cluster.read(random.nextInt(3), table, key))
                        .as("step %s, key %s", step, key)
                        .isEqualTo(expected[key]);
            }
            cluster.assertAtRest();
        }
    }

    /** Inserts a key that is not there; deletes an even one that is, updates an odd one that is, every other one blindly. */
    private static Access touch(Transaction txn, Table table, int key, Long[] map) {
        if (map[key] == null) {
            return txn.insert(table, key);
        }
        if (key % 2 == 0) {
            return txn.delete(table, key);
        }
        return key % 4 == 1 ? txn.write(table, key) : txn.update(table, key);
    }

    // Goal: an old address does not lead astray, even when its slot holds another key of the same transaction now.
    // Method: node 0 knows where both keys are, or were, and accesses both, in all orders and modes.
    @ForEveryCode
    void shouldFindTwoKeysOfWhichOneHasTheSlotThatTheOtherHad(HybridCode code) {
        ClusterConfig config = config(code, NUMBERS).withRetries(new RetryPolicy(50, 1_000, 1_000));
        for (int variant = 0; variant < 8; variant++) {
            boolean gone = (variant & 1) != 0;
            boolean goneFirst = (variant & 2) != 0;
            boolean readsGone = (variant & 4) != 0;
            try (TestCluster cluster = start(config)) {
                Table table = cluster.table(0);
                long[] keys = keysOfOneLeaf(cluster, table, 1, 2);
                cluster.commit(0, insert(table, keys[0], 10));
                assertThat(cluster.read(0, table, keys[0])).isEqualTo(10);
                cluster.commit(2, delete(table, keys[0]));
                cluster.commit(2, insert(table, keys[1], 20));
                assertThat(cluster.read(0, table, keys[1])).isEqualTo(20);
                if (!gone) {
                    cluster.commit(2, insert(table, keys[0], 30));
                }
                List<Long> values = new ArrayList<>();
                Procedure both = procedure(
                        txn -> {
                            Access old = goneFirst ? access(txn, table, keys[0], readsGone) : null;
                            Access now = access(txn, table, keys[1], !readsGone);
                            return List.of(old != null ? old : access(txn, table, keys[0], readsGone), now);
                        },
                        (txn, accesses) -> {
                            values.clear();
                            accesses.forEach(access -> values.add(valueOf(access)));
                        });
                assertThat(cluster.run(0, both)).as("variant %s", variant).isEqualTo(Result.COMMITTED);
                assertThat(values).containsExactly(gone ? null : Long.valueOf(30), 20L);
                cluster.assertAtRest();
            }
        }
    }

    private static Access access(Transaction txn, Table table, long key, boolean reads) {
        return reads ? txn.read(table, key) : txn.update(table, key);
    }

    // ---- limits ----------------------------------------------------------------------------------------------------

    @ForEveryCode
    void shouldCarryTheLargestKeyAndRecord(HybridCode code) {
        byte[] key = new byte[TableSchema.MAX_KEY_BYTES];
        byte[] record = new byte[TableSchema.MAX_RECORD_BYTES];
        Arrays.fill(key, (byte) 0xAB);
        for (int i = 0; i < record.length; i++) {
            record[i] = (byte) (i * 31);
        }
        ClusterConfig config = config(code, NUMBERS, WORDS, LARGEST).withMemory(256 * 1024, 256 * 1024, 1024);
        try (TestCluster cluster = start(config)) {
            Table table = cluster.table(2);
            cluster.commit(
                    0,
                    procedure(
                            txn -> txn.insert(table, key),
                            (txn, access) -> access.putBytes(0, record, 0, record.length)));
            byte[] found = new byte[record.length];
            cluster.commit(
                    1,
                    procedure(
                            txn -> txn.read(table, key), (txn, access) -> access.getBytes(0, found, 0, found.length)));
            assertThat(found).isEqualTo(record);
            cluster.commit(
                    2,
                    procedure(
                            txn -> txn.update(table, key),
                            (txn, access) -> access.putBytes(record.length - 1, new byte[] {77}, 0, 1)));
            cluster.commit(
                    0,
                    procedure(
                            txn -> txn.read(table, key), (txn, access) -> access.getBytes(0, found, 0, found.length)));
            assertThat(found[record.length - 1]).isEqualTo((byte) 77);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldCommitWithoutAnyAccess(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS))) {
            cluster.commit(0, procedure(txn -> null, (txn, nothing) -> {}));
            cluster.assertAtRest();
        }
    }

    // Goal: wherever a transaction outgrows its buffer, while it declares, with locks held, or while it
    // commits, it ends with an exception, leaves nothing behind, and its coroutine runs the next
    // transaction.
    // Method: more and more records, all of them inserted, until some do not fit; small steps meet every
    // stage's limit.
    @ForEveryCode
    void shouldLeaveNothingOfATransactionThatIsTooLarge(HybridCode code) {
        TableSchema schema = TableSchema.ofLongKeys(0, "steps", 56, 400);
        int stride = Math.max(1, 100 / rounds(100));
        for (boolean discovered : new boolean[] {false, true}) {
            try (TestCluster cluster = start(config(code, schema).withMemory(64 * 1024, 8 * 1024, 1024))) {
                Table table = cluster.table(0);
                int tooLarge = 0;
                int fitting = 0;
                for (int size = 4; size < 150; size += stride) {
                    int records = size;
                    Procedure insertMany = procedure(txn -> txn.insert(table, 0), (txn, first) -> {
                        for (int key = 1; key < records; key++) {
                            txn.insert(table, key);
                            if (discovered && key % 4 == 0) {
                                txn.fetch();
                            }
                        }
                        txn.fetch();
                        for (int i = 0; i < txn.size(); i++) {
                            txn.access(i).putLong(VALUE, records);
                        }
                    });
                    Result result = cluster.run(0, insertMany);
                    if (result.thrown() != null) {
                        assertThat(result.thrown()).isInstanceOf(TransactionTooLarge.class);
                        assertThat(cluster.read(0, table, 0))
                                .as("%s records", records)
                                .isNull();
                        tooLarge++;
                    } else {
                        assertThat(result).isEqualTo(Result.COMMITTED);
                        cluster.commitAll(1, deletionsOfFour(table, records));
                        fitting++;
                    }
                }
                assertThat(fitting).isPositive();
                assertThat(tooLarge).isPositive();
                cluster.assertAtRest();
            }
        }
    }

    /** Transactions that delete the keys below {@code end}, four each, and want them to be there. */
    private static List<Procedure> deletionsOfFour(Table table, int end) {
        List<Procedure> deletions = new ArrayList<>();
        for (int from = 0; from < end; from += 4) {
            int start = from;
            deletions.add(procedure(
                    txn -> LongStream.range(start, Math.min(start + 4, end))
                            .mapToObj(key -> txn.delete(table, key))
                            .toList(),
                    (txn, accesses) -> accesses.forEach(
                            access -> assertThat(access.exists()).isTrue())));
        }
        return deletions;
    }

    @ForEveryCode
    void shouldEndWithoutRetriesAndLeaveNothingWhenATableIsFull(HybridCode code) {
        TableSchema tiny = TableSchema.ofLongKeys(0, "tiny", 8, 1);
        try (TestCluster cluster = start(config(code, tiny, WORDS))) {
            Table table = cluster.table(0);
            long slots = table.layout().slots();
            long[] keys = keysOn(cluster, 1, (int) slots + 1);
            byte[] word = {1};
            LongFunction<Procedure> insertion = key -> procedure(
                    txn -> List.of(txn.insert(cluster.table(1), word), txn.insert(table, key)),
                    (txn, accesses) -> accesses.get(1).putLong(VALUE, key));
            int inserted = (int) Math.ceil(0.6 * slots); // so many must fit
            cluster.commitAll(
                    0, LongStream.of(keys).limit(inserted).mapToObj(insertion).toList());
            Result result = Result.COMMITTED;
            long attempts = 0;
            while (result.equals(Result.COMMITTED)) {
                long key = keys[inserted];
                attempts = cluster.metrics().attempted();
                result = cluster.run(0, insertion.apply(key));
                inserted++;
            }
            inserted--;
            assertThat(result).isEqualTo(Result.aborted(AbortReason.TABLE_FULL));
            assertThat(cluster.metrics().attempted() - attempts).isEqualTo(1);
            assertThat((double) inserted).isBetween(0.6 * slots, (double) slots);
            assertThat(cluster.read(2, table, keys[inserted])).isNull();
            cluster.commitAll(
                    2,
                    LongStream.of(keys)
                            .limit(inserted)
                            .mapToObj(key -> procedure(
                                    txn -> txn.read(table, key),
                                    (txn, access) -> assertThat(valueOf(access))
                                            .as("key %s", key)
                                            .isEqualTo(key)))
                            .toList());
            cluster.assertAtRest();
        }
    }

    // A transaction whose write set does not fit into a log ring can never commit: it must not be tried for ever.
    @ForEveryCode
    void shouldEndATransactionWhoseWritesDoNotFitInALogRing(HybridCode code) {
        TableSchema wide = TableSchema.ofLongKeys(0, "wide", 4096, 4);
        ClusterConfig config =
                config(code, wide).withMemory(4096, 64 * 1024, 1024).withRetries(new RetryPolicy(3, 0, 0));
        try (TestCluster cluster = start(config, 1)) {
            Result result = cluster.run(0, write(cluster.table(0), 1, 2));
            assertThat(result.thrown()).isInstanceOf(TransactionTooLarge.class);
            assertThat(cluster.read(1, cluster.table(0), 1)).isEqualTo(1);
            cluster.assertAtRest();
        }
    }

    // Goal: the same if the records have versions of different times, which the check of what the procedure has read
    // compares.
    @ForEveryCode
    void shouldEndATransactionWhoseWritesDoNotFitThoughTheyReplaceVersionsOfDifferentTimes(HybridCode code) {
        TableSchema wide = TableSchema.ofLongKeys(0, "wide", 1200, 8);
        ClusterConfig config =
                config(code, wide).withMemory(4096, 64 * 1024, 1024).withRetries(new RetryPolicy(3, 0, 0));
        try (TestCluster cluster = start(config, 1, 2, 3, 4)) {
            Table table = cluster.table(0);
            cluster.commitAll(0, List.of(write(table, 4, 40)));
            Procedure tooLarge = procedure(
                    txn -> LongStream.rangeClosed(1, 4)
                            .mapToObj(key -> txn.update(table, key))
                            .toList(),
                    (txn, accesses) -> accesses.forEach(access -> access.putLong(VALUE, 7)));
            long attempted = cluster.metrics().attempted();
            assertThat(cluster.run(0, tooLarge).thrown()).isInstanceOf(TransactionTooLarge.class);
            assertThat(cluster.metrics().attempted())
                    .as("attempts that were to be made again")
                    .isEqualTo(attempted);
            assertThat(cluster.read(1, table, 1)).isEqualTo(1);
            assertThat(cluster.read(1, table, 4)).isEqualTo(40);
            cluster.assertAtRest();
        }
    }

    // Declared after the last fetch, they have not been locked when the procedure is done; they count all the same.
    @ForEveryCode
    void shouldInsertAndDeleteKeysDeclaredAfterTheLastFetch(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1, 2)) {
            Table table = cluster.table(0);
            Result result = cluster.run(0, procedure(txn -> txn.update(table, 1), (txn, access) -> {
                access.putLong(VALUE, 2);
                txn.insert(table, 5);
                txn.delete(table, 2);
            }));
            assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED);
            assertThat(cluster.read(0, table, 5)).isZero();
            assertThat(cluster.read(0, table, 2)).isNull();
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldRejectAReadOrWriteThatItsAccessDoesNotAllow(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS), 1)) {
            Table table = cluster.table(0);
            List<Procedure> bad = List.of(
                    procedure(txn -> txn.read(table, 1), (txn, access) -> access.putLong(VALUE, 9)),
                    procedure(txn -> txn.read(table, 2), (txn, access) -> access.getLong(VALUE)),
                    procedure(txn -> txn.update(table, 2), (txn, access) -> access.putLong(VALUE, 9)),
                    procedure(txn -> txn.insert(table, 1), (txn, access) -> access.putLong(VALUE, 9)),
                    procedure(txn -> txn.delete(table, 1), (txn, access) -> access.putLong(VALUE, 9)),
                    procedure(
                            txn -> txn.update(table, 1),
                            (txn, access) -> txn.read(table, 3).exists()));
            for (Procedure procedure : bad) {
                assertThat(cluster.run(0, procedure).thrown()).isInstanceOf(IllegalStateException.class);
            }
            assertThat(cluster.read(1, table, 1)).isEqualTo(1);
            cluster.assertAtRest();
        }
    }
}
