package dev.rcc.core.replication;

import dev.rcc.core.memory.Memory;

/**
 * Where a backup makes durable what is logged there. It takes things without waiting for the disk, and tells
 * {@link NodeReplication#durable(int, long)} what is durable. Called on the workers that look after the logs.
 *
 * <p>What takes something returns the number of the batch that it is in, or {@link #NO_ROOM}: the same is to be tried again later.
 */
public interface DurableLog {
    /** There is no room at the moment. */
    long NO_ROOM = -1;

    /** Takes the entry at {@code position} of a log, which lies at {@code offset} of some memory; those of a log in their order. */
    long entry(int log, long position, Memory memory, long offset, int bytes);

    /** Takes it that the entry at {@code position} of a log, which it has taken, was marked as aborted. */
    long aborted(int log, long position);

    /** Takes it that everything in a log before {@code position} has committed or was marked as aborted. */
    long decided(int log, long position);

    /** Whether a batch is durable. */
    boolean isDurable(long batch);

    /** Whether the disk has failed: nothing more becomes durable. */
    boolean isFailed();
}
