package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.Transactions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallMessageTest {
    private static final long COMMIT_TS = Long.MAX_VALUE - 5;

    private final Transaction txn = Transactions.begin();
    private final Memory memory = txn.buffer().memory();

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 40})
    void shouldCarryActionTargetVersionAndContentOfEachWrite(int ownBytes) {
        InstallMessage format = new InstallMessage(ownBytes);
        for (int id : Transactions.tables()) {
            for (Intent intent : new Intent[] {Intent.UPDATE, Intent.WRITE, Intent.INSERT, Intent.DELETE}) {
                Access access = access(id, intent);
                TupleLayout t = access.layout();
                for (int i = t.versionOffset(); i < t.tupleBytes(); i += Memory.WORD_BYTES) {
                    memory.putLong(access.imageOffset() + i, 1000 + i);
                }
                int action = InstallMessage.action(access);
                long item = txn.buffer().allocate(format.bytes(action, t));
                for (int i = 0; i < ownBytes; i += Memory.WORD_BYTES) {
                    memory.putLong(InstallMessage.ownOffset(item) + i, -1 - i);
                }
                format.encodeWrite(memory, item, access, COMMIT_TS);
                assertThat(action)
                        .isEqualTo(
                                switch (intent) {
                                    case UPDATE, WRITE -> InstallMessage.UPDATE;
                                    case INSERT -> InstallMessage.INSERT;
                                    default -> InstallMessage.DELETE;
                                });
                assertThat(InstallMessage.action(memory, item)).isEqualTo(action);
                assertThat(InstallMessage.region(memory, item))
                        .isEqualTo(access.table().region(access.partition()));
                assertThat(InstallMessage.offset(memory, item)).isEqualTo(RemoteAddress.offset(access.tupleAddress()));
                assertThat(InstallMessage.version(memory, item)).isEqualTo(COMMIT_TS);
                for (int i = 0; i < ownBytes; i += Memory.WORD_BYTES) {
                    assertThat(memory.getLong(InstallMessage.ownOffset(item) + i))
                            .isEqualTo(-1 - i);
                }
                long content = format.contentOffset(item);
                if (intent == Intent.INSERT) {
                    assertThat(memory.getLong(content)).isEqualTo(access.keyHash());
                    content += Memory.WORD_BYTES;
                    assertThat(memory.equalWords(content, memory, access.identityOffset(), t.identityBytes()))
                            .isTrue();
                    content += t.identityBytes();
                }
                if (intent != Intent.DELETE) {
                    long record = access.imageOffset() + t.recordOffset();
                    assertThat(memory.equalWords(content, memory, record, t.recordBytes()))
                            .isTrue();
                    content += t.recordBytes();
                }
                assertThat(content - item).isEqualTo(format.bytes(action, t));
            }
        }
    }

    @Test
    void shouldCarryAnyAddressAndVersion() {
        InstallMessage format = new InstallMessage(0);
        long item = txn.buffer().allocate(format.bytes());
        long address = RemoteAddress.of(3, RemoteAddress.MAX_REGION, RemoteAddress.MAX_OFFSET - 7);
        format.encode(memory, item, InstallMessage.WRITE_LEAF, address, -1);
        assertThat(InstallMessage.action(memory, item)).isEqualTo(InstallMessage.WRITE_LEAF);
        assertThat(InstallMessage.region(memory, item)).isEqualTo(RemoteAddress.MAX_REGION);
        assertThat(InstallMessage.offset(memory, item)).isEqualTo(RemoteAddress.MAX_OFFSET - 7);
        assertThat(InstallMessage.version(memory, item)).isEqualTo(-1);
        for (int id : Transactions.tables()) {
            TupleLayout t = Transactions.CATALOG.table(id).layout().tuple();
            assertThat(format.bytes(InstallMessage.WRITE_LEAF, t)).isEqualTo(format.bytes());
            assertThat(format.bytes(InstallMessage.DELETE, t)).isEqualTo(format.bytes());
        }
    }

    @Test
    void shouldInstallNoRead() {
        assertThatIllegalStateException().isThrownBy(() -> InstallMessage.action(access(0, Intent.READ)));
    }

    private Access access(int table, Intent intent) {
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
        return access;
    }
}
