package dev.rcc.bench.check;

/** Why one transaction must come before another. */
enum Edge {
    /** The second overwrote a version that the first wrote. */
    WW(0),
    /** The second read a version that the first wrote. */
    WR(1),
    /** The second overwrote a version that the first read. */
    RW(2),
    /** The second changed which keys exist where the first had looked: in an index leaf, or in a range. */
    PREDICATE_RW(3),
    /** The first had ended before the second began. */
    TIME(4);

    static final int BITS = 3;
    private static final int MASK = (1 << BITS) - 1;
    private static final Edge[] BY_CODE = values();

    private final int code;

    Edge(int code) {
        this.code = code;
    }

    /** The edge in the lowest bits of a packed target. */
    static Edge of(int packed) {
        return BY_CODE[packed & MASK];
    }

    int pack(int target) {
        return (target << BITS) | code;
    }

    static int target(int packed) {
        return packed >>> BITS;
    }

    /** A set of edges, one bit each. */
    int bit() {
        return 1 << code;
    }

    /** Whether a packed target's edge is in the set. */
    static boolean isIn(int set, int packed) {
        return ((set >>> (packed & MASK)) & 1) != 0;
    }
}
