package dev.rcc.core.log;

import dev.rcc.core.memory.Memory;

/**
 * Where a backup makes durable what it receives in its log rings. It takes things without waiting for the disk, and tells a ring's
 * writer by the word {@code durable} in the ring's header. Called on the workers that look after the rings.
 *
 * <p>What takes something returns the number of the batch that it is in, or {@link #NO_ROOM}: the same is to be tried again later.
 */
public interface DurableLog {
    /** There is no room at the moment. */
    long NO_ROOM = -1;

    /** Takes the entry at {@code position} of a ring, which lies at {@code offset}; those of a ring in their order. */
    long entry(int ring, long position, Memory log, long offset, int bytes);

    /** Takes it that the entry at {@code position} of a ring, which it has taken, was marked as aborted. */
    long aborted(int ring, long position);

    /** Takes it that everything in a ring before {@code position} has committed or was marked as aborted. */
    long decided(int ring, long position);

    /** Whether a batch is durable. */
    boolean isDurable(long batch);

    /** Whether the disk has failed: nothing more becomes durable. */
    boolean isFailed();
}
