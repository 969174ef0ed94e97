package dev.rcc.core.replication;

import dev.rcc.core.time.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records that a surviving node has of lost coordinators' transactions. The report goes to the leader of the recovery, and from there to
 * {@link ReplicationProvider#committed}.
 *
 * @param logged all transactions that were found in their logs
 * @param replayedIds by log, and in the array by coroutine: the largest id that was replayed, or {@link Timestamp#NONE}; a log of which nothing was
 *     replayed may be left out
 */
public record LogReport(List<LoggedTransaction> logged, Map<Integer, long[]> replayedIds) {
    /** The report of a node that has no records. */
    public static final LogReport NOTHING = new LogReport(List.of(), Map.of());

    /** Takes copies of the list and the map. */
    public LogReport {
        logged = List.copyOf(logged);
        replayedIds = Map.copyOf(replayedIds);
    }

    /** The report of a node from its parts, no two of which have a log in common. */
    public static LogReport of(List<LogReport> parts) {
        List<LoggedTransaction> logged = new ArrayList<>();
        Map<Integer, long[]> replayedIds = new HashMap<>();
        for (LogReport part : parts) {
            logged.addAll(part.logged);
            replayedIds.putAll(part.replayedIds);
        }
        return new LogReport(logged, replayedIds);
    }

    /** The largest id of a coroutine's transactions in a log that was replayed, or {@link Timestamp#NONE}. */
    public long replayedId(int log, int coroutine) {
        long[] ids = replayedIds.get(log);
        return ids == null ? Timestamp.NONE : ids[coroutine];
    }

    /**
     * Whether a backup has replayed a transaction whose entry it no longer has, though the entry was not marked as aborted there. It has if the last
     * transaction of the coroutine that it has replayed is that one or a later one: a coroutine has one transaction at a time.
     *
     * @param lastReplayed the largest id of the coroutine's that the backup has replayed, or {@link Timestamp#NONE}
     */
    public static boolean wasReplayed(long id, long lastReplayed) {
        return !Timestamp.isBefore(lastReplayed, id);
    }
}
