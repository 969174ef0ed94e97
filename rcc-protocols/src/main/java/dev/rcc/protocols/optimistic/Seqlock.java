package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TupleLayout;

/**
 * Reads of tuples and leaves by their owner's CPU, which races peers' one-sided verbs and its own node's other workers.
 * The argument is that of {@link Fetching}; its order is ensured by acquiring the version, a load fence behind the copy,
 * and acquiring the lock word and then the version.
 */
final class Seqlock {
    private Seqlock() {}

    /**
     * Copies the first {@code bytes} bytes of a tuple; the copy's metadata are read after the rest.
     *
     * @return whether the copy is whole, of one version, and may be used
     */
    static boolean copy(
            LockRules rules,
            long attempt,
            Memory memory,
            long tuple,
            TupleLayout t,
            int bytes,
            Memory target,
            long targetOffset) {
        long before = memory.getAcquire(tuple + t.versionOffset());
        memory.copy(tuple, target, targetOffset, bytes);
        Memory.loadFence();
        copyMetadata(rules, memory, tuple, target, targetOffset);
        long after = memory.getAcquire(tuple + t.versionOffset());
        return before == after && rules.isReadable(target.getLong(targetOffset), attempt);
    }

    /**
     * Checks that a leaf has not changed since its version was acquired, and copies its metadata.
     *
     * @return whether no key below the leaf has come or gone since then
     */
    static boolean recheck(
            LockRules rules,
            long attempt,
            Memory memory,
            long leaf,
            TableLayout layout,
            long before,
            Memory target,
            long targetOffset) {
        Memory.loadFence();
        copyMetadata(rules, memory, leaf, target, targetOffset);
        long after = memory.getAcquire(leaf + layout.leafVersionOffset());
        return before == after && rules.isReadable(target.getLong(targetOffset), attempt);
    }

    private static void copyMetadata(LockRules rules, Memory memory, long from, Memory target, long to) {
        for (int i = 0; i < rules.metadataBytes(); i += Memory.WORD_BYTES) {
            target.putLong(to + i, memory.getAcquire(from + i));
        }
    }
}
