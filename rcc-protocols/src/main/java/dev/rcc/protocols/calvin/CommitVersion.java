package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;

/**
 * The version of a fragment's writes: all nodes that execute the fragment find the same version, without asking each other. It is the submission's
 * id or, if that is not greater than all versions that were forwarded for the submission, the first greater timestamp of the same coroutine. So it
 * depends on the locked keys, and not on the records that a node has read: in an ordered index, each node finds its own. The coordinator's clock
 * observes the version, so later submissions of the coroutine have greater ids, and no two transactions have the same version.
 */
final class CommitVersion {
    private CommitVersion() {}

    /** The latest of {@code latest} and the versions that were forwarded for one key: of its record, its leaf, and its reserved slot. */
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
