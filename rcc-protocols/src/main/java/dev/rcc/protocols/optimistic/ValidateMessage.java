package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;

/**
 * The items of a validate RPC: tuples and leaves whose lock word and version are to be read, in this order; under MVCC, after their
 * {@code rts} was raised to the request's header word. The reply's first word is the number of items.
 *
 * <pre>
 *  request item                                      reply item
 *   0  63..32 region | 31..0 offset of the version    0  lock word
 *      from the start of the tuple or leaf            8  version
 *   8  offset of the tuple or leaf in the region
 * </pre>
 */
public final class ValidateMessage {
    /** Bytes of a request's item. */
    public static final int REQUEST_BYTES = 16;
    /** Bytes of a reply's item. */
    public static final int REPLY_BYTES = 16;

    private static final int OFFSET_OFFSET = 8;
    private static final int VERSION_OFFSET = 8;

    private ValidateMessage() {}

    /** Writes the item of a request that asks for {@code entry}. */
    public static void encode(Memory buffers, long item, ReadEntry entry) {
        long version = entry.versionAddress() - entry.address();
        buffers.putLong(item, (long) RemoteAddress.region(entry.address()) << 32 | version);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(entry.address()));
    }

    /** The region of an item. */
    public static int region(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    /** Where an item's version lies, from the start of the tuple or leaf. */
    public static int versionOffset(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    /** Where an item's tuple or leaf lies in its region. */
    public static long offset(Memory memory, long item) {
        return memory.getLong(item + OFFSET_OFFSET);
    }

    /** Writes the item of a reply. */
    public static void encodeReply(Memory memory, long item, long lockWord, long version) {
        memory.putLong(item, lockWord);
        memory.putLong(item + VERSION_OFFSET, version);
    }

    /** The lock word of a reply's item. */
    public static long lockWord(Memory memory, long item) {
        return memory.getLong(item);
    }

    /** The version of a reply's item. */
    public static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }
}
