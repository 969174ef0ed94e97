package dev.rcc.bench.faults;

import dev.rcc.bench.history.Status;

/**
 * What one attempt at a transaction has done, and the answer that its client received.
 *
 * @param number unlike any other's
 * @param client which client has made it
 * @param startNanos when it began, {@link System#nanoTime}
 * @param endNanos when its client knew how it ended
 * @param wasAsked whether the client had to ask how it ended
 * @param readKeys which keys it has read, each once
 * @param readVersions and what it found, 0 where there was nothing
 * @param writtenKeys which keys it has written, each once
 * @param writtenVersions and what it wrote
 */
@SuppressWarnings("ArrayRecordComponent") // attempts are not compared
record Attempt(
        int number,
        int client,
        long startNanos,
        long endNanos,
        Status status,
        boolean wasAsked,
        long[] readKeys,
        long[] readVersions,
        long[] writtenKeys,
        long[] writtenVersions) {
    /** The version of a key that it found, 0 if it found none or did not look. */
    long found(long key) {
        for (int i = 0; i < readKeys.length; i++) {
            if (readKeys[i] == key) {
                return readVersions[i];
            }
        }
        return 0;
    }
}
