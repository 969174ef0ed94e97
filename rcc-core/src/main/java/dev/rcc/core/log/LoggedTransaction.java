package dev.rcc.core.log;

import java.util.List;

/**
 * A transaction of a lost node that was found in its ring on a backup.
 *
 * @param id the id of the attempt
 * @param aborted whether it is marked as aborted
 * @param undecided whether its coordinator had not yet told this backup what became of it
 * @param ring the ring's number
 * @param position where it lies in the ring
 * @param partitions what it writes
 */
public record LoggedTransaction(
        long id, boolean aborted, boolean undecided, int ring, long position, List<Integer> partitions) {
    /** Takes a copy of the list. */
    public LoggedTransaction {
        partitions = List.copyOf(partitions);
    }
}
