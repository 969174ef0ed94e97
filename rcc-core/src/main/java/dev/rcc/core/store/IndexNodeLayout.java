package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * A node of an ordered index: the record of a system table under the node's 64-bit id. Offsets are from the record's
 * start; S are the bytes of a {@link KeySlot}.
 *
 * <pre>
 *  0        8        16       24         24+S       24+2S
 * +--------+--------+--------+----------+----------+-----------------------------------------+
 * | level  | count  | next   | low      | high     | leaf: keys (S), ascending               |
 * |        |        |        | (incl.)  | (incl.)  | inner node: pairs of low key and child  |
 * |        |        |        |          |          | (S+8)                                   |
 * +--------+--------+--------+----------+----------+-----------------------------------------+
 * </pre>
 *
 * Leaves have level 0. The count is in the lower half of its word. In the upper half is the place behind the key that was inserted last, 0 when the
 * node has changed otherwise since: from that a split sees whether keys come in ascending order. The fences low and high bound the keys that belong
 * below a node; they partition the keys of a level. Both are inclusive, so that a leaf can end with the greatest key there is. {@code next} is the id
 * of the leaf to the right, {@link #NO_NODE} in the last leaf and in inner nodes. The first low key of an inner node is the node's own.
 *
 * <p>The root has always the id {@link #ROOT}, and is always an inner node, so that the id of a leaf never becomes the id of another kind of node. It
 * covers all keys.
 *
 * <p>The nodes of a table that is distributed by a prefix of its keys are placed by these keys. A leaf lies in the partition of its low fence, and
 * has keys of that partition only, so that operations within one prefix ask one node of the cluster. If all children of an inner node lie in one
 * partition when it is made, it lies there, too; other inner nodes lie anywhere.
 */
public final class IndexNodeLayout {
    /** No node. */
    public static final long NO_NODE = 0;
    /** The id of the root. */
    public static final long ROOT = 1;
    /** The level of leaves. */
    public static final int LEAF_LEVEL = 0;
    /** Larger than the level of any tree's root. */
    public static final int MAX_LEVEL = 32;
    /** Offset of the level. */
    public static final int LEVEL_OFFSET = 0;
    /** Offset of the word with the number of keys or children, {@link #count}, and the place of the last insert, {@link #afterLastInsert}. */
    public static final int COUNT_OFFSET = 8;
    /** Offset of the id of the leaf to the right. */
    public static final int NEXT_OFFSET = 16;
    /** Offset of the lowest key that may be below the node. */
    public static final int LOW_OFFSET = 24;
    /** Default size of nodes with 64-bit keys, and smallest default size of nodes with byte strings. */
    public static final int DEFAULT_NODE_BYTES = 512;
    /** Largest nodes. */
    public static final int MAX_NODE_BYTES = 8 * 1024;

    private static final int MIN_CHILDREN = 4;
    /** Children that nodes with byte strings have room for by default. */
    private static final int DEFAULT_CHILDREN = 32;
    /** Keys are too long for an index if the largest node does not have room for this many. */
    private static final int FEWEST_CHILDREN = 8;

    private final KeySlot keys;
    private final int highOffset;
    private final int entriesOffset;
    private final int keyBytes;
    private final int pairBytes;
    private final int leafCapacity;
    private final int innerCapacity;

    IndexNodeLayout(TableSchema ordered) {
        keys = KeySlot.of(ordered);
        keyBytes = keys.bytes();
        pairBytes = keyBytes + Memory.WORD_BYTES;
        highOffset = LOW_OFFSET + keyBytes;
        entriesOffset = highOffset + keyBytes;
        leafCapacity = (ordered.indexNodeBytes() - entriesOffset) / keyBytes;
        innerCapacity = (ordered.indexNodeBytes() - entriesOffset) / pairBytes;
    }

    /** The default size of nodes. */
    static int defaultNodeBytes(KeyKind keyKind, int keyBytes) {
        return keyKind == KeyKind.LONG
                ? DEFAULT_NODE_BYTES
                : Math.clamp(nodeBytes(keyKind, keyBytes, DEFAULT_CHILDREN), DEFAULT_NODE_BYTES, MAX_NODE_BYTES);
    }

    /** The smallest nodes: four children. */
    public static int minNodeBytes(KeyKind keyKind, int keyBytes) {
        return nodeBytes(keyKind, keyBytes, MIN_CHILDREN);
    }

    /** The longest byte strings that a table can be ordered by. */
    public static int maxKeyBytes() {
        int slot = (MAX_NODE_BYTES - LOW_OFFSET - FEWEST_CHILDREN * Memory.WORD_BYTES) / (2 + FEWEST_CHILDREN);
        return (slot & -Memory.WORD_BYTES) - Memory.WORD_BYTES;
    }

    private static int nodeBytes(KeyKind keyKind, int keyBytes, int children) {
        int slot = KeySlot.bytes(keyKind, keyBytes);
        return LOW_OFFSET + 2 * slot + children * (slot + Memory.WORD_BYTES);
    }

    /**
     * The system table for the nodes of an ordered table. Deletes leave no two leaves side by side that hold less than a third
     * of a leaf each, so each leaf holds a sixth on average; chance places nodes on partitions. In a table that is distributed by a prefix, the
     * number of leaves in a partition depends on the partition's keys, and a leaf ends where the keys of another partition begin. So there is room
     * for as many leaves again, which is enough for prefixes of a sixth of a leaf each.
     */
    TableSchema nodesOf(int id, TableSchema ordered) {
        long leaves = Math.ceilDiv(ordered.capacity(), Math.max(1, leafCapacity / 6));
        if (ordered.distribution().isByPrefix()) {
            leaves *= 2;
        }
        long inner = Math.ceilDiv(leaves, Math.max(1, innerCapacity / 6));
        long nodes = leaves + inner + 4 * (long) Math.sqrt((double) leaves) + 32;
        return TableSchema.ofLongKeys(id, ordered.name() + ".index", ordered.indexNodeBytes(), nodes)
                .growing(ordered.growth());
    }

    /** The number of keys or children, of the word at {@link #COUNT_OFFSET}. */
    public static int count(long word) {
        return (int) word;
    }

    /** The place behind the key that was inserted last, or 0, of the word at {@link #COUNT_OFFSET}. */
    public static int afterLastInsert(long word) {
        return (int) (word >>> Integer.SIZE);
    }

    /** The word at {@link #COUNT_OFFSET} of a node into which a key was just inserted; for any other node, the word is the count. */
    public static long countAfterInsert(int count, int place) {
        return (place + 1L) << Integer.SIZE | count;
    }

    /** The number of keys that a leaf, or of children that an inner node, has room for. */
    public int capacity(int level) {
        return level == LEAF_LEVEL ? leafCapacity : innerCapacity;
    }

    /** A node whose keys or children become fewer than this is merged with a neighbour, if they fit. */
    public int sparse(int level) {
        return Math.max(2, capacity(level) / 3);
    }

    /** The most keys or children of a merged or loaded node: less than its capacity, so that it isn't split at once. */
    public int comfortable(int level) {
        return capacity(level) * 3 / 4;
    }

    /** The fewest keys or children that a node can have. */
    public static int fewest(int level) {
        return level == LEAF_LEVEL ? 0 : 1;
    }

    /** How nodes hold keys. */
    public KeySlot keys() {
        return keys;
    }

    /** Offset of the highest key that may be below the node. */
    public int highOffset() {
        return highOffset;
    }

    /** Offset of a key of a leaf, or of a low key of an inner node; and where the next key starts, if the node has {@code i} keys. */
    public int keyOffset(int level, int i) {
        return entriesOffset + i * entryBytes(level);
    }

    /** Offset of a child's id in an inner node. */
    public int childOffset(int i) {
        return entriesOffset + i * pairBytes + keyBytes;
    }

    /** Bytes of a key of a leaf, or of a pair of an inner node. */
    public int entryBytes(int level) {
        return level == LEAF_LEVEL ? keyBytes : pairBytes;
    }
}
