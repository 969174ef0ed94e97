package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;

/**
 * A node of an ordered index: the record of a system table under the node's 64-bit id. Offsets are from the record's
 * start.
 *
 * <pre>
 *  0        8        16         24         32       40
 * +--------+--------+----------+----------+--------+-----------------------------------------+
 * | level  | count  | low      | high     | next   | leaf: keys, ascending                   |
 * |        |        | (incl.)  | (incl.)  |        | inner node: pairs of low key and child  |
 * +--------+--------+----------+----------+--------+-----------------------------------------+
 * </pre>
 *
 * Leaves have level 0. The fences low and high say which keys belong below a node; they partition the keys of a level.
 * Both are inclusive, so that a leaf can end with the greatest key there is. {@code next} is the id of the leaf to the
 * right, {@link #NO_NODE} in the last leaf and in inner nodes. The first low key of an inner node is its own.
 *
 * <p>The root has always the id {@link #ROOT}, and is always an inner node, so that an id that was a leaf's is never
 * anything else's. It covers all keys.
 */
public final class IndexNodeLayout {
    /** No node. */
    public static final long NO_NODE = 0;
    /** The id of the root. */
    public static final long ROOT = 1;
    /** The level of leaves. */
    public static final int LEAF_LEVEL = 0;
    /** Larger than any tree's root can have. */
    public static final int MAX_LEVEL = 32;
    /** Offset of the level. */
    public static final int LEVEL_OFFSET = 0;
    /** Offset of the number of keys or children. */
    public static final int COUNT_OFFSET = 8;
    /** Offset of the lowest key that may be below the node. */
    public static final int LOW_OFFSET = 16;
    /** Offset of the highest key that may be below the node. */
    public static final int HIGH_OFFSET = 24;
    /** Offset of the id of the leaf to the right. */
    public static final int NEXT_OFFSET = 32;
    /** Size of nodes where nobody asks for another. */
    public static final int DEFAULT_NODE_BYTES = 512;

    private static final int ENTRIES_OFFSET = 40;
    private static final int KEY_BYTES = Memory.WORD_BYTES;
    private static final int PAIR_BYTES = 2 * Memory.WORD_BYTES;
    /** Smallest nodes: four children. */
    public static final int MIN_NODE_BYTES = ENTRIES_OFFSET + 4 * PAIR_BYTES;
    /** Largest nodes. */
    public static final int MAX_NODE_BYTES = 8 * 1024;

    private final int leafCapacity;
    private final int innerCapacity;

    IndexNodeLayout(int nodeBytes) {
        leafCapacity = (nodeBytes - ENTRIES_OFFSET) / KEY_BYTES;
        innerCapacity = (nodeBytes - ENTRIES_OFFSET) / PAIR_BYTES;
    }

    /**
     * The system table for the nodes of an ordered table. Deletes leave no two leaves side by side that hold less than a third
     * of a leaf each, so each leaf holds a sixth on average; chance places nodes on partitions.
     */
    static TableSchema nodesOf(int id, TableSchema ordered) {
        IndexNodeLayout layout = new IndexNodeLayout(ordered.indexNodeBytes());
        long leaves = Math.ceilDiv(ordered.capacity(), Math.max(1, layout.leafCapacity / 6));
        long inner = Math.ceilDiv(leaves, Math.max(1, layout.innerCapacity / 6));
        long nodes = leaves + inner + 4 * (long) Math.sqrt((double) leaves) + 32;
        return TableSchema.ofLongKeys(id, ordered.name() + ".index", ordered.indexNodeBytes(), nodes);
    }

    /** How many keys a leaf, or children an inner node, has room for. */
    public int capacity(int level) {
        return level == LEAF_LEVEL ? leafCapacity : innerCapacity;
    }

    /** A node that comes to have fewer keys or children than this is merged with a neighbour, if they fit. */
    public int sparse(int level) {
        return Math.max(2, capacity(level) / 3);
    }

    /** How many keys or children a merged node, or one that is loaded, may have: not all, so that it isn't split at once. */
    public int comfortable(int level) {
        return capacity(level) * 3 / 4;
    }

    /** The fewest keys or children that a node can have. */
    public static int fewest(int level) {
        return level == LEAF_LEVEL ? 0 : 1;
    }

    /** Offset of a key of a leaf, or of a low key of an inner node. */
    public static int keyOffset(int level, int i) {
        return ENTRIES_OFFSET + i * (level == LEAF_LEVEL ? KEY_BYTES : PAIR_BYTES);
    }

    /** Offset of a child's id in an inner node. */
    public static int childOffset(int i) {
        return ENTRIES_OFFSET + i * PAIR_BYTES + KEY_BYTES;
    }
}
