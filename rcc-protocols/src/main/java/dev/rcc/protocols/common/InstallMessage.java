package dev.rcc.protocols.common;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;

/**
 * The items of the RPCs that end a transaction: one for each tuple and leaf that the coordinator holds, with the content that the
 * participant installs before it drops the lock. {@link Installer} carries them out. The reply is empty.
 *
 * <pre>
 *   0   63..32 region | 31..0 action
 *   8   offset of the tuple or leaf in the region
 *  16   new version
 *  24   words of the protocol, {@code ownBytes} of them
 *   .   insert: hash of the key, identity
 *   .   update, insert: record
 * </pre>
 */
public final class InstallMessage {
    /** Drop the lock. */
    public static final int UNLOCK = 1;
    /** Drop a shared lock, whose word does not identify its holders. */
    public static final int UNLOCK_SHARED = 2;
    /** Drop the lock, and the reservation of the tuple's index entry. */
    public static final int UNRESERVE = 3;
    /** Write version and record, unlock. */
    public static final int UPDATE = 4;
    /** Write identity, version and record, publish the index entry, unlock. */
    public static final int INSERT = 5;
    /** Clear the identity, write the version, unlock, free the index entry. */
    public static final int DELETE = 6;
    /** Announce that tuples below a leaf come or go. The leaf stays locked. */
    public static final int MARK_LEAF = 7;
    /** Write the leaf's version, unlock. */
    public static final int WRITE_LEAF = 8;

    private static final int OFFSET_OFFSET = 8;
    private static final int VERSION_OFFSET = 16;
    private static final int OWN_OFFSET = 24;

    private final int ownBytes;

    /**
     * The format of a protocol.
     *
     * @param ownBytes bytes of the protocol's words in each item, whole words
     */
    public InstallMessage(int ownBytes) {
        this.ownBytes = ownBytes;
    }

    /**
     * The action that installs a write.
     *
     * @throws IllegalStateException if it is a read
     */
    public static int action(Access access) {
        return switch (access.intent()) {
            case UPDATE, WRITE -> UPDATE;
            case INSERT -> INSERT;
            case DELETE -> DELETE;
            case READ -> throw new IllegalStateException("a read installs nothing");
        };
    }

    /** The length in bytes of an item that installs no record: of any action except an update and an insert. */
    public int bytes() {
        return OWN_OFFSET + ownBytes;
    }

    /** The length of an item, in bytes. */
    public int bytes(int action, TupleLayout layout) {
        return bytes()
                + switch (action) {
                    case UPDATE -> layout.recordBytes();
                    case INSERT -> Memory.WORD_BYTES + layout.identityBytes() + layout.recordBytes();
                    default -> 0;
                };
    }

    // ---- the coordinator's side ------------------------------------------------------------------------------------

    /** Writes an item without a record, except for the protocol's own words. */
    public void encode(Memory buffers, long item, int action, long address, long version) {
        buffers.putLong(item, (long) RemoteAddress.region(address) << 32 | action);
        buffers.putLong(item + OFFSET_OFFSET, RemoteAddress.offset(address));
        buffers.putLong(item + VERSION_OFFSET, version);
    }

    /** Writes an item that installs a write, except for the protocol's own words. */
    public void encodeWrite(Memory buffers, long item, Access access, long version) {
        TupleLayout t = access.layout();
        int action = action(access);
        encode(buffers, item, action, access.tupleAddress(), version);
        long target = contentOffset(item);
        if (action == INSERT) {
            buffers.putLong(target, access.keyHash());
            target += Memory.WORD_BYTES;
            buffers.copy(access.identityOffset(), buffers, target, t.identityBytes());
            target += t.identityBytes();
        }
        if (action != DELETE) {
            buffers.copy(access.imageOffset() + t.recordOffset(), buffers, target, t.recordBytes());
        }
    }

    // ---- the item's fields -----------------------------------------------------------------------------------------

    /** The action. */
    public static int action(Memory memory, long item) {
        return (int) memory.getLong(item);
    }

    static int region(Memory memory, long item) {
        return (int) (memory.getLong(item) >>> 32);
    }

    /** Where the tuple or leaf starts in its region. */
    public static long offset(Memory memory, long item) {
        return memory.getLong(item + OFFSET_OFFSET);
    }

    static long version(Memory memory, long item) {
        return memory.getLong(item + VERSION_OFFSET);
    }

    /** Where the protocol's words start. */
    public static long ownOffset(long item) {
        return item + OWN_OFFSET;
    }

    /** Where an insert's hash, or an update's record, starts. */
    long contentOffset(long item) {
        return item + OWN_OFFSET + ownBytes;
    }
}
