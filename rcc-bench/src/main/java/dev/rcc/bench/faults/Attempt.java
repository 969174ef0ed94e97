package dev.rcc.bench.faults;

import dev.rcc.bench.history.Status;

/**
 * One attempt at a transaction, and the answer that its client received.
 *
 * @param number a number that no other attempt has
 * @param client the client that made the attempt
 * @param startNanos the start, {@link System#nanoTime}
 * @param endNanos the time at which the client received the outcome
 * @param wasAsked whether the client had to ask for the outcome
 * @param readKeys the keys that the attempt read, each once
 * @param readVersions the versions that it found for them, 0 where there was no record
 * @param writtenKeys the keys that it wrote, each once
 * @param writtenVersions the versions that it wrote for them
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
    /** The version of a key that the attempt found, 0 if it found none or did not read the key. */
    long found(long key) {
        for (int i = 0; i < readKeys.length; i++) {
            if (readKeys[i] == key) {
                return readVersions[i];
            }
        }
        return 0;
    }
}
