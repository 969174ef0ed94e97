package dev.rcc.server.raft;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what became of the transactions that lost coordinators had on their way: one has committed if and only if the group of each
 * partition that it writes has it in its log. The groups are sealed, and what is left of each is a majority: so what a log has it will
 * always have, and what it has not it never will.
 *
 * <p>All copies of a partition tell the same of its log. A decision that one of them has carried out before, in a change of configuration
 * that was abandoned, it tells too; and a transaction that was aborted anywhere is aborted.
 *
 * <p>When all nodes have stopped, no group goes on, and what is on the disks of most copies of each partition that a transaction writes has
 * committed; so has what some copy knows to be decided. What was acknowledged is on those of a majority. What is on those of fewer was not:
 * it may have been aborted, when its group was sealed without it, and is now.
 */
final class RaftInDoubt {
    private RaftInDoubt() {}

    /**
     * The ids of those that have committed among all that some copy does not know to be decided.
     *
     * @param reports of all nodes that are left; the logs in them have the numbers that {@link PartitionState#report} gives
     * @param logs how many workers of all nodes coordinate
     */
    static Set<Long> committed(Collection<LogReport> reports, int logs) {
        Set<Long> committed = new HashSet<>();
        for (LogReport report : reports) {
            for (LoggedTransaction txn : report.logged()) {
                if (txn.undecided() && !txn.aborted() && hasCommitted(txn, reports, logs)) {
                    committed.add(txn.id());
                }
            }
        }
        return committed;
    }

    /**
     * The ids of those that have committed among all whose end some disk does not say.
     *
     * @param reports of all nodes, which have stopped
     * @param placement of the configuration in which they have
     * @param logs how many workers of all nodes coordinate
     */
    static Set<Long> committedOnDisks(Collection<LogReport> reports, Placement placement, int logs) {
        Map<Long, Votes> votes = new HashMap<>();
        for (LogReport report : reports) {
            for (LoggedTransaction txn : report.logged()) {
                votes.computeIfAbsent(txn.id(), id -> new Votes(txn.partitions()))
                        .count(txn.log() / logs, !txn.undecided());
            }
        }
        Set<Long> committed = new HashSet<>();
        votes.forEach((id, each) -> {
            if (each.areEnough(placement)) {
                committed.add(id);
            }
        });
        return committed;
    }

    /** How many copies of each partition that a transaction writes have it. */
    private static final class Votes {
        private final List<Integer> partitions;
        private final Map<Integer, Integer> copies = new HashMap<>();
        private boolean decided;

        Votes(List<Integer> partitions) {
            this.partitions = partitions;
        }

        void count(int partition, boolean isDecided) {
            copies.merge(partition, 1, Integer::sum);
            decided |= isDecided;
        }

        boolean areEnough(Placement placement) {
            return decided
                    || partitions.stream()
                            .allMatch(partition -> 2 * copies.getOrDefault(partition, 0)
                                    > placement.holders().get(partition).size());
        }
    }

    private static boolean hasCommitted(LoggedTransaction txn, Collection<LogReport> reports, int logs) {
        int writer = txn.log() % logs;
        return reports.stream().noneMatch(report -> isAborted(txn.id(), report))
                && txn.partitions().stream()
                        .allMatch(partition -> reports.stream()
                                .anyMatch(report -> hasLogged(txn.id(), partition * logs + writer, report)));
    }

    private static boolean isAborted(long id, LogReport report) {
        return report.logged().stream().anyMatch(txn -> txn.id() == id && txn.aborted());
    }

    private static boolean hasLogged(long id, int log, LogReport report) {
        return report.logged().stream().anyMatch(txn -> txn.id() == id && txn.log() == log)
                || LogReport.wasReplayed(id, report.replayedId(log, Timestamp.coroutine(id)));
    }
}
