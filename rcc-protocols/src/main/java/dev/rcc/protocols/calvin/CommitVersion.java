package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;

/**
 * The version that a fragment's writes get: all nodes that execute it come to the same, without asking each other. It is the submission's id or, where
 * that is not greater than all versions that were forwarded for the submission, the first timestamp of the same coroutine that is. So it depends
 * on what was locked, and not on what a node has come to look at: of an ordered index, that is for each to find. The coordinator's clock
 * observes it, so later submissions of the coroutine have greater ids, and no two transactions the same version.
 */
final class CommitVersion {
    private CommitVersion() {}

    /** The latest of {@code latest} and the versions that were forwarded for one key: of its record, of its leaf, and of the slot that was reserved. */
    static long latest(long latest, Memory buffers, long result, long image, TupleLayout layout) {
        long met =
                Timestamp.max(ForwardMessage.leafVersion(buffers, result), ForwardMessage.slotVersion(buffers, result));
        if (ForwardMessage.status(buffers, result) == ForwardMessage.FOUND) {
            met = Timestamp.max(met, buffers.getLong(image + layout.versionOffset()));
        }
        return Timestamp.max(latest, met);
    }

    /** The version, given the latest one that was forwarded for any key. */
    static long of(long latest, long submission) {
        return Timestamp.isBefore(latest, submission)
                ? submission
                : Timestamp.of(
                        Timestamp.clock(latest) + 1, Timestamp.node(submission), Timestamp.coroutine(submission));
    }
}
