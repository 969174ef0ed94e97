package dev.rcc.transport.verbs;

/**
 * Which work requests of a batch must wait for READs and atomics before them: a fence, which costs a round trip. Told of a
 * batch's requests in order. The rule, and what it follows from, is at {@link VerbsBatch}.
 */
final class Fences {
    private boolean hasRead;
    /** Bounds of what atomics have returned to since the last fence. */
    private long resultsStart;

    private long resultsEnd;

    /** A batch begins. */
    void begin() {
        hasRead = false;
        resultsStart = Long.MAX_VALUE;
        resultsEnd = Long.MIN_VALUE;
    }

    /** A READ comes next, which never waits. */
    void read() {
        hasRead = true;
    }

    /** A WRITE of a word that it carries comes next; returns whether it takes a fence. */
    boolean writeWord() {
        return fence(hasRead);
    }

    /** A WRITE from the buffers comes next; returns whether it takes a fence. */
    boolean write(long local, int bytes) {
        return fence(hasRead || (local < resultsEnd && local + bytes > resultsStart));
    }

    /** A CAS or FETCH_ADD comes next, whose result lands at {@code local}; returns whether it takes a fence. */
    boolean atomic(long local) {
        boolean fence = fence(hasRead);
        resultsStart = Math.min(resultsStart, local);
        resultsEnd = Math.max(resultsEnd, local + Long.BYTES);
        return fence;
    }

    /** It covers all READs and atomics before it, so these need none any more. */
    private boolean fence(boolean needed) {
        if (needed) {
            begin();
        }
        return needed;
    }
}
