package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * The form in which an ordered index holds a table's keys, and their order: slots of the same size for all keys. The keys of a table are a finite
 * ordered set, whatever their kind: there is a least and a greatest key, and each key except the least has one right before it. So ranges are given
 * by their first and last key, and code that works on slots does not depend on the kind.
 *
 * <p>A slot of a 64-bit key is a word; such keys order as signed numbers. A slot of a byte string is an identity as in {@link TupleLayout}: a
 * header with the length, and the key, zero-padded. Byte strings order by their bytes, unsigned, and a shorter one comes before the longer ones that
 * begin with it. The least one is the empty string, which is the key of no record; it is used for fences and bounds.
 *
 * <p>Stateless except for the sizes. Nothing allocates.
 */
public abstract sealed class KeySlot permits LongKeySlot, ByteKeySlot {
    private final int bytes;
    private final int identityOffset;

    KeySlot(int bytes, int identityOffset) {
        this.bytes = bytes;
        this.identityOffset = identityOffset;
    }

    /** The slots for a table's keys. */
    static KeySlot of(TableSchema schema) {
        return schema.keyKind() == KeyKind.LONG ? new LongKeySlot() : new ByteKeySlot(schema.keyBytes());
    }

    /** Size of a slot whose keys have at most {@code keyBytes} bytes. */
    static int bytes(KeyKind keyKind, int keyBytes) {
        return keyKind == KeyKind.LONG ? Memory.WORD_BYTES : Memory.WORD_BYTES + Memory.alignToWord(keyBytes);
    }

    /** Size of a slot, whole words. */
    public final int bytes() {
        return bytes;
    }

    /** Where the key's slot starts in an identity (key header and key). */
    public final int identityOffset() {
        return identityOffset;
    }

    /** Compares two keys; the sign is that of {@link Long#compare}. */
    public abstract int compare(Memory a, long aOffset, Memory b, long bOffset);

    /** Copies a slot. */
    public abstract void copy(Memory from, long fromOffset, Memory to, long toOffset);

    /** Puts the least key there is. */
    public abstract void putLeast(Memory memory, long offset);

    /** Puts the greatest key there is. */
    public abstract void putGreatest(Memory memory, long offset);

    /** Puts the key right before another, which is not the least. */
    public abstract void putPredecessor(Memory of, long ofOffset, Memory to, long toOffset);

    /** Whether {@code b} is the key right after {@code a}. */
    public abstract boolean isPredecessor(Memory a, long aOffset, Memory b, long bOffset);

    /** Whether the slot holds a key, or a fence. */
    abstract boolean isKey(Memory memory, long offset);

    /** Puts the least key that has the same first bytes as another: bytes that a byte string lacks count as zeros. */
    public abstract void putPrefix(Memory of, long ofOffset, int prefixBytes, Memory to, long toOffset);

    /** The partition of a key in its table. */
    public final int partition(Table table, Memory memory, long offset) {
        return table.partition(hash(table, memory, offset));
    }

    /** The key's hash in its table. */
    public abstract long hash(Table table, Memory memory, long offset);

    /** Writes the key's identity as in {@link TupleLayout}. */
    public abstract void putIdentity(Memory memory, long offset, Memory to, long identityOffset);

    /** The key, for people. */
    public abstract String describe(Memory memory, long offset);
}
