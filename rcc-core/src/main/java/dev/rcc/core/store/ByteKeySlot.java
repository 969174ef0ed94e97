package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Slots of byte strings up to the table's limit.
 *
 * <pre>
 *  0            8                        8 + K
 * +------------+------------------------+
 * | key header | key, zero-padded (K)   |    K: the limit, rounded up to words
 * +------------+------------------------+
 * </pre>
 *
 * Words compare in the order of their bytes; where all are equal, the keys differ in zeros at their ends, so their lengths
 * decide. With the limit each key has a neighbour. After a key of the full length comes the next key that is no extension of it. Before a key that
 * does not end with a zero comes the longest extension of the smaller keys.
 */
public final class ByteKeySlot extends KeySlot {
    private static final int KEY_OFFSET = Memory.WORD_BYTES;

    private final int keyBytes;
    private final int paddedBytes;

    ByteKeySlot(int keyBytes) {
        super(bytes(KeyKind.BYTES, keyBytes), 0);
        this.keyBytes = keyBytes;
        this.paddedBytes = Memory.alignToWord(keyBytes);
    }

    @Override
    public int compare(Memory a, long aOffset, Memory b, long bOffset) {
        for (int i = KEY_OFFSET; i < bytes(); i += Memory.WORD_BYTES) {
            long wordOfA = a.getLong(aOffset + i);
            long wordOfB = b.getLong(bOffset + i);
            if (wordOfA != wordOfB) { // memory is little-endian
                return Long.compareUnsigned(Long.reverseBytes(wordOfA), Long.reverseBytes(wordOfB));
            }
        }
        return Long.compare(a.getLong(aOffset), b.getLong(bOffset));
    }

    @Override
    public void copy(Memory from, long fromOffset, Memory to, long toOffset) {
        from.copy(fromOffset, to, toOffset, bytes());
    }

    @Override
    public void putLeast(Memory memory, long offset) {
        memory.putLong(offset, TupleLayout.liveHeader(0));
        memory.zero(offset + KEY_OFFSET, paddedBytes);
    }

    @Override
    public void putGreatest(Memory memory, long offset) {
        putLeast(memory, offset);
        fill(memory, offset, 0);
    }

    @Override
    public void putPredecessor(Memory of, long ofOffset, Memory to, long toOffset) {
        copy(of, ofOffset, to, toOffset);
        int last = length(to, toOffset) - 1;
        int lastByte = byteAt(to, toOffset, last);
        if (lastByte == 0) {
            to.putLong(toOffset, TupleLayout.liveHeader(last));
        } else {
            putByte(to, toOffset, last, lastByte - 1);
            fill(to, toOffset, last + 1);
        }
    }

    @Override
    public void putPrefix(Memory of, long ofOffset, int prefixBytes, Memory to, long toOffset) {
        int length = Math.min(length(of, ofOffset), prefixBytes);
        while (length > 0 && byteAt(of, ofOffset, length - 1) == 0) {
            length--; // missing bytes count as zeros, so of keys that end with zeros the shortest is the least
        }
        copy(of, ofOffset, to, toOffset);
        for (int i = length; i < paddedBytes; i++) {
            putByte(to, toOffset, i, 0);
        }
        to.putLong(toOffset, TupleLayout.liveHeader(length));
    }

    @Override
    public boolean isPredecessor(Memory a, long aOffset, Memory b, long bOffset) {
        int lengthOfA = length(a, aOffset);
        int last = length(b, bOffset) - 1;
        if (lengthOfA == last) {
            return a.equalWords(
                    aOffset + KEY_OFFSET, b, bOffset + KEY_OFFSET, paddedBytes); // and so b ends with a zero
        }
        if (lengthOfA != keyBytes || last < 0 || last >= keyBytes) {
            return false;
        }
        for (int i = 0; i < last; i++) {
            if (byteAt(a, aOffset, i) != byteAt(b, bOffset, i)) {
                return false;
            }
        }
        for (int i = last + 1; i < keyBytes; i++) {
            if (byteAt(a, aOffset, i) != 0xFF) {
                return false;
            }
        }
        return byteAt(a, aOffset, last) + 1 == byteAt(b, bOffset, last);
    }

    @Override
    boolean isKey(Memory memory, long offset) {
        int length = length(memory, offset);
        boolean isKey = length >= 0 && length <= keyBytes && memory.getLong(offset) == TupleLayout.liveHeader(length);
        for (int i = length; isKey && i < paddedBytes; i++) {
            isKey = byteAt(memory, offset, i) == 0;
        }
        return isKey;
    }

    @Override
    public long hash(Table table, Memory memory, long offset) {
        return table.keyHash(memory, offset + KEY_OFFSET, length(memory, offset));
    }

    @Override
    public void putIdentity(Memory memory, long offset, Memory to, long identityOffset) {
        copy(memory, offset, to, identityOffset);
    }

    @Override
    public String describe(Memory memory, long offset) {
        return "0x" + HexFormat.of().formatHex(key(memory, offset));
    }

    /** Puts the least key that is not less than a byte string of any length. Returns whether there is one. */
    public boolean putCeiling(Memory memory, long offset, byte[] bytes) {
        put(memory, offset, bytes, Math.min(bytes.length, keyBytes));
        return bytes.length <= keyBytes || putSuccessor(memory, offset);
    }

    /** Puts the greatest key that is less than a byte string of any length. Returns whether there is one. */
    public boolean putLower(Memory memory, long offset, byte[] bytes) {
        put(memory, offset, bytes, Math.min(bytes.length, keyBytes));
        if (bytes.length > 0 && bytes.length <= keyBytes) {
            putPredecessor(memory, offset, memory, offset);
        }
        return bytes.length > 0;
    }

    /** Puts the least and the greatest key that begin with a byte string of any length. Returns whether there are any. */
    public boolean putPrefix(Memory memory, long least, long greatest, byte[] prefix) {
        int length = Math.min(prefix.length, keyBytes);
        put(memory, least, prefix, length);
        put(memory, greatest, prefix, length);
        fill(memory, greatest, length);
        return prefix.length <= keyBytes;
    }

    /** Puts a key. */
    void put(Memory memory, long offset, byte[] key) {
        put(memory, offset, key, key.length);
    }

    private void put(Memory memory, long offset, byte[] bytes, int length) {
        memory.putLong(offset, TupleLayout.liveHeader(length));
        memory.zero(offset + KEY_OFFSET, paddedBytes);
        memory.putBytes(offset + KEY_OFFSET, bytes, 0, length);
    }

    /** Replaces a key of the full length by the key after it. Returns whether there is one. */
    private boolean putSuccessor(Memory memory, long offset) {
        int last = keyBytes - 1;
        while (last >= 0 && byteAt(memory, offset, last) == 0xFF) {
            putByte(memory, offset, last--, 0);
        }
        if (last >= 0) {
            putByte(memory, offset, last, byteAt(memory, offset, last) + 1);
        }
        memory.putLong(offset, TupleLayout.liveHeader(last + 1));
        return last >= 0;
    }

    /** The bytes of a key. */
    public byte[] key(Memory memory, long offset) {
        byte[] key = new byte[length(memory, offset)];
        memory.getBytes(offset + KEY_OFFSET, key, 0, key.length);
        return key;
    }

    /** The first byte string after {@code key}: an exclusive lower bound, or an inclusive upper one. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    private static int length(Memory memory, long offset) {
        return TupleLayout.keyLength(memory.getLong(offset));
    }

    /** Appends bytes, the greatest there are, up to the limit. */
    private void fill(Memory memory, long offset, int from) {
        for (int i = from; i < keyBytes; i++) {
            putByte(memory, offset, i, 0xFF);
        }
        memory.putLong(offset, TupleLayout.liveHeader(keyBytes));
    }

    private static int byteAt(Memory memory, long offset, int i) {
        return memory.segment().get(ValueLayout.JAVA_BYTE, offset + KEY_OFFSET + i) & 0xFF;
    }

    private static void putByte(Memory memory, long offset, int i, int value) {
        memory.segment().set(ValueLayout.JAVA_BYTE, offset + KEY_OFFSET + i, (byte) value);
    }
}
