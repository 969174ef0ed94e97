package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;

/**
 * One-sided reading of a tuple's or leaf's lock word and of its version, the version no earlier than the lock word. Two READs
 * have no order ({@link dev.rcc.core.fabric}), but
 * <ul>
 *   <li>the words of a READ's first cache line are read at once or in ascending order, and the lock word comes first: where both lie
 *       in one line, one READ does it;
 *   <li>a READ comes after the atomics before it in its batch: where the words lie in two lines, the lock word is read by a CAS that changes
 *       nothing.
 * </ul>
 * A stage appends {@link #first} of all its entries, then {@link #then} of all, so that no atomic waits for a READ.
 */
public final class LockAndVersion {
    /** Bytes of the buffers that a result takes: a line, and a word that is also read. */
    public static final int BYTES = 64 + Memory.WORD_BYTES;

    private static final long LINE_BYTES = 64;
    /** The word that the CAS which only reads expects and writes: no lock word. */
    private static final long NO_WORD = -1;

    private LockAndVersion() {}

    /** Whether both words, of one region, lie in one line. */
    public static boolean inOneLine(long one, long other) {
        return RemoteAddress.offset(one) / LINE_BYTES == RemoteAddress.offset(other) / LINE_BYTES;
    }

    /** Reads a word before everything that is appended later. */
    public static void readFirst(Batch batch, long word, long result) {
        batch.cas(word, NO_WORD, NO_WORD, result);
    }

    /** Appends the atomic, if one is needed. */
    public static void first(Batch batch, long lock, long version, long result) {
        if (!inOneLine(lock, version)) {
            readFirst(batch, lock, result);
        }
    }

    /** Appends the READ. The lock word lands at {@code result}. */
    public static void then(Batch batch, long lock, long version, long result) {
        then(batch, lock, version, Memory.WORD_BYTES, result);
    }

    /**
     * As {@link #then(Batch, long, long, long)}, with {@code bytes} bytes from the version on: the version and perhaps the word behind it, read at
     * any time.
     */
    public static void then(Batch batch, long lock, long version, int bytes, long result) {
        if (inOneLine(lock, version)) {
            batch.read(lock, (int) (version - lock) + bytes, result);
        } else {
            batch.read(version, bytes, result + Memory.WORD_BYTES);
        }
    }

    /** Where the version has landed. */
    public static long version(long lock, long version, long result) {
        return result + (inOneLine(lock, version) ? version - lock : Memory.WORD_BYTES);
    }
}
