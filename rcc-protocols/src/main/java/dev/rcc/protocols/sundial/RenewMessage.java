package dev.rcc.protocols.sundial;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.protocols.optimistic.ReadEntry;

/**
 * The items of a renew RPC: tuples and leaves whose lease is to last until the commit timestamp. The reply is one word, which shows whether all of
 * them do.
 *
 * <pre>
 *   0  63..32 region | 31..0 offset of the version from the start of the tuple or leaf
 *   8  offset of the tuple or leaf in the region
 *  16  version that was read
 *  24  time until which the lease is to last
 *  32  the owner whose lock is as good as a lease, or {@link Renewal#NOBODY}
 * </pre>
 */
final class RenewMessage {
    /** All leases last long enough. */
    static final int ALL_RENEWED = 1;
    /** Some leases do not; other leases may have been renewed. */
    static final int NOT_RENEWED = 2;

    static final int BYTES = 40;

    private static final int OFFSET_OFFSET = 8;
    private static final int VERSION_OFFSET = 16;
    private static final int UNTIL_OFFSET = 24;
    private static final int OWNER_OFFSET = 32;

    private RenewMessage() {}

    static void encode(Memory buffers, long item, ReadEntry entry, long until, long owner) {
        long version = entry.versionAddress() - entry.address();
        buffers.putLong(item, (long) RemoteAddress.region(entry.address()) << 32 | version);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(entry.address()));
        buffers.putLong(item + VERSION_OFFSET, entry.version());
        buffers.putLong(item + UNTIL_OFFSET, until);
        buffers.putLong(item + OWNER_OFFSET, owner);
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

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }

    static long until(Memory memory, long item) {
        return memory.getLong(item + UNTIL_OFFSET);
    }

    static long owner(Memory memory, long item) {
        return memory.getLong(item + OWNER_OFFSET);
    }
}
