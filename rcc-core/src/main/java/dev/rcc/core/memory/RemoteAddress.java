package dev.rcc.core.memory;

/**
 * The place of a byte in the cluster, packed into a {@code long} so that addresses cost no allocation.
 *
 * <pre>
 *  63        56 55            44 43                                  0
 * +------------+----------------+-------------------------------------+
 * |  node (8)  |  region (12)   |  offset in the region (44), bytes   |
 * +------------+----------------+-------------------------------------+
 * </pre>
 *
 * A variable that holds a packed address ends in {@code Address}; a bare {@code long} offset is relative to a region.
 */
public final class RemoteAddress {
    /** No address: its region is greater than {@link #MAX_REGION}. */
    public static final long NONE = -1L;

    private static final int NODE_BITS = 8;
    private static final int REGION_BITS = 12;
    private static final int OFFSET_BITS = Long.SIZE - NODE_BITS - REGION_BITS;
    private static final int REGION_SHIFT = OFFSET_BITS;
    private static final int REGION_MASK = (1 << REGION_BITS) - 1;
    private static final int NODE_SHIFT = REGION_SHIFT + REGION_BITS;

    /** Largest node id. */
    public static final int MAX_NODE = (1 << NODE_BITS) - 1;
    /** Largest region id. */
    public static final int MAX_REGION = (1 << REGION_BITS) - 2;
    /** Largest offset in a region, in bytes (16 TiB less one). */
    public static final long MAX_OFFSET = (1L << OFFSET_BITS) - 1;

    private RemoteAddress() {}

    /**
     * Packs an address.
     *
     * @throws IllegalArgumentException when a part does not fit
     */
    public static long of(int node, int region, long offset) {
        if ((node & ~MAX_NODE) != 0 || region < 0 || region > MAX_REGION || (offset & ~MAX_OFFSET) != 0) {
            throw outOfRange(node, region, offset);
        }
        return (long) node << NODE_SHIFT | (long) region << REGION_SHIFT | offset;
    }

    /** The node that owns the byte. */
    public static int node(long address) {
        return (int) (address >>> NODE_SHIFT);
    }

    /** The region on that node. */
    public static int region(long address) {
        return (int) (address >>> REGION_SHIFT) & REGION_MASK;
    }

    /** The offset in that region, in bytes. */
    public static long offset(long address) {
        return address & MAX_OFFSET;
    }

    /** Text for logs: {@code node/region+offset}. */
    public static String toString(long address) {
        return address == NONE ? "none" : node(address) + "/" + region(address) + "+" + offset(address);
    }

    private static IllegalArgumentException outOfRange(int node, int region, long offset) {
        return new IllegalArgumentException("no such address: node " + node + " (0 to " + MAX_NODE + "), region "
                + region + " (0 to " + MAX_REGION + "), offset " + offset + " (0 to " + MAX_OFFSET + ")");
    }
}
