package dev.rcc.protocols.locking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import org.junit.jupiter.api.Test;

class FinishMessageTest {
    private static final long COMMIT_TS = Long.MAX_VALUE - 5;

    private final Transaction txn = Transactions.begin();
    private final Memory memory = txn.buffer().memory();

    @Test
    void shouldCarryWhatIsInstalled() {
        for (int id : Transactions.tables()) {
            for (Intent intent : new Intent[] {Intent.UPDATE, Intent.WRITE, Intent.INSERT, Intent.DELETE}) {
                LockRequest request = request(id, intent, LockMode.EXCLUSIVE);
                Access access = request.access();
                TupleLayout t = access.layout();
                for (int i = t.versionOffset(); i < t.tupleBytes(); i += Memory.WORD_BYTES) {
                    memory.putLong(access.imageOffset() + i, 1000 + i);
                }
                long item = encode(request, true);
                long content = FinishMessage.contentOffset(item);
                int expected = switch (intent) {
                    case UPDATE, WRITE -> FinishMessage.UPDATE;
                    case INSERT -> FinishMessage.INSERT;
                    default -> FinishMessage.DELETE;
                };
                assertThat(FinishMessage.action(memory, item)).isEqualTo(expected);
                assertPlace(item, access);
                if (intent == Intent.DELETE) {
                    assertThat(FinishMessage.word(memory, item)).isEqualTo(COMMIT_TS);
                }
                if (intent == Intent.INSERT) {
                    assertThat(FinishMessage.word(memory, item)).isEqualTo(access.keyHash());
                    assertThat(memory.equalWords(content, memory, access.identityOffset(), t.identityBytes()))
                            .isTrue();
                    content += t.identityBytes();
                }
                if (intent != Intent.DELETE) {
                    assertThat(memory.equalWords(
                                    content, memory, access.imageOffset() + t.versionOffset(), t.valueBytes()))
                            .isTrue();
                    content += t.valueBytes();
                }
                assertThat(content - item)
                        .isEqualTo(FinishMessage.bytes(request, true))
                        .isEqualTo(FinishMessage.bytes(expected, t));
            }
        }
    }

    @Test
    void shouldCarryWhatIsOnlyUnlocked() {
        for (int id : Transactions.tables()) {
            LockRequest shared = request(id, Intent.READ, LockMode.SHARED);
            LockRequest exclusive = request(id, Intent.UPDATE, LockMode.EXCLUSIVE);
            LockRequest reserved = request(id, Intent.INSERT, LockMode.EXCLUSIVE);
            reserved.reserved(true);
            assertUnlock(shared, FinishMessage.UNLOCK_SHARED);
            assertUnlock(exclusive, FinishMessage.UNLOCK_EXCLUSIVE);
            assertUnlock(reserved, FinishMessage.UNRESERVE);
        }
    }

    @Test
    void shouldCarryLeaves() {
        SharableLeaf leaf = new SharableLeaf();
        leaf.reset(RemoteAddress.of(3, RemoteAddress.MAX_REGION, RemoteAddress.MAX_OFFSET - 7), 8);
        long item = txn.buffer().allocate(FinishMessage.LEAF_BYTES);
        leaf.mode = LockMode.SHARED;
        FinishMessage.encode(memory, item, leaf, 0);
        assertThat(FinishMessage.action(memory, item)).isEqualTo(FinishMessage.UNLOCK_SHARED);
        leaf.mode = LockMode.EXCLUSIVE;
        FinishMessage.encode(memory, item, leaf, 0);
        assertThat(FinishMessage.action(memory, item)).isEqualTo(FinishMessage.UNLOCK_EXCLUSIVE);
        FinishMessage.encode(memory, item, leaf, -1);
        assertThat(FinishMessage.action(memory, item)).isEqualTo(FinishMessage.WRITE_LEAF);
        assertThat(FinishMessage.word(memory, item)).isEqualTo(-1);
        assertThat(FinishMessage.region(memory, item)).isEqualTo(RemoteAddress.MAX_REGION);
        assertThat(FinishMessage.offset(memory, item)).isEqualTo(RemoteAddress.MAX_OFFSET - 7);
        for (int id : Transactions.tables()) {
            TupleLayout t = Transactions.CATALOG.table(id).layout().tuple();
            assertThat(FinishMessage.bytes(FinishMessage.WRITE_LEAF, t)).isEqualTo(FinishMessage.LEAF_BYTES);
        }
    }

    private void assertUnlock(LockRequest request, int action) {
        long item = encode(request, false);
        assertThat(FinishMessage.action(memory, item)).isEqualTo(action);
        assertThat(FinishMessage.bytes(request, false))
                .isEqualTo(FinishMessage.bytes(action, request.access().layout()));
        assertPlace(item, request.access());
    }

    private void assertPlace(long item, Access access) {
        assertThat(FinishMessage.region(memory, item)).isEqualTo(access.table().region(access.partition()));
        assertThat(FinishMessage.offset(memory, item)).isEqualTo(RemoteAddress.offset(access.tupleAddress()));
    }

    private LockRequest request(int table, Intent intent, LockMode held) {
        Table t = Transactions.CATALOG.table(table);
        byte[] key = {(byte) table, (byte) intent.code(), 1};
        long number = txn.size();
        Access access = switch (intent) {
            case READ -> table == 0 ? txn.read(t, number) : txn.read(t, key);
            case UPDATE -> table == 0 ? txn.update(t, number) : txn.update(t, key);
            case INSERT -> table == 0 ? txn.insert(t, number) : txn.insert(t, key);
            case DELETE -> table == 0 ? txn.delete(t, number) : txn.delete(t, key);
            case WRITE -> table == 0 ? txn.write(t, number) : txn.write(t, key);
        };
        access.tupleAddress(t.address(access.node(), access.partition(), 1 << 20));
        LockRequest request = new LockRequest();
        request.begin(access);
        request.held = held;
        return request;
    }

    private long encode(LockRequest request, boolean installed) {
        long item = txn.buffer().allocate(FinishMessage.bytes(request, installed));
        FinishMessage.encode(memory, item, request, installed, COMMIT_TS);
        return item;
    }
}
