package dev.rcc.core.replication;

import dev.rcc.core.memory.Memory;

/**
 * A log on disk, in which a backup makes durable the entries that are logged there. It takes entries and marks without waiting for the disk, and
 * reports to {@link NodeReplication#durable(int, long)} the positions up to which logs are durable. Called on the workers that look after the logs.
 *
 * <p>A method that takes an entry or a mark returns the number of its batch, or {@link #NO_ROOM}: the call is to be tried again later.
 */
public interface DurableLog {
    /** There is no room at the moment. */
    long NO_ROOM = -1;

    /** Takes the entry at {@code position} of a log, which lies at {@code offset} of {@code memory}; the entries of a log come in their order. */
    long entry(int log, long position, Memory memory, long offset, int bytes);

    /** Takes the mark that the entry at {@code position} of a log, which was taken before, was aborted. */
    long aborted(int log, long position);

    /** Takes the mark that every entry of a log before {@code position} has committed or was marked as aborted. */
    long decided(int log, long position);

    /** Whether a batch is durable. */
    boolean isDurable(long batch);

    /** Whether the disk has failed: nothing more becomes durable. */
    boolean isFailed();
}
