package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeRequest;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which a participant installs, observed by rules that look at the table at each step. */
class InstallerTest {
    private static final long ATTEMPT = 77;
    private static final long VERSION = 1234;
    private static final long KEY = 42;

    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), Memory.WORD_BYTES, List.of(TableSchema.ofLongKeys(0, "t", 8, 64)));
    private final Table table = catalog.table(0);
    private final TupleLayout t = table.layout().tuple();
    private final Memstore memstore = new Memstore(catalog, new FakeFabric(0));
    private final TablePartition partition = memstore.partition(0, 0);
    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 4096);
    private final Memory identity = Memory.allocate(Arena.ofAuto(), 16);
    private final InstallMessage format = new InstallMessage(0);
    private final List<String> steps = new ArrayList<>();
    private final Installer installer = new Installer(memstore, format, new Watching());
    private final long[] buckets = new long[16];

    private int replies;
    private int items;
    private long next;

    @BeforeEach
    void begin() {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, KEY);
        items = 0;
        next = Calls.HEADER_BYTES;
    }

    /** Rules by which an attempt holds a tuple or leaf whose first word is its id. Records at each step whether a lookup finds the key. */
    private final class Watching implements InstallRules {
        @Override
        public boolean isHeld(Install install) {
            return install.memory().getLong(install.offset()) == install.attempt();
        }

        @Override
        public void begin(Install install) {
            note("begin");
        }

        @Override
        public void writeVersion(Install install) {
            note("version");
            InstallRules.putVersion(install);
        }

        @Override
        public void markLeaf(Install install) {
            note("mark");
        }

        @Override
        public void unlock(Install install) {
            note("unlock");
            install.memory().putLong(install.offset(), 0);
        }

        private void note(String step) {
            steps.add(step + (isFound() ? " found" : " absent"));
        }
    }

    @Test
    void shouldWriteVersionAndRecordOfAnUpdate() {
        long tuple = load();
        lock(tuple);
        update(tuple, 8);
        call();
        assertThat(steps).containsExactly("begin found", "version found", "unlock found");
        assertThat(partition.memory().getLong(tuple + t.versionOffset())).isEqualTo(VERSION);
        assertThat(partition.memory().getLong(tuple + t.recordOffset())).isEqualTo(8);
        assertThat(partition.memory().getLong(tuple)).isZero();
    }

    // A reader that finds the key must find it locked or whole.
    @Test
    void shouldNameAnInsertedKeyInTheIndexAfterItsVersionAndBeforeItsUnlock() {
        long entry = partition.reserve(KeyHash.of(KEY), buckets);
        long tuple = table.layout().tupleOfEntry(entry);
        lock(tuple);
        long content = item(InstallMessage.INSERT, tuple);
        buffers.putLong(content, KeyHash.of(KEY));
        identity.copy(0, buffers, content + Memory.WORD_BYTES, t.identityBytes());
        buffers.putLong(content + Memory.WORD_BYTES + t.identityBytes(), 9);
        call();
        assertThat(steps).containsExactly("begin absent", "version absent", "unlock found");
        assertThat(partition.lookup(KeyHash.of(KEY), identity, 0)).isEqualTo(tuple);
        assertThat(partition.memory().getLong(tuple + t.recordOffset())).isEqualTo(9);
    }

    // The slot may be another key's as soon as its index entry is free.
    @Test
    void shouldFreeADeletedSlotAfterItsUnlock() {
        long tuple = load();
        long entry = table.layout().entryOfTuple(tuple);
        lock(tuple);
        item(InstallMessage.DELETE, tuple);
        boolean[] freeAtUnlock = new boolean[1];
        InstallRules rules = new InstallRules() {
            @Override
            public boolean isHeld(Install install) {
                return true;
            }

            @Override
            public void writeVersion(Install install) {
                InstallRules.putVersion(install);
            }

            @Override
            public void unlock(Install install) {
                freeAtUnlock[0] = install.memory().getLong(entry) == 0;
            }
        };
        new Installer(memstore, format, rules).carryOut(request());
        assertThat(freeAtUnlock[0]).isFalse();
        assertThat(partition.memory().getLong(entry)).isZero();
        assertThat(partition.hasIdentity(tuple, identity, 0)).isFalse();
        assertThat(partition.memory().getLong(tuple + t.versionOffset())).isEqualTo(VERSION);
    }

    @Test
    void shouldFreeAReservedSlotThatIsNotUsed() {
        long entry = partition.reserve(KeyHash.of(KEY), buckets);
        long tuple = table.layout().tupleOfEntry(entry);
        lock(tuple);
        item(InstallMessage.UNRESERVE, tuple);
        call();
        assertThat(steps).containsExactly("unlock absent");
        assertThat(partition.memory().getLong(entry)).isZero();
    }

    @Test
    void shouldKeepAMarkedLeafLockedUntilItsVersionIsWritten() {
        long leaf = table.layout().leafOffset(KeyHash.of(KEY));
        lock(leaf);
        item(InstallMessage.MARK_LEAF, leaf);
        call();
        assertThat(steps).containsExactly("mark absent");
        assertThat(partition.memory().getLong(leaf)).isEqualTo(ATTEMPT);
        item(InstallMessage.WRITE_LEAF, leaf);
        call();
        assertThat(partition.memory().getLong(leaf)).isZero();
        assertThat(partition.memory().getLong(leaf + table.layout().leafVersionOffset()))
                .isEqualTo(VERSION);
    }

    @Test
    void shouldDoNothingWhenTheLockIsNotHeldAnyMore() {
        long tuple = load();
        update(tuple, 8);
        item(InstallMessage.DELETE, tuple);
        item(InstallMessage.UNRESERVE, tuple);
        call();
        assertThat(steps).isEmpty();
        assertThat(isFound()).isTrue();
        assertThat(partition.memory().getLong(tuple + t.recordOffset())).isEqualTo(5);
    }

    @Test
    void shouldCarryOutItemsOfEveryLengthInOneRequest() {
        long tuple = load();
        long leaf = table.layout().leafOffset(KeyHash.of(KEY));
        lock(tuple);
        lock(leaf);
        item(InstallMessage.MARK_LEAF, leaf);
        update(tuple, 11);
        item(InstallMessage.WRITE_LEAF, leaf);
        call();
        assertThat(steps).containsExactly("mark found", "begin found", "version found", "unlock found", "unlock found");
        assertThat(partition.memory().getLong(tuple + t.recordOffset())).isEqualTo(11);
        assertThat(partition.memory().getLong(leaf + table.layout().leafVersionOffset()))
                .isEqualTo(VERSION);
        assertThat(replies).isEqualTo(1);
    }

    private long load() {
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        record.putLong(0, 5);
        partition.load(KeyHash.of(KEY), identity, 0, 1, record, 0);
        return partition.lookup(KeyHash.of(KEY), identity, 0);
    }

    private boolean isFound() {
        return partition.lookup(KeyHash.of(KEY), identity, 0) >= 0;
    }

    private void lock(long offset) {
        partition.memory().putLong(offset, ATTEMPT);
    }

    private void update(long tuple, long record) {
        buffers.putLong(item(InstallMessage.UPDATE, tuple), record);
    }

    /** Appends an item and returns where its content starts. */
    private long item(int action, long offset) {
        long item = next;
        next += format.bytes(action, t);
        items++;
        format.encode(buffers, item, action, partition.region().address(offset), VERSION);
        return format.contentOffset(item);
    }

    private void call() {
        assertThat(installer.carryOut(request())).isEqualTo(ATTEMPT);
        installer.reply();
        begin();
    }

    private RpcRequest request() {
        buffers.putLong(0, items);
        buffers.putLong(Memory.WORD_BYTES, ATTEMPT);
        return new FakeRequest(buffers, 0, (int) next, 2048, 2048, replyBytes -> {
            assertThat(replyBytes).isZero();
            replies++;
        });
    }
}
