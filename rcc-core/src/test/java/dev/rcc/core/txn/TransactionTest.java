package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.time.Timestamp;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** {@link Transaction}, {@link Access} and {@link BufferSlice}. */
class TransactionTest {
    private final Catalog catalog = new Catalog(
            new RingPlacement(3, 2),
            8,
            List.of(TableSchema.ofLongKeys(0, "numbers", 20, 10), TableSchema.ofByteKeys(1, "names", 12, 5, 10)));
    private final Table numbers = catalog.table(0);
    private final Table names = catalog.table(1);
    private final FakeWorker worker = new FakeWorker(2);
    private final Transaction txn = TestTransactions.create(worker, 9, catalog, 1 << 16);
    private final Memory memory = txn.buffer().memory();

    TransactionTest() {
        txn.begin(true);
    }

    // ---- accesses and their keys

    @Test
    void shouldDescribeAnAccessOfALongKey() {
        Access access = txn.read(numbers, 77);
        assertThat(access.index()).isZero();
        assertThat(access.table()).isSameAs(numbers);
        assertThat(access.intent()).isEqualTo(Intent.READ);
        assertThat(access.keyHash()).isEqualTo(KeyHash.of(77));
        assertThat(access.partition()).isEqualTo(catalog.placement().partition(KeyHash.of(77)));
        assertThat(access.node()).isEqualTo(catalog.placement().primary(access.partition()));
        assertThat(access.tupleAddress()).isEqualTo(RemoteAddress.NONE);
        assertThat(access.isFetched()).isFalse();
        assertThat(memory.getLong(access.identityOffset())).isEqualTo(TupleLayout.liveHeader(8));
        assertThat(memory.getLong(access.identityOffset() + 8)).isEqualTo(77);
        assertThat(access.layout()).isSameAs(numbers.layout().tuple());
    }

    @Test
    void shouldLayOutAByteKeyAsItsTupleDoes() {
        Access access = txn.read(names, new byte[] {5, 6, 7});
        assertThat(memory.getLong(access.identityOffset())).isEqualTo(TupleLayout.liveHeader(3));
        assertThat(memory.getLong(access.identityOffset() + 8)).isEqualTo(0x070605);
        assertThat(memory.getLong(access.identityOffset() + 16)).isZero();
        assertThat(access.keyHash()).isEqualTo(KeyHash.of(memory, access.identityOffset() + 8, 3));
    }

    @Test
    void shouldGiveEveryAccessMemoryOfItsOwn() {
        Access last = null;
        long end = 0;
        for (int i = 0; i < 100; i++) {
            Access access = i % 2 == 0 ? txn.read(numbers, i) : txn.read(names, new byte[] {(byte) i});
            assertThat(access).isNotSameAs(last);
            assertThat(access.index()).isEqualTo(i);
            assertThat(txn.access(i)).isSameAs(access);
            assertThat(access.identityOffset()).isGreaterThanOrEqualTo(end);
            assertThat(access.imageOffset())
                    .isGreaterThanOrEqualTo(
                            access.identityOffset() + access.layout().identityBytes());
            end = access.imageOffset() + access.layout().tupleBytes();
            last = access;
        }
        assertThat(txn.size()).isEqualTo(100);
    }

    @Test
    void shouldHaveOneAccessForAKeyHoweverOftenItIsNamed() {
        Access seven = txn.read(numbers, 7);
        assertThat(txn.read(numbers, 8)).isNotSameAs(seven);
        assertThat(txn.read(numbers, 7)).isSameAs(seven);
        Access a = txn.read(names, new byte[] {'a'});
        assertThat(txn.read(names, new byte[] {'a', 0}))
                .as("longer by a zero byte")
                .isNotSameAs(a);
        assertThat(txn.read(names, new byte[] {'a'})).isSameAs(a);
        assertThat(txn.size()).isEqualTo(4);
    }

    // A linear search finds few accesses, a hash table many. Each attempt begins with no access, whatever the
    // previous attempt has left.
    @Test
    void shouldFindTheAccessOfAKeyAmongAnyNumber() {
        Seeds.forEach(20, random -> {
            txn.begin(true);
            Map<Long, Access> ofNumbers = new HashMap<>();
            Map<Integer, Access> ofNames = new HashMap<>();
            int declarations = random.nextInt(700);
            for (int i = 0; i < declarations; i++) {
                int key = random.nextInt(200);
                int before = txn.size();
                if (random.nextBoolean()) {
                    assertThat(txn.find(numbers, key)).isSameAs(ofNumbers.get((long) key));
                    Access access = txn.read(numbers, key);
                    Access known = ofNumbers.putIfAbsent((long) key, access);
                    assertThat(txn.size()).isEqualTo(known == null ? before + 1 : before);
                    assertThat(known == null || known == access)
                            .as("key %d", key)
                            .isTrue();
                    assertThat(access.longKey()).isEqualTo(key);
                } else {
                    Access access = txn.read(names, new byte[] {(byte) key, 1});
                    Access known = ofNames.putIfAbsent(key, access);
                    assertThat(txn.size()).isEqualTo(known == null ? before + 1 : before);
                    assertThat(known == null || known == access)
                            .as("name %d", key)
                            .isTrue();
                    assertThat(access.byteKey()).isEqualTo(new byte[] {(byte) key, 1});
                }
            }
        });
    }

    @Test
    void shouldUpgradeAReadAndRefuseContradictoryIntents() {
        for (Intent first : Intent.values()) {
            for (Intent second : Intent.values()) {
                txn.begin(true);
                Access access = declare(first, 7);
                boolean allowed = first == second
                        || (first == Intent.READ && second != Intent.WRITE)
                        || (first == Intent.UPDATE && (second == Intent.READ || second == Intent.DELETE));
                if (allowed) {
                    assertThat(declare(second, 7)).isSameAs(access);
                    assertThat(access.intent()).isEqualTo(second == Intent.READ ? first : second);
                    assertThat(access.declaredIntent()).isEqualTo(access.intent());
                } else {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> declare(second, 7))
                            .withMessage("access 0 (table numbers) is declared for " + first
                                    + " and cannot be declared for " + second + ", too");
                    assertThat(access.intent()).isEqualTo(first);
                }
            }
        }
    }

    // Whether the record exists decides: only an operation that would change something upgrades the fetched
    // access.
    @Test
    void shouldUpgradeAFetchedAccessIfTheOperationChangesTheRecord() {
        //                                     the result if the record exists; the result if it does not
        assertUpgrade(Intent.READ, Intent.UPDATE, "upgraded", "unchanged");
        assertUpgrade(Intent.READ, Intent.DELETE, "upgraded", "unchanged");
        assertUpgrade(Intent.READ, Intent.INSERT, "unchanged", "upgraded");
        assertUpgrade(Intent.READ, Intent.WRITE, "refused", "refused");
        assertUpgrade(Intent.UPDATE, Intent.READ, "unchanged", "unchanged");
        assertUpgrade(Intent.UPDATE, Intent.DELETE, "upgraded", "unchanged");
        assertUpgrade(Intent.UPDATE, Intent.INSERT, "unchanged", "upgraded");
        assertUpgrade(Intent.UPDATE, Intent.WRITE, "refused", "refused");
        assertUpgrade(Intent.INSERT, Intent.READ, "unchanged", "refused");
        assertUpgrade(Intent.INSERT, Intent.UPDATE, "upgraded", "refused");
        assertUpgrade(Intent.INSERT, Intent.DELETE, "upgraded", "refused");
        assertUpgrade(Intent.INSERT, Intent.WRITE, "refused", "refused");
        for (Intent second : List.of(Intent.READ, Intent.UPDATE, Intent.INSERT, Intent.WRITE)) {
            assertUpgrade(Intent.DELETE, second, "refused", "refused");
        }
        for (Intent second : List.of(Intent.READ, Intent.UPDATE, Intent.INSERT, Intent.DELETE)) {
            assertUpgrade(Intent.WRITE, second, "refused", "refused");
        }
    }

    private void assertUpgrade(Intent first, Intent second, String ifExists, String ifNot) {
        for (boolean exists : new boolean[] {true, false}) {
            for (boolean inPlace : new boolean[] {true, false}) {
                txn.begin(true);
                txn.fetcher(upgrading(inPlace));
                Access access = declare(first, 7);
                if (exists) {
                    access.foundTuple();
                } else {
                    access.foundNothing();
                }
                String expected = exists ? ifExists : ifNot;
                if (expected.equals("refused")) {
                    assertThatIllegalStateException().isThrownBy(() -> declare(second, 7));
                } else {
                    assertThat(declare(second, 7)).isSameAs(access);
                }
                boolean upgraded = expected.equals("upgraded");
                String which =
                        first + " then " + second + (exists ? ", exists" : ", does not") + ", in place " + inPlace;
                assertThat(access.intent()).as(which).isEqualTo(upgraded ? second : first);
                assertThat(access.declaredIntent()).as(which).isEqualTo(upgraded && inPlace ? second : first);
                assertThat(txn.abortReason()).as(which).isEqualTo(upgraded && !inPlace ? AbortReason.UPGRADED : null);
            }
        }
    }

    private static Transaction.Fetcher upgrading(boolean inPlace) {
        return new Transaction.Fetcher() {
            @Override
            public void fetch() {}

            @Override
            public boolean upgrade(Access access) {
                return inPlace;
            }
        };
    }

    // Upgrades of many keys cost one attempt: it goes on until it waits, and the next attempt remembers all
    // of them.
    @Test
    void shouldRememberTheUpgradedIntentsOfKeysForTheNextAttempts() {
        byte[] record = new byte[5];
        for (int keys : new int[] {1, 5, 300}) {
            txn.begin(true);
            txn.fetcher(() -> {});
            for (int attempt = 0; attempt < 3; attempt++) {
                for (int i = 0; i < keys; i++) {
                    txn.read(numbers, i).foundTuple();
                    txn.read(names, name(i)).foundNothing();
                }
                assertThat(txn.read(numbers, -1).declaredIntent()).isEqualTo(Intent.READ);
                for (int i = 0; i < keys; i++) {
                    Intent wanted = i % 2 == 0 ? Intent.UPDATE : Intent.DELETE;
                    Access number = txn.read(numbers, i);
                    Access name = txn.read(names, name(i));
                    assertThat(number.declaredIntent()).isEqualTo(attempt == 0 ? Intent.READ : wanted);
                    assertThat(name.declaredIntent()).isEqualTo(attempt == 0 ? Intent.READ : Intent.INSERT);
                    assertThat(number.isWrite() || name.isWrite()).isFalse();
                    assertThat(declare(wanted, i)).isSameAs(number);
                    assertThat(txn.insert(names, name(i))).isSameAs(name);
                    if (wanted == Intent.UPDATE) {
                        number.putLong(0, 1);
                    }
                    assertThat(number.isWrite()).isTrue();
                    assertThat(name.isWrite()).isTrue();
                    name.getBytes(0, record, 0, record.length);
                    assertThat(record).containsOnly(0);
                }
                assertThat(txn.abortReason()).isEqualTo(attempt == 0 ? AbortReason.UPGRADED : null);
                if (attempt == 0) {
                    assertThatThrownBy(txn::fetch).isInstanceOf(Rollback.class);
                } else {
                    txn.fetch();
                }
                txn.begin(false);
            }
            txn.begin(true);
            assertThat(txn.read(numbers, 0).declaredIntent())
                    .as("another transaction")
                    .isEqualTo(Intent.READ);
        }
    }

    private static byte[] name(int i) {
        return new byte[] {(byte) i, (byte) (i >> 8), 1};
    }

    @Test
    void shouldRememberTheLatestUseOfAKey() {
        txn.fetcher(() -> {});
        txn.read(numbers, 7).foundNothing();
        txn.insert(numbers, 7);
        txn.begin(false);
        Access update = txn.update(numbers, 7);
        assertThat(update.declaredIntent()).isEqualTo(Intent.INSERT);
        update.foundTuple(); // another transaction has inserted it; an insert's lock is not enough
        assertThat(txn.abortReason()).isEqualTo(AbortReason.UPGRADED);
        txn.begin(false);
        assertThat(txn.read(numbers, 7).declaredIntent()).isEqualTo(Intent.UPDATE);
        txn.read(numbers, 7).foundTuple();
        txn.delete(numbers, 7);
        txn.begin(false);
        assertThat(txn.read(numbers, 7).declaredIntent()).isEqualTo(Intent.DELETE);
        txn.begin(false);
        Access insert = txn.insert(numbers, 7);
        assertThat(insert.declaredIntent()).isEqualTo(Intent.DELETE);
        insert.foundNothing(); // another transaction has deleted it; a delete's lock is not enough
        assertThat(txn.abortReason()).isEqualTo(AbortReason.UPGRADED);
        txn.begin(false);
        insert = txn.insert(numbers, 7);
        insert.foundNothing();
        assertThat(insert.isWrite()).isTrue();
        assertThat(txn.abortReason()).isNull();
        txn.begin(false);
        assertThat(txn.write(numbers, 7).declaredIntent()).isEqualTo(Intent.WRITE);
    }

    @Test
    void shouldAllocateNothingToRememberKeysOnceItHasMetTheMost() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Transaction.Fetcher fetcher = upgrading(false);
        byte[][] keys = IntStream.range(0, 100).mapToObj(TransactionTest::name).toArray(byte[][]::new);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20 && least > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                txn.begin(true);
                txn.fetcher(fetcher);
                for (byte[] key : keys) {
                    txn.read(names, key).foundTuple();
                    txn.update(names, key);
                }
                txn.begin(false);
                for (byte[] key : keys) {
                    txn.read(names, key);
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void shouldRefuseKeysThatAreNotTheTables() {
        assertThat(txn.read(names, new byte[12]).keyHash()).isNotZero();
        assertThat(txn.read(names, new byte[1]).keyHash()).isNotZero();
        assertKeyRefused(() -> txn.read(names, new byte[13]), "table names has keys of 1 to 12 bytes, got 13 bytes");
        assertKeyRefused(() -> txn.update(names, new byte[0]), "table names has keys of 1 to 12 bytes, got 0 bytes");
        assertKeyRefused(() -> txn.insert(numbers, new byte[8]), "table numbers has 64-bit keys, got 8 bytes");
        assertKeyRefused(() -> txn.delete(names, 5), "table names has byte-string keys, got the number 5");
        assertThat(txn.size()).isEqualTo(2);
    }

    // ---- records

    @Test
    void shouldRefuseARecordBeforeItIsFetched() {
        Access access = txn.update(numbers, 7);
        assertRefused(access::exists, "has not been fetched yet");
        assertRefused(() -> access.getLong(0), "has not been fetched yet");
        assertRefused(() -> access.putLong(0, 1), "declared for UPDATE, has not been fetched yet");
    }

    @Test
    void shouldReportWhetherAnAccessIsReadableWritableAndAWrite() {
        //                        readable writable write
        assertRights(Intent.READ, true, true, false, false);
        assertRights(Intent.READ, false, false, false, false);
        assertRights(Intent.UPDATE, true, true, true, true);
        assertRights(Intent.UPDATE, false, false, false, false);
        assertRights(Intent.INSERT, true, true, false, false);
        assertRights(Intent.INSERT, false, true, true, true);
        assertRights(Intent.DELETE, true, true, false, true);
        assertRights(Intent.DELETE, false, false, false, false);
        assertRights(Intent.WRITE, true, true, true, true);
        assertRights(Intent.WRITE, false, false, false, false);
    }

    private void assertRights(Intent intent, boolean exists, boolean readable, boolean writable, boolean write) {
        txn.begin(true);
        Access access = declare(intent, 7);
        if (exists) {
            access.foundTuple();
        } else {
            access.foundNothing();
        }
        assertThat(access.exists()).isEqualTo(exists);
        if (readable) {
            assertThat(access.getLong(0)).isEqualTo(access.getLong(0));
        } else {
            assertRefused(() -> access.getLong(0), "does not exist");
        }
        if (writable) {
            access.putLong(0, 5);
            assertThat(access.getLong(0)).isEqualTo(5);
        } else {
            assertRefused(
                    () -> access.putLong(0, 5),
                    "cannot be written: declared for " + intent + (exists ? ", exists" : ", does not exist"));
        }
        assertThat(access.isWrite()).isEqualTo(write);
    }

    @Test
    void shouldNotCountAnUpdateThatChangesNothingAsAWrite() {
        Access access = txn.update(numbers, 7);
        access.foundTuple();
        assertThat(access.getLong(8)).isEqualTo(access.getLong(8));
        assertThat(access.isWrite()).isFalse();
        access.putBytes(0, new byte[1], 0, 1);
        assertThat(access.isWrite()).isTrue();
    }

    @Test
    void shouldKeepToTheRecordsBytesAtBothEnds() {
        Access access = txn.update(numbers, 7);
        access.foundTuple();
        byte[] bytes = new byte[32];
        access.putLong(8, -1);
        access.putBytes(12, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, 8);
        access.getBytes(0, bytes, 0, 20);
        access.getBytes(20, bytes, 0, 0);
        assertThat(bytes[19]).isEqualTo((byte) 8);
        assertOutside(() -> access.getLong(16), "no 8 bytes at offset 16 in a record of 20 bytes");
        assertOutside(() -> access.getLong(-8), "offset -8");
        assertOutside(() -> access.putLong(24, 0), "offset 24");
        assertOutside(() -> access.getLong(Integer.MAX_VALUE - 7), "offset 2147483640");
        assertOutside(() -> access.getBytes(0, bytes, 0, 21), "no 21 bytes at offset 0");
        assertOutside(() -> access.putBytes(20, bytes, 0, 1), "no 1 bytes at offset 20");
        assertOutside(() -> access.putBytes(1, bytes, 0, Integer.MAX_VALUE), "offset 1");
        assertOutside(() -> access.putBytes(0, bytes, 0, -1), "no -1 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> access.getLong(4));
    }

    @Test
    void shouldNotCountARefusedWriteAsAWrite() {
        Access access = txn.update(numbers, 7);
        access.foundTuple();
        assertOutside(() -> access.putLong(24, 0), "offset 24");
        assertThat(access.isWrite()).isFalse();
    }

    @Test
    void shouldStartAnInsertFromAZeroedRecord() {
        Access dirty = txn.update(numbers, 7);
        dirty.foundTuple();
        dirty.putLong(0, -1);
        dirty.putLong(8, -1);
        txn.begin(true);
        Access access = txn.insert(numbers, 7);
        assertThat(access.imageOffset()).isEqualTo(dirty.imageOffset());
        access.foundNothing();
        assertThat(access.getLong(0)).isZero();
        assertThat(access.getLong(8)).isZero();
        assertThat(access.version()).isZero();
    }

    @Test
    void shouldStartABlindWriteFromAZeroedRecordAndFetchTheBytesBeforeIt() {
        Access access = txn.write(numbers, 1);
        assertThat(access.fetchedBytes()).isEqualTo(access.layout().contentOffset());
        memory.putLong(access.imageOffset() + access.layout().versionOffset(), 1234);
        memory.putLong(access.imageOffset() + access.layout().recordOffset(), -1);
        access.foundTuple();
        assertThat(access.getLong(0)).isZero();
        assertThat(access.version()).as("nothing is read").isZero();
        assertThat(access.replacedVersion()).isEqualTo(1234);
        access.slotVersion(1235); // the version when the slot is locked
        assertThat(access.replacedVersion()).isEqualTo(1235);
        assertThat(txn.update(numbers, 2).fetchedBytes())
                .isEqualTo(access.layout().tupleBytes());
    }

    @Test
    void shouldCompareTheImagesKeyWithTheWantedOne() {
        Access access = txn.read(names, new byte[] {1, 2});
        long image = access.imageOffset() + access.layout().identityOffset();
        access.layout().putIdentity(memory, image, new byte[] {1, 2});
        assertThat(access.imageHasIdentity()).isTrue();
        access.layout().putIdentity(memory, image, new byte[] {1, 2, 0});
        assertThat(access.imageHasIdentity()).isFalse();
        memory.putLong(image, 0);
        assertThat(access.imageHasIdentity()).isFalse();
    }

    @Test
    void shouldTakeTheVersionFromTheImageOfARecordThatExists() {
        Access access = txn.read(numbers, 7);
        memory.putLong(access.imageOffset() + access.layout().versionOffset(), 1234);
        access.foundNothing();
        assertThat(access.version()).isZero();
        access.foundTuple();
        assertThat(access.version()).isEqualTo(1234);
        // A protocol builds the tuple to install in the image; the history still gets the version that was
        // read.
        memory.putLong(access.imageOffset() + access.layout().versionOffset(), 5678);
        assertThat(access.version()).isEqualTo(1234);
    }

    // ---- attempts

    @Test
    void shouldForgetEverythingOfAnAttemptButTheAge() {
        Access access = txn.update(numbers, 7);
        access.foundTuple();
        access.putLong(0, 1);
        access.tupleAddress(55);
        access.leafVersion(66);
        txn.commitTs(77);
        txn.minCommitTs(88);
        txn.abort(AbortReason.LOCK_CONFLICT);
        long first = txn.id();
        assertThat(txn.age()).isEqualTo(first);
        assertThat(txn.attempt()).isZero();

        txn.begin(false);
        assertThat(txn.size()).isZero();
        assertThat(txn.commitTs()).isEqualTo(Timestamp.NONE);
        assertThat(txn.minCommitTs()).isEqualTo(Timestamp.NONE);
        assertThat(txn.abortReason()).isNull();
        assertThat(Timestamp.isBefore(first, txn.id())).isTrue();
        assertThat(txn.age()).isEqualTo(first);
        assertThat(txn.attempt()).isEqualTo(1);
        Access again = txn.read(numbers, 7);
        assertThat(again.isFetched()).isFalse();
        assertThat(again.tupleAddress()).isEqualTo(RemoteAddress.NONE);
        assertThat(again.leafVersion()).isZero();
        again.foundTuple();
        assertThat(again.isWrite()).isFalse();

        txn.begin(true);
        assertThat(txn.age()).isEqualTo(txn.id());
        assertThat(txn.attempt()).isZero();
        assertThat(Timestamp.node(txn.id())).isEqualTo(2);
        assertThat(Timestamp.coroutine(txn.id())).isEqualTo(9);
    }

    @Test
    void shouldKeepTheLatestMinimumCommitTimestamp() {
        for (long heardOf : new long[] {5, 9, 7, 0}) {
            txn.minCommitTs(heardOf);
        }
        assertThat(txn.minCommitTs()).isEqualTo(9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> txn.minCommitTs(-1))
                .withMessageContaining("-1");
    }

    @Test
    void shouldKeepTheFirstReasonToAbort() {
        txn.abort(AbortReason.LOG_FULL);
        txn.abort();
        assertThat(txn.abortReason()).isEqualTo(AbortReason.LOG_FULL);
    }

    @Test
    void shouldFetchThroughItsCoordinator() {
        assertThatIllegalStateException().isThrownBy(txn::fetch).withMessage("no coordinator runs this transaction");
        txn.restart();
        int[] fetches = new int[1];
        txn.fetcher(() -> fetches[0]++);
        txn.fetch();
        assertThat(fetches[0]).isEqualTo(1);
    }

    @Test
    void shouldRefuseATransactionThatDoesNotFitItsBufferAndServeTheNext() {
        Transaction small = TestTransactions.create(worker, 1, catalog, 512);
        small.begin(true);
        assertThatExceptionOfType(TransactionTooLarge.class)
                .isThrownBy(() -> {
                    for (long key = 0; key < 100; key++) {
                        small.read(numbers, key);
                    }
                })
                .withMessageMatching(
                        "the transaction's data in its coroutine's buffer needs 5[0-9]{2} bytes, allowed: 512: .*buffer-bytes.*");
        int fitted = small.size();
        assertThat(fitted).isPositive();
        small.begin(true);
        for (long key = 0; key < fitted; key++) {
            assertThat(small.read(numbers, key).index()).isEqualTo((int) key);
        }
    }

    // ---- buffers

    @Test
    void shouldHandOutTheSliceToItsLastWordAndNothingElse() {
        Memory region = Memory.allocate(Arena.ofAuto(), 256);
        BufferSlice slice = new BufferSlice(region, 64, 128);
        assertThat(slice.size()).isEqualTo(128);
        assertThat(slice.allocate(1)).isEqualTo(64);
        assertThat(slice.allocate(0)).isEqualTo(72);
        assertThat(slice.allocate(119)).isEqualTo(72);
        for (int bytes : new int[] {1, 8, Integer.MAX_VALUE - 7, Integer.MAX_VALUE - 6, Integer.MAX_VALUE}) {
            assertThatExceptionOfType(TransactionTooLarge.class).isThrownBy(() -> slice.allocate(bytes));
        }
        assertThat(slice.allocate(0)).as("a refusal takes nothing").isEqualTo(192);
        slice.reset();
        assertThat(slice.allocate(128)).isEqualTo(64);
    }

    @Test
    void shouldRefuseASliceThatIsNotInItsRegion() {
        Memory region = Memory.allocate(Arena.ofAuto(), 256);
        assertThat(new BufferSlice(region, 0, 256).size()).isEqualTo(256);
        assertThat(new BufferSlice(region, 256, 0).size()).isZero();
        long[][] bad = {{0, 264}, {8, 256}, {4, 8}, {0, 4}, {-8, 16}, {16, -8}, {Long.MAX_VALUE - 7, 16}};
        for (long[] slice : bad) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new BufferSlice(region, slice[0], slice[1]))
                    .withMessage("no such slice of 256 bytes: " + slice[1] + " bytes from " + slice[0]);
        }
        assertThat(BufferSlice.alignToLine(0)).isZero();
        assertThat(BufferSlice.alignToLine(1)).isEqualTo(64);
        assertThat(BufferSlice.alignToLine(64)).isEqualTo(64);
        assertThat(BufferSlice.alignToLine(65)).isEqualTo(128);
    }

    private Access declare(Intent intent, long key) {
        return switch (intent) {
            case READ -> txn.read(numbers, key);
            case UPDATE -> txn.update(numbers, key);
            case INSERT -> txn.insert(numbers, key);
            case DELETE -> txn.delete(numbers, key);
            case WRITE -> txn.write(numbers, key);
        };
    }

    private static void assertKeyRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("access 0 (table numbers)")
                .hasMessageContaining(message);
    }

    private static void assertOutside(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining(message);
    }
}
