package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogEntryTest {
    private static final int ID_OFFSET = 16;

    private final LogCluster cluster = new LogCluster(4096);
    private final Transaction txn = cluster.begin(0);
    private final Memory memory = txn.buffer().memory();

    // Inserts of records of 16 bytes, as many that the entry's words fall on all chains of the checksum.
    private long encode(int inserts) {
        Table table = cluster.catalog.table(0);
        for (int key = 0; key < inserts; key++) {
            Access access = txn.insert(table, key);
            access.foundNothing();
            access.tupleAddress(64L * (key + 1));
            access.putLong(0, 1000 + key);
            access.putLong(8, 7L * key);
        }
        txn.commitTs(txn.clock().next());
        int length = LogEntry.bytes(txn);
        long offset = txn.buffer().allocate(length);
        LogEntry.encode(txn, offset, length);
        return offset;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 9})
    void shouldFindEachBitThatHasChanged(int inserts) {
        long offset = encode(inserts);
        int length = LogEntry.bytes(txn);
        assertThat(LogEntry.isIntact(memory, offset, length)).isTrue();
        for (int at = ID_OFFSET; at < length; at += Memory.WORD_BYTES) {
            long word = memory.getLong(offset + at);
            for (int bit = 0; bit < Long.SIZE; bit++) {
                memory.putLong(offset + at, word ^ 1L << bit);
                assertThat(LogEntry.isIntact(memory, offset, length))
                        .as("bit %s of the word at %s", bit, at)
                        .isFalse();
            }
            memory.putLong(offset + at, word);
        }
        assertThat(LogEntry.isIntact(memory, offset, length)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9})
    void shouldFindWordsThatHaveChangedPlaces(int inserts) {
        long offset = encode(inserts);
        int length = LogEntry.bytes(txn);
        for (long one = LogEntry.firstChange(offset); one < offset + length; one += Memory.WORD_BYTES) {
            for (long other = one + Memory.WORD_BYTES; other < offset + length; other += Memory.WORD_BYTES) {
                long first = memory.getLong(one);
                long second = memory.getLong(other);
                memory.putLong(one, second);
                memory.putLong(other, first);
                assertThat(LogEntry.isIntact(memory, offset, length))
                        .as("words at %s and %s", one - offset, other - offset)
                        .isEqualTo(first == second);
                memory.putLong(one, first);
                memory.putLong(other, second);
            }
        }
    }
}
