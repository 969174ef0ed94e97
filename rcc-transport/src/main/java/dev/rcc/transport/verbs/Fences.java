package dev.rcc.transport.verbs;

/**
 * Decides which work requests of a batch must wait for earlier READs and atomics: a fence, which costs a round trip. Called for
 * a batch's requests in order. {@link VerbsBatch} explains the rule and its reasons.
 */
final class Fences {
    private boolean hasRead;
    /** Bounds of the offsets that atomics since the last fence return their results to. */
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

    /** A WRITE of a word that the request carries comes next; returns whether it takes a fence. */
    boolean writeWord() {
        return fence(hasRead);
    }

    /** A WRITE from the buffers comes next; returns whether it takes a fence. */
    boolean write(long local, int bytes) {
        return fence(hasRead || (local < resultsEnd && local + bytes > resultsStart));
    }

    /** A CAS or FETCH_ADD comes next, whose result goes to {@code local}; returns whether it takes a fence. */
    boolean atomic(long local) {
        boolean fence = fence(hasRead);
        resultsStart = Math.min(resultsStart, local);
        resultsEnd = Math.max(resultsEnd, local + Long.BYTES);
        return fence;
    }

    /** Records a fence if one is needed. It covers all earlier READs and atomics, so later requests need none for these. */
    private boolean fence(boolean needed) {
        if (needed) {
            begin();
        }
        return needed;
    }
}
