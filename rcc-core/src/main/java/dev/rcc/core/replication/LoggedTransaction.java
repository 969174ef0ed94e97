package dev.rcc.core.replication;

import java.util.List;

/**
 * A transaction of a lost node that was found in its log on a backup.
 *
 * @param id the id of the attempt
 * @param aborted whether it is marked as aborted
 * @param undecided whether its coordinator had not yet notified this backup of its outcome
 * @param log the number of the log
 * @param position where it is in the log
 * @param partitions the partitions that it writes
 */
public record LoggedTransaction(
        long id, boolean aborted, boolean undecided, int log, long position, List<Integer> partitions) {
    /** Takes a copy of the list. */
    public LoggedTransaction {
        partitions = List.copyOf(partitions);
    }
}
