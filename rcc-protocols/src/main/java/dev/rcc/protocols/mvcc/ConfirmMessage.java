package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.protocols.optimistic.ReadEntry;

/**
 * The items of a confirm RPC: tuples and leaves whose {@code rts} is to be raised to the request's header word, the attempt's
 * id, and whose lock word and version are to be read then, in this order. The reply's first word is the number of items.
 *
 * <pre>
 *  request item                                      reply item
 *   0  63..32 region | 31..0 offset of the version    0  lock word
 *      from the start of the tuple or leaf            8  version
 *   8  offset of the tuple or leaf in the region
 * </pre>
 */
final class ConfirmMessage {
    static final int REQUEST_BYTES = 16;
    static final int REPLY_BYTES = 16;

    private static final int OFFSET_OFFSET = 8;
    private static final int VERSION_OFFSET = 8;

    private ConfirmMessage() {}

    static void encode(Memory buffers, long item, ReadEntry entry) {
        long version = entry.versionAddress() - entry.address();
        buffers.putLong(item, (long) RemoteAddress.region(entry.address()) << 32 | version);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(entry.address()));
    }

    static int region(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    static int versionOffset(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static long offset(Memory memory, long item) {
        return memory.getLong(item + OFFSET_OFFSET);
    }

    static void encodeReply(Memory memory, long item, long lockWord, long version) {
        memory.putLong(item, lockWord);
        memory.putLong(item + VERSION_OFFSET, version);
    }

    static long lockWord(Memory memory, long item) {
        return memory.getLong(item);
    }

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }
}
