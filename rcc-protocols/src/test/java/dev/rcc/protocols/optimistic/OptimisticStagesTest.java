package dev.rcc.protocols.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.InstallMessage;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stages, one at a time and step by step, under rules that use every feature of rules. */
class OptimisticStagesTest {
    private static final long KEY = 7;
    private static final long LOADED = Timestamp.of(3, 0, 0);
    private static final long COMMIT_TS = Timestamp.of(1000, 0, 0);
    private static final int RECORD_BYTES = 120;

    private final LockRules rules = new LeaseRules();
    private final Catalog catalog = new Catalog(
            new RingPlacement(1, 1),
            rules.metadataBytes(),
            0,
            true,
            List.of(TableSchema.ofLongKeys(0, "numbers", RECORD_BYTES, 10)));
    private final Table table = catalog.table(0);
    private final TupleLayout t = table.layout().tuple();
    private final Memstore memstore = new Memstore(catalog, new FakeFabric(0));
    private final TablePartition partition = memstore.partition(0, 0);
    private final Memory memory = partition.memory();
    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 64 * 1024);
    private final LoopbackEndpoint endpoint = new LoopbackEndpoint(buffers, memstore);
    private final FakeWorker worker = new FakeWorker(0);
    private final WorkerContext context = endpoint.context(worker);
    private final Transaction txn = new Transaction(
            new FakeCoroutine(0, worker),
            catalog,
            new BufferSlice(buffers, 0, buffers.size()),
            new TimestampClock(new WallClock(worker, 0), worker.node(), 0));
    private final StageContext stages = StageContext.of(context, txn, rules);
    private final ReadSet reads = stages.reads();
    private final WriteSet writes = stages.writes();

    private final Map<Primitive, Locking> locking = new EnumMap<>(Primitive.class);
    private final Map<Primitive, Finishing> commits = new EnumMap<>(Primitive.class);
    private final Map<Primitive, Finishing> releases = new EnumMap<>(Primitive.class);

    OptimisticStagesTest() {
        for (Primitive primitive : Primitive.values()) { // before any transaction: stages keep space in its buffer
            locking.put(primitive, new Locking(stages, primitive, LockTime.COMMIT));
            commits.put(primitive, new Finishing(stages, primitive, true));
            releases.put(primitive, new Finishing(stages, primitive, false));
        }
        new OptimisticParticipant(context, rules).serve();
        for (int i = 0; i < 100; i++) {
            txn.begin(true); // ids that differ in their clocks
        }
    }

    private long load(long key) {
        Memory identity = identity(key);
        partition.load(KeyHash.of(key), identity, 0, LOADED, Memory.allocate(Arena.ofAuto(), RECORD_BYTES), 0);
        return partition.lookup(KeyHash.of(key), identity, 0);
    }

    private static Memory identity(long key) {
        Memory identity = Memory.allocate(Arena.ofAuto(), 16);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(8, key);
        return identity;
    }

    private long leaf() {
        return table.layout().leafOffset(KeyHash.of(KEY));
    }

    private void metadata(long offset, long lockWord, long first, long second) {
        memory.putLong(offset, lockWord);
        memory.putLong(offset + 8, first);
        memory.putLong(offset + 16, second);
    }

    private boolean fetch(Primitive primitive) {
        return new Fetching(stages, primitive).fetch(reads.admitNew(Integer.MAX_VALUE));
    }

    private boolean lock(Primitive primitive) {
        writes.collect(reads);
        return locking.get(primitive).lock();
    }

    private void finish(Primitive primitive, boolean installs) {
        txn.commitTs(COMMIT_TS);
        Finishing finishing = (installs ? commits : releases).get(primitive);
        finishing.prepare();
        finishing.finish();
    }

    private void begin() {
        reads.clear();
        writes.clear();
        txn.begin(true);
    }

    private long owner() {
        return LeaseRules.owner(txn.id());
    }

    // ---- fetch -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldFetchATupleWithItsMetadataThoughItIsLocked(Primitive primitive) {
        long tuple = load(KEY);
        for (long word : new long[] {LeaseRules.free(9), LeaseRules.lockedBy(9, 77)}) {
            begin();
            metadata(tuple, word, 21, 22);
            memory.putLong(tuple + t.recordOffset(), 23);
            t.putChecksum(memory, tuple, LOADED);
            Access access = txn.read(table, KEY);
            assertThat(fetch(primitive)).isTrue();
            assertThat(access.exists()).isTrue();
            assertThat(access.getLong(0)).isEqualTo(23);
            assertThat(buffers.getLong(access.imageOffset() + 8)).isEqualTo(21);
            assertThat(buffers.getLong(access.imageOffset() + 16)).isEqualTo(22);
            assertThat(reads.entry(0).lockWord()).isEqualTo(word);
            assertThat(reads.entry(0).version()).isEqualTo(LOADED);
            assertThat(reads.entry(0).isLeaf()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldFetchTheLeafOfAMissingKey(Primitive primitive) {
        metadata(leaf(), LeaseRules.free(9), 21, 22);
        memory.putLong(leaf() + table.layout().leafVersionOffset(), LOADED + 1);
        txn.read(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        ReadEntry entry = reads.entry(0);
        assertThat(entry.access().exists()).isFalse();
        assertThat(entry.isLeaf()).isTrue();
        assertThat(entry.lockWord()).isEqualTo(LeaseRules.free(9));
        assertThat(entry.version())
                .isEqualTo(LOADED + 1)
                .isEqualTo(entry.access().leafVersion());
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldNotFetchATupleOrLeafThatIsBeingInstalled(Primitive primitive) {
        long tuple = load(KEY);
        long missing = 8;
        metadata(tuple, LeaseRules.lockedBy(9, 77) | LeaseRules.INSTALLING, 21, 22);
        metadata(
                table.layout().leafOffset(KeyHash.of(missing)),
                LeaseRules.lockedBy(9, 77) | LeaseRules.INSTALLING,
                0,
                0);
        for (long key : new long[] {KEY, missing}) {
            begin();
            txn.read(table, key);
            assertThat(fetch(primitive)).isFalse();
            assertThat(txn.abortReason()).isEqualTo(AbortReason.LOCK_CONFLICT);
        }
    }

    // ---- blind writes ----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldLockForABlindWriteAlthoughTheVersionHasChanged(Primitive primitive) {
        long tuple = load(KEY);
        memory.putLong(tuple + t.recordOffset(), 23);
        begin();
        Access access = txn.write(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        assertThat(access.exists()).isTrue();
        assertThat(access.getLong(0)).as("the record is not read").isZero();
        memory.putLong(tuple + t.versionOffset(), LOADED + 5);
        access.putLong(8, 42);
        assertThat(lock(primitive)).isTrue();
        assertThat(access.replacedVersion()).isEqualTo(LOADED + 5);
        assertThat(access.version()).isZero();
        finish(primitive, true);
        assertThat(memory.getLong(tuple + t.recordOffset())).isZero();
        assertThat(memory.getLong(tuple + t.recordOffset() + 8)).isEqualTo(42);
        assertThat(memory.getLong(tuple + t.versionOffset())).isEqualTo(COMMIT_TS);
        assertThat(t.isWhole(memory, tuple)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldNotWriteBlindlyOverAnotherKey(Primitive primitive) {
        long tuple = load(KEY);
        for (long header : new long[] {0, TupleLayout.liveHeader(Long.BYTES)}) {
            begin();
            memory.putLong(tuple + t.identityOffset(), TupleLayout.liveHeader(Long.BYTES));
            memory.putLong(tuple + t.keyOffset(), KEY);
            txn.write(table, KEY);
            assertThat(fetch(primitive)).isTrue();
            memory.putLong(tuple + t.identityOffset(), header);
            memory.putLong(tuple + t.keyOffset(), KEY + 1);
            assertThat(lock(primitive)).isFalse();
            assertThat(txn.abortReason()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
            finish(primitive, false);
            assertThat(rules.isLockable(memory.getLong(tuple))).isTrue();
            assertThat(memory.getLong(tuple + t.versionOffset())).isEqualTo(LOADED);
        }
    }

    // Goal: identity and version of one READ may belong to different keys, so an unchanged version does not
    // prove that the key is the same.
    @Test
    void shouldSeeThatTheSlotOfABlindWriteIsAnothersThoughTheVersionIsTheSame() {
        long tuple = load(KEY);
        begin();
        txn.write(table, KEY);
        txn.write(table, KEY + 1); // has no record
        assertThat(fetch(Primitive.ONE_SIDED)).isTrue();
        Identities identities = new Identities(stages, Primitive.ONE_SIDED);
        assertThat(identities.compare()).isNull();
        memory.putLong(tuple + t.keyOffset(), KEY + 2);
        assertThat(identities.compare()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
        assertThat(new Identities(stages, Primitive.RPC).compare())
                .as("a handler reads identity and version together")
                .isNull();
        memory.putLong(tuple + t.keyOffset(), KEY);
        assertThat(identities.compare()).isNull();
        memory.putLong(tuple + t.identityOffset(), 0);
        assertThat(identities.compare()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
    }

    // Goal: a fetched record is entirely of one version, as argued in Fetching.
    // Method: an installer does its steps, one word at a time, at random points between the words that the
    // fetch reads. The words of a READ arrive in any order.
    @Test
    void shouldFetchWholeRecordsDuringConcurrentInstalls() {
        long tuple = load(KEY);
        int[] fetched = new int[1];
        int[] undisturbed = new int[1];
        Seeds.forEach(3000, random -> {
            begin();
            install(tuple, 0, Integer.MAX_VALUE);
            int[] step = {random.nextInt(40)};
            int start = step[0];
            int chance = 2 + random.nextInt(60);
            install(tuple, 0, start);
            endpoint.order = random;
            endpoint.beforeEach = () -> {
                while (random.nextInt(chance) == 0 && step[0] < 200) {
                    installStep(tuple, step[0]++);
                }
            };
            Access access = txn.read(table, KEY);
            if (fetch(Primitive.ONE_SIDED)) {
                fetched[0]++;
                undisturbed[0] += step[0] == start ? 1 : 0;
                for (int i = 0; i < RECORD_BYTES; i += 8) {
                    assertThat(access.getLong(i))
                            .as("word %s", i / 8)
                            .isEqualTo(reads.entry(0).version());
                }
                assertThat(access.version()).isEqualTo(reads.entry(0).version());
            }
            endpoint.beforeEach = () -> {};
            install(tuple, step[0], Integer.MAX_VALUE);
        });
        assertThat(fetched[0]).isGreaterThan(100);
        assertThat(fetched[0] - undisturbed[0])
                .as("fetched while something was installed")
                .isGreaterThan(50);
    }

    private static final int INSTALL_STEPS = RECORD_BYTES / 8 + 4;
    private long nextVersion = LOADED + 1;

    private void install(long tuple, int from, int to) {
        for (int i = from; i < to && (to != Integer.MAX_VALUE || i % INSTALL_STEPS != 0 || i == from); i++) {
            installStep(tuple, i);
        }
    }

    /** Does one step of an installation: mark, record, checksum, version, unlock. The next installation follows. */
    private void installStep(long tuple, int number) {
        int step = number % INSTALL_STEPS;
        if (step == 0) {
            memory.putLong(tuple, LeaseRules.lockedBy(1, 77) | LeaseRules.INSTALLING);
        } else if (step <= RECORD_BYTES / 8) {
            memory.putLong(tuple + t.recordOffset() + (step - 1) * 8L, nextVersion);
        } else if (step == RECORD_BYTES / 8 + 1) {
            t.putChecksum(memory, tuple, nextVersion);
        } else if (step == RECORD_BYTES / 8 + 2) {
            memory.putLong(tuple + t.versionOffset(), nextVersion++);
        } else {
            memory.putLong(tuple, LeaseRules.free(2));
        }
    }

    // Goal: no fetch misses a key that existed all the time.
    // Method: the key is deleted and inserted into another slot, in the steps of the leaf's holder, at random
    // points during the lookup.
    @Test
    void shouldNotMissAKeyThatMovesToAnotherSlot() {
        int[] missing = new int[1];
        Seeds.forEach(3000, random -> {
            begin();
            long keyHash = KeyHash.of(KEY);
            int[] step = new int[1];
            int chance = 2 + random.nextInt(60);
            long home = table.layout().bucketOffset(keyHash, 0);
            long away = table.layout().bucketOffset(keyHash, 2);
            boolean thereAndBack = random.nextBoolean();
            long[] slots = thereAndBack ? new long[] {home, away} : new long[] {away, home};
            place(slots[0], KEY);
            endpoint.order = random;
            endpoint.beforeEach = () -> {
                while (random.nextInt(chance) == 0 && step[0] < 7) {
                    moveStep(slots[0], slots[1], step[0]++);
                }
            };
            Access access = txn.read(table, KEY);
            boolean fetched = fetch(Primitive.ONE_SIDED);
            if (fetched && !access.exists()) {
                missing[0]++;
            }
            if (fetched && access.exists()) {
                assertThat(access.imageHasIdentity()).isTrue();
            }
            endpoint.beforeEach = () -> {};
            while (step[0] < 7) {
                moveStep(slots[0], slots[1], step[0]++);
            }
            moveStep(slots[1], slots[0], 1); // take it out for the next round
            moveStep(slots[1], slots[0], 2);
        });
        assertThat(missing[0]).isZero();
    }

    private void place(long entry, long key) {
        long tuple = table.layout().tupleOfEntry(entry);
        identity(key).copy(0, memory, tuple + t.identityOffset(), t.identityBytes());
        t.putChecksum(memory, tuple, nextVersion);
        memory.putLong(tuple + t.versionOffset(), nextVersion++);
        partition.publish(entry, KeyHash.of(key));
    }

    /** Does one step on the leaf, of a transaction that deletes a key and another that inserts it elsewhere. */
    private void moveStep(long from, long to, int step) {
        switch (step) {
            case 0 -> memory.putLong(leaf(), LeaseRules.lockedBy(1, 77) | LeaseRules.INSTALLING);
            case 1 -> {
                partition.clearIdentity(table.layout().tupleOfEntry(from));
                memory.putLong(table.layout().tupleOfEntry(from) + t.versionOffset(), nextVersion++);
            }
            case 2 -> partition.clear(from);
            case 3 -> place(to, KEY);
            case 4, 5 -> memory.putLong(leaf() + table.layout().leafVersionOffset(), nextVersion++);
            default -> memory.putLong(leaf(), LeaseRules.free(1));
        }
    }

    // ---- lock, commit, release -------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldLockThoughTheWordHasChangedAndInstallInOrder(Primitive primitive) {
        long tuple = load(KEY);
        metadata(tuple, LeaseRules.free(9), 21, 22);
        Access access = txn.update(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        access.putLong(8, 99);
        metadata(tuple, LeaseRules.free(10), 21, 32);
        assertThat(lock(primitive)).isTrue();
        WriteEntry entry = writes.entry(0);
        assertThat(entry.held()).isEqualTo(memory.getLong(tuple)).isEqualTo(LeaseRules.lockedBy(10, owner()));
        assertThat(buffers.getLong(access.imageOffset() + 16))
                .as("metadata when it was locked")
                .isEqualTo(32);
        buffers.putLong(access.imageOffset() + 8, 41);
        buffers.putLong(access.imageOffset() + 16, 42);
        endpoint.written.clear();
        finish(primitive, true);
        assertThat(memory.getLong(tuple)).isEqualTo(rules.committed(entry.held(), COMMIT_TS));
        assertThat(memory.getLong(tuple + 8)).as("installed").isEqualTo(41);
        assertThat(memory.getLong(tuple + 16)).as("not installed").isEqualTo(32);
        assertThat(memory.getLong(tuple + t.versionOffset())).isEqualTo(COMMIT_TS);
        assertThat(memory.getLong(tuple + t.recordOffset() + 8)).isEqualTo(99);
        if (primitive == Primitive.ONE_SIDED) {
            assertThat(endpoint.written)
                    .containsExactly(tuple, tuple + 8, tuple + t.contentOffset(), tuple + t.versionOffset(), tuple);
        }
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldReleaseTheLockedTupleAndLeafOnAbort(Primitive primitive) {
        long tuple = load(KEY);
        metadata(tuple, LeaseRules.free(9), 0, 0);
        metadata(leaf(), LeaseRules.free(5), 0, 0);
        Access access = txn.delete(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        assertThat(lock(primitive)).isTrue();
        assertThat(memory.getLong(tuple)).isEqualTo(LeaseRules.lockedBy(9, owner()));
        assertThat(memory.getLong(leaf())).isEqualTo(LeaseRules.lockedBy(5, owner()));
        finish(primitive, false);
        assertThat(memory.getLong(tuple)).isEqualTo(LeaseRules.free(9));
        assertThat(memory.getLong(leaf())).isEqualTo(LeaseRules.free(5));
        assertThat(memory.getLong(tuple + t.versionOffset())).isEqualTo(LOADED).isEqualTo(access.version());
        assertThat(partition.lookup(KeyHash.of(KEY), identity(KEY), 0)).isEqualTo(tuple);
    }

    // Goal: the lock words of slots keep the field that outlives the lock, and an insert keeps it, too.
    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldInsertIntoASlotThatHasBeenUsedAndDeleteAgain(Primitive primitive) {
        for (long slot = 0; slot < table.layout().slots(); slot++) {
            memory.putLong(table.layout().tupleOffset(slot), LeaseRules.free(6));
            memory.putLong(table.layout().tupleOffset(slot) + t.versionOffset(), LOADED + 5);
        }
        Access insert = txn.insert(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        insert.putLong(0, 55);
        assertThat(lock(primitive)).isTrue();
        assertThat(insert.replacedVersion()).isEqualTo(LOADED + 5);
        assertThat(partition.lookup(KeyHash.of(KEY), identity(KEY), 0)).isEqualTo(-1);
        finish(primitive, true);
        long tuple = partition.lookup(KeyHash.of(KEY), identity(KEY), 0);
        assertThat(tuple).isEqualTo(RemoteAddress.offset(insert.tupleAddress()));
        assertThat(memory.getLong(tuple + t.recordOffset())).isEqualTo(55);
        assertThat(memory.getLong(tuple)).isEqualTo(rules.committed(0, COMMIT_TS));
        assertThat(memory.getLong(leaf() + table.layout().leafVersionOffset())).isEqualTo(COMMIT_TS);

        begin();
        Access delete = txn.delete(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        assertThat(lock(primitive)).isTrue();
        assertThat(delete.leafVersion()).isEqualTo(COMMIT_TS);
        finish(primitive, true);
        assertThat(partition.lookup(KeyHash.of(KEY), identity(KEY), 0)).isEqualTo(-1);
        assertThat(memory.getLong(table.layout().entryOfTuple(tuple))).isZero();
        assertThat(memory.getLong(tuple + t.identityOffset())).isZero();
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldNotKeepAnIndexEntryOfALockedSlot(Primitive primitive) {
        for (long slot = 0; slot < table.layout().slots(); slot++) {
            memory.putLong(table.layout().tupleOffset(slot), LeaseRules.lockedBy(6, 77));
        }
        txn.insert(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        assertThat(lock(primitive)).isFalse();
        assertThat(txn.abortReason()).isEqualTo(AbortReason.LOCK_CONFLICT);
        finish(primitive, false);
        for (long slot = 0; slot < table.layout().slots(); slot++) {
            assertThat(memory.getLong(table.layout().entryOffset(slot))).isZero();
            assertThat(memory.getLong(table.layout().tupleOffset(slot))).isEqualTo(LeaseRules.lockedBy(6, 77));
        }
        assertThat(memory.getLong(leaf())).isZero();
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldNotKeepTheLockOfATupleThatHasChangedSinceItsFetch(Primitive primitive) {
        long tuple = load(KEY);
        Access access = txn.update(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        access.putLong(0, 1);
        memory.putLong(tuple + t.versionOffset(), LOADED + 1);
        assertThat(lock(primitive)).isFalse();
        assertThat(txn.abortReason()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
        finish(primitive, false);
        assertThat(memory.getLong(tuple)).isZero();
    }

    // Goal: no lock is left of a call that a slow worker serves after the caller has given it up, though the peer's
    // NIC answers READs meanwhile.
    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldLeaveNoLockOfACallThatIsServedAfterItHasFailed(Primitive release) {
        long tuple = load(KEY);
        long before = memory.getLong(tuple);
        begin();
        locking.get(Primitive.RPC).begin();
        Access access = txn.update(table, KEY);
        assertThat(fetch(Primitive.RPC)).isTrue();
        access.putLong(0, 12345);
        endpoint.late = 1;
        assertThat(lock(Primitive.RPC)).isFalse();
        assertThat(txn.abortReason()).isEqualTo(AbortReason.PEER_UNREACHABLE);
        assertThat(memory.getLong(tuple)).as("not served yet").isEqualTo(before);
        locking.get(Primitive.RPC).findLost();
        finish(release, false);
        endpoint.serveLate();
        assertThat(memory.getLong(tuple)).isEqualTo(before);
    }

    // A late or repeated commit or release must not change a tuple that another transaction holds by then.
    @Test
    void shouldNotChangeByRpcATupleThatItNoLongerHolds() {
        long tuple = load(KEY);
        for (boolean commits : new boolean[] {true, false}) {
            begin();
            Access access = txn.update(table, KEY);
            assertThat(fetch(Primitive.RPC)).isTrue();
            access.putLong(0, 12345);
            assertThat(lock(Primitive.RPC)).isTrue();
            memory.putLong(tuple, LeaseRules.lockedBy(3, 77));
            finish(Primitive.RPC, commits);
            assertThat(memory.getLong(tuple)).isEqualTo(LeaseRules.lockedBy(3, 77));
            assertThat(memory.getLong(tuple + t.recordOffset())).isZero();
            memory.putLong(tuple, LeaseRules.free(3));
        }
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldValidateOnlyUnchangedOrOwnTuplesAndLeaves(Primitive primitive) {
        long tuple = load(KEY);
        txn.read(table, KEY);
        txn.read(table, 8);
        assertThat(fetch(primitive)).isTrue();
        Validation validation = new Validation(stages, primitive);
        SplittableRandom random = new SplittableRandom(5);
        long missing = table.layout().leafOffset(KeyHash.of(8));
        for (int i = 0; i < 20; i++) {
            boolean ofLeaf = random.nextBoolean();
            long offset = ofLeaf ? missing : tuple;
            long version = offset + (ofLeaf ? table.layout().leafVersionOffset() : t.versionOffset());
            assertThat(validation.validateReads()).isNull();
            memory.putLong(offset, LeaseRules.lockedBy(1, owner()) | LeaseRules.INSTALLING);
            assertThat(validation.validateAll()).as("own").isNull();
            memory.putLong(offset, LeaseRules.lockedBy(1, 77) | LeaseRules.INSTALLING);
            assertThat(validation.validateReads()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
            memory.putLong(offset, 0);
            memory.putLong(version, memory.getLong(version) + 1);
            assertThat(validation.validateReads()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
            memory.putLong(version, memory.getLong(version) - 1);
        }
    }

    // ---- deleted keys ----------------------------------------------------------------------------------------------

    private void lockADelete(Primitive primitive) {
        load(KEY);
        txn.delete(table, KEY);
        assertThat(fetch(primitive)).isTrue();
        assertThat(lock(primitive)).isTrue();
    }

    // Goal: a reader of a leaf that is locked but not marked finds the keys of its version.
    // Method: at every step of a delete at which lookups miss the key, the leaf is marked or has its new
    // version.
    @Test
    void shouldMarkTheLeafBeforeItsKeyIsRemoved() {
        lockADelete(Primitive.ONE_SIDED);
        int[] missing = new int[1];
        endpoint.beforeEach = () -> {
            if (partition.lookup(KeyHash.of(KEY), identity(KEY), 0) < 0) {
                missing[0]++;
                boolean marked = (memory.getLong(leaf()) & LeaseRules.INSTALLING) != 0;
                boolean written = memory.getLong(leaf() + table.layout().leafVersionOffset()) == COMMIT_TS;
                assertThat(marked || written).isTrue();
            }
        };
        finish(Primitive.ONE_SIDED, true);
        assertThat(missing[0]).isPositive();
        assertThat(memory.getLong(leaf())).isEqualTo(rules.committed(0, COMMIT_TS));
    }

    @Test
    void shouldAskAParticipantToMarkTheLeafBeforeItsKeyIsRemoved() {
        lockADelete(Primitive.RPC);
        boolean[] asked = new boolean[1];
        endpoint.handle(OptimisticParticipant.FINISH, request -> {
            long first = request.payloadOffset() + Calls.HEADER_BYTES;
            assertThat(InstallMessage.action(request.payload(), first)).isEqualTo(InstallMessage.MARK_LEAF);
            assertThat(InstallMessage.offset(request.payload(), first)).isEqualTo(leaf());
            asked[0] = true;
            request.reply(0);
        });
        finish(Primitive.RPC, true);
        assertThat(asked[0]).isTrue();
    }

    // Method: a transaction updates one key and inserts another. The first key is deleted before the
    // transaction locks. So the insert is offered the slot that the transaction has locked by the old
    // address.
    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldNotClaimASlotThatItHoldsByAnOldAddress(Primitive primitive) {
        long tuple = load(KEY);
        long neighbour = KEY + 1;
        while (table.layout().bucketOffset(KeyHash.of(neighbour), 0)
                != table.layout().bucketOffset(KeyHash.of(KEY), 0)) {
            neighbour++;
        }
        Access update = txn.update(table, KEY);
        txn.insert(table, neighbour);
        assertThat(fetch(primitive)).isTrue();
        update.putLong(0, 1);
        partition.clearIdentity(tuple);
        memory.putLong(tuple + t.versionOffset(), LOADED + 1);
        partition.clear(table.layout().entryOfTuple(tuple));
        assertThat(lock(primitive)).isFalse();
        assertThat(txn.abortReason()).isEqualTo(ConflictReasons.VALIDATION_FAILED);
        finish(primitive, false);
        assertThat(memory.getLong(tuple)).isZero();
        assertThat(memory.getLong(leaf())).isZero();
        for (long slot = 0; slot < table.layout().slots(); slot++) {
            assertThat(memory.getLong(table.layout().entryOffset(slot))).isZero();
        }
    }
}
