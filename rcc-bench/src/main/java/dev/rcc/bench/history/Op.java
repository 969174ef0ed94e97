package dev.rcc.bench.history;

import java.util.List;

/** The kinds of operations, as the small numbers that a {@link History} packs them into. */
public final class Op {
    /** Read a version of a key. */
    public static final int READ = 0;
    /** Wrote a version of a key, whether or not the key existed. */
    public static final int WRITE = 1;
    /** Wrote the first version of a key that did not exist. */
    public static final int INSERT = 2;
    /** Removed a key; the version is the one from which on it does not exist. */
    public static final int DELETE = 3;
    /** Read a leaf of an index, which shows the existing keys among those that it covers. */
    public static final int LEAF_READ = 4;
    /** Changed the set of existing keys among those that a leaf of an index covers. */
    public static final int LEAF_WRITE = 5;
    /** Read a range of keys; the number of the scan takes the key's place, and the keys that it found follow. */
    public static final int SCAN = 6;
    /** Found this version of a key in the scan before. */
    public static final int SCANNED = 7;

    static final int KIND_BITS = 3;
    /** The kinds by their numbers, as files write them; the keys that a scan found are written inside the scan. */
    static final List<String> SYMBOLS = List.of("r", "w", "i", "d", "rl", "wl", "s");

    private Op() {}

    /** Whether the operation has read one version of a key. */
    public static boolean isRead(int kind) {
        return kind == READ || kind == LEAF_READ || kind == SCANNED;
    }

    /** Whether the operation has written a version of a key. */
    public static boolean isWrite(int kind) {
        return kind == WRITE || kind == INSERT || kind == DELETE || kind == LEAF_WRITE;
    }
}
