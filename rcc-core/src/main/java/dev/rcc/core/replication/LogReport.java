package dev.rcc.core.replication;

import dev.rcc.core.time.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node that is left knows of lost coordinators. It goes to the leader of the recovery, and from there to
 * {@link ReplicationProvider#committed}.
 *
 * @param logged all that was found in their logs
 * @param replayedIds by log, and in the array by coroutine: the largest id that was replayed, or {@link Timestamp#NONE}; a log that nothing
 *     was replayed of may be left out
 */
public record LogReport(List<LoggedTransaction> logged, Map<Integer, long[]> replayedIds) {
    /** Of a node that knows nothing. */
    public static final LogReport NOTHING = new LogReport(List.of(), Map.of());

    /** Takes copies of the list and the map. */
    public LogReport {
        logged = List.copyOf(logged);
        replayedIds = Map.copyOf(replayedIds);
    }

    /** What the parts of a node know, no two of which have a log in common. */
    public static LogReport of(List<LogReport> parts) {
        List<LoggedTransaction> logged = new ArrayList<>();
        Map<Integer, long[]> replayedIds = new HashMap<>();
        for (LogReport part : parts) {
            logged.addAll(part.logged);
            replayedIds.putAll(part.replayedIds);
        }
        return new LogReport(logged, replayedIds);
    }

    /** The largest id of a coroutine's in a log that was replayed, or {@link Timestamp#NONE}. */
    public long replayedId(int log, int coroutine) {
        long[] ids = replayedIds.get(log);
        return ids == null ? Timestamp.NONE : ids[coroutine];
    }

    /**
     * Whether a backup that no longer has what was logged of a transaction, though it was not marked as aborted there, has replayed it: the
     * last one of the coroutine that it has replayed is that transaction or a later one, and a coroutine has one transaction at a time.
     *
     * @param lastReplayed the largest id of the coroutine's that the backup has replayed, or {@link Timestamp#NONE}
     */
    public static boolean wasReplayed(long id, long lastReplayed) {
        return !Timestamp.isBefore(lastReplayed, id);
    }
}
