package dev.rcc.bench.workload.listappend;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.Access;

/**
 * A list in a record: the number of elements ever appended, and the last of them in a ring.
 *
 * <pre>
 *  0          8                       8 + 8 * KEPT
 * +----------+-----------------------+
 * | count    | element i at i % KEPT |
 * +----------+-----------------------+
 * </pre>
 */
final class ListLayout {
    /** Elements that a record keeps. */
    static final int KEPT = 31;
    /** Bytes of a record. */
    static final int RECORD_BYTES = (1 + KEPT) * Long.BYTES;

    private ListLayout() {}

    static void append(Access list, long element) {
        long count = list.getLong(0);
        list.putLong(elementOffset(count), element);
        list.putLong(0, count + 1);
    }

    static long count(Memory memory, long record) {
        return memory.getLong(record);
    }

    /** The element with this number, from 0, one of the last {@link #KEPT}. */
    static long element(Memory memory, long record, long number) {
        return memory.getLong(record + elementOffset(number));
    }

    private static int elementOffset(long number) {
        return (int) (1 + number % KEPT) * Long.BYTES;
    }
}
