package dev.rcc.protocols.locking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.Refusal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockMessageTest {
    private static final long SLOT_VERSION = Long.MAX_VALUE - 3;

    private static final AbortReason OF_A_PROTOCOL = AbortReason.retryable(AbortReason.MAX_CODE, "OF_A_PROTOCOL");
    private static final AbortReasons REASONS = new AbortReasons(List.of(OF_A_PROTOCOL));

    private final Transaction txn = Transactions.begin();
    private final Memory memory = txn.buffer().memory();

    @Test
    void shouldCarryEveryRequestAtTheLimits() {
        Table last = Transactions.CATALOG.table(TableSchema.MAX_TABLES - 1);
        byte[] key = new byte[TableSchema.MAX_KEY_BYTES];
        Arrays.fill(key, (byte) -1);
        for (Access access : List.of(
                txn.read(Transactions.CATALOG.table(0), -1L),
                txn.update(Transactions.CATALOG.table(1), Long.MIN_VALUE),
                txn.insert(last, key),
                txn.delete(last, new byte[1]))) {
            for (LockMode mode : LockMode.values()) {
                long item = txn.buffer().allocate(KeyItem.bytes(access.layout()));
                LockMessage.encode(memory, item, access, mode);
                assertThat(LockMessage.intent(memory, item)).isEqualTo(access.intent());
                assertThat(LockMessage.leafMode(memory, item)).isEqualTo(mode);
                assertThat(KeyItem.table(memory, item)).isEqualTo(access.table().id());
                assertThat(KeyItem.partition(memory, item)).isEqualTo(access.partition());
                assertThat(KeyItem.keyHash(memory, item)).isEqualTo(access.keyHash());
                assertThat(memory.equalWords(
                                KeyItem.identityOffset(item),
                                memory,
                                access.identityOffset(),
                                access.layout().identityBytes()))
                        .isTrue();
                assertThat(KeyItem.identityOffset(item) + access.layout().identityBytes() - item)
                        .isEqualTo(KeyItem.bytes(access.layout()));
            }
        }
    }

    @Test
    void shouldCarryTheLargestPartition() {
        Table table = Transactions.CATALOG.table(0);
        int last = Transactions.CATALOG.placement().partitions() - 1;
        long key = 0;
        while (txn.read(table, key).partition() != last) {
            key++;
        }
        long item = txn.buffer().allocate(KeyItem.bytes(table.layout().tuple()));
        LockMessage.encode(memory, item, txn.read(table, key), LockMode.NONE);
        assertThat(KeyItem.partition(memory, item)).isEqualTo(last);
    }

    @Test
    void shouldCarryATupleThatWasFoundAndHowItIsLocked() {
        for (int id : Transactions.tables()) {
            for (LockMode mode : LockMode.values()) {
                Access access = access(id);
                TupleLayout t = access.layout();
                long item = reply(t, LockMessage.FOUND, LockMode.EXCLUSIVE, false, mode, 4096, -7);
                for (int i = 0; i < t.tupleBytes(); i += Memory.WORD_BYTES) {
                    memory.putLong(LockMessage.imageOffset(item) + i, 1000 + i);
                }
                LockRequest request = new LockRequest();
                SharableLeaf leaf = new SharableLeaf();
                decode(item, access, request, leaf);
                assertThat(access.exists()).isTrue();
                assertThat(access.version()).isEqualTo(1000 + t.versionOffset());
                assertThat(memory.equalWords(
                                LockMessage.imageOffset(item), memory, access.imageOffset(), t.tupleBytes()))
                        .isTrue();
                assertThat(LockMessage.imageOffset(item) + t.tupleBytes() - item)
                        .isEqualTo(LockMessage.replyBytes(t, access.intent()));
                assertThat(request.held).isEqualTo(LockMode.EXCLUSIVE);
                assertThat(request.isReserved()).isFalse();
                assertThat(RemoteAddress.offset(access.tupleAddress())).isEqualTo(4096);
                assertThat(RemoteAddress.node(access.tupleAddress())).isEqualTo(access.node());
                assertThat(leaf.mode).isEqualTo(mode);
                assertThat(leaf.version()).isEqualTo(mode == LockMode.NONE ? 0 : -7);
                assertThat(txn.abortReason()).isNull();
            }
        }
    }

    @Test
    void shouldCarryOnlyTheBytesBeforeTheRecordForABlindWrite() {
        Access access = txn.write(Transactions.CATALOG.table(0), 5);
        TupleLayout t = access.layout();
        assertThat(LockMessage.replyBytes(t, Intent.WRITE))
                .isEqualTo(LockMessage.replyBytes(t, Intent.UPDATE) - t.recordBytes());
        long item = reply(t, LockMessage.FOUND, LockMode.EXCLUSIVE, false, LockMode.NONE, 4096, 0);
        for (int i = 0; i < t.tupleBytes(); i += Memory.WORD_BYTES) {
            memory.putLong(LockMessage.imageOffset(item) + i, 1000 + i);
        }
        decode(item, access, new LockRequest(), new SharableLeaf());
        assertThat(access.exists()).isTrue();
        assertThat(access.version()).isZero();
        assertThat(access.replacedVersion()).isEqualTo(1000 + t.versionOffset());
        byte[] first = {1};
        access.getBytes(0, first, 0, 1);
        assertThat(first[0]).isZero();
    }

    @Test
    void shouldCarryAReservation() {
        Access access = txn.insert(Transactions.CATALOG.table(0), 77);
        long item = reply(access.layout(), LockMessage.ABSENT, LockMode.EXCLUSIVE, true, LockMode.EXCLUSIVE, 8, 5);
        LockRequest request = new LockRequest();
        decode(item, access, request, new SharableLeaf());
        assertThat(access.exists()).isFalse();
        assertThat(access.version()).isZero();
        assertThat(access.replacedVersion()).isEqualTo(SLOT_VERSION);
        assertThat(request.isReserved()).isTrue();
        assertThat(request.held).isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void shouldSetNoTupleAddressForAnAbsentKey() {
        Access access = access(0);
        long item = reply(access.layout(), LockMessage.ABSENT, LockMode.NONE, false, LockMode.SHARED, -1, 5);
        decode(item, access, new LockRequest(), new SharableLeaf());
        assertThat(access.exists()).isFalse();
        assertThat(access.tupleAddress()).isEqualTo(RemoteAddress.NONE);
    }

    @Test
    void shouldCarryTheAbortReasonTogetherWithTheHeldLock() {
        Access conflicting = txn.delete(Transactions.CATALOG.table(0), 3);
        LockRequest request = new LockRequest();
        long conflict = reply(
                conflicting.layout(),
                Refusal.of(AbortReason.LOCK_CONFLICT),
                LockMode.EXCLUSIVE,
                false,
                LockMode.NONE,
                64,
                0);
        decode(conflict, conflicting, request, new SharableLeaf());
        assertThat(txn.abortReason()).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(request.held).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(conflicting.isFetched()).isFalse();
    }

    @Test
    void shouldCarryEveryReasonThatAProtocolMayHaveToRefuseALock() {
        assertThat(REASONS.all()).contains(AbortReason.USER_ABORT, OF_A_PROTOCOL);
        for (AbortReason reason : REASONS.all()) {
            Transaction other = Transactions.begin();
            Access failing = other.insert(Transactions.CATALOG.table(0), 4);
            int result = Refusal.of(reason);
            LockMessage.encodeReply(
                    other.buffer().memory(), 128 * 1024, result, LockMode.NONE, false, LockMode.EXCLUSIVE, -1, 9, 0);
            LockRequest request = new LockRequest();
            request.begin(failing);
            request.leaf = new SharableLeaf();
            LockMessage.decode(other.buffer().memory(), 128 * 1024, request, other, REASONS);
            assertThat(other.abortReason()).isSameAs(reason);
            assertThat(request.held).isEqualTo(LockMode.NONE);
        }
    }

    private Access access(int table) {
        Table t = Transactions.CATALOG.table(table);
        return table == 0 ? txn.read(t, txn.size()) : txn.read(t, new byte[] {(byte) txn.size()});
    }

    private long reply(
            TupleLayout layout,
            int result,
            LockMode tupleMode,
            boolean reserved,
            LockMode leafMode,
            long tuple,
            long leafVersion) {
        long item = txn.buffer().allocate(LockMessage.replyBytes(layout, Intent.READ));
        LockMessage.encodeReply(memory, item, result, tupleMode, reserved, leafMode, tuple, leafVersion, SLOT_VERSION);
        return item;
    }

    private void decode(long item, Access access, LockRequest request, SharableLeaf leaf) {
        request.begin(access);
        leaf.reset(0, access.table().layout());
        request.leaf = leaf;
        LockMessage.decode(memory, item, request, txn, REASONS);
    }

    @Test
    void shouldDecodeIntentsAndModesFromTheirCodesAndCompareModes() {
        for (Intent intent : Intent.values()) {
            assertThat(Intent.ofCode(intent.code())).isEqualTo(intent);
        }
        for (LockMode mode : LockMode.values()) {
            assertThat(LockMode.ofCode(mode.code())).isEqualTo(mode);
        }
        assertThat(LockMode.EXCLUSIVE.covers(LockMode.SHARED)).isTrue();
        assertThat(LockMode.SHARED.covers(LockMode.SHARED)).isTrue();
        assertThat(LockMode.SHARED.covers(LockMode.EXCLUSIVE)).isFalse();
        assertThat(LockMode.NONE.covers(LockMode.SHARED)).isFalse();
    }
}
