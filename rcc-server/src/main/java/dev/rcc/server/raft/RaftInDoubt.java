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
 * Decides the outcome of the transactions that lost coordinators had on their way: a transaction has committed if and only if the group of
 * each partition that it writes has it in its log. The groups are sealed, and the copies that are left of each are a majority. So a log
 * will always have the transactions that it has now, and will never have another one.
 *
 * <p>All copies of a partition report the same of its log. A copy also reports a decision that it carried out before, in a change of
 * configuration that was abandoned. A transaction that was aborted on any copy is aborted.
 *
 * <p>When all nodes have stopped, no group goes on. A transaction has committed if it is on the disks of a majority of the copies of each
 * partition that it writes, or if any copy has it as decided. A transaction that was acknowledged is on the disks of a majority. A
 * transaction on the disks of fewer copies was not acknowledged: it may have been aborted, when its group was sealed without it, and it is
 * aborted now. A copy that has replayed reports what was decided: a node that died meanwhile, and is started again, decides the same.
 */
final class RaftInDoubt {
    private RaftInDoubt() {}

    /**
     * The ids of the transactions that have committed, among all that some copy does not have as decided.
     *
     * @param reports the reports of all nodes that are left; the logs in them have the numbers that {@link PartitionState#report} gives
     * @param logs the number of coordinating workers on all nodes
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
     * The ids of the transactions that have committed, among all whose outcome some disk does not have.
     *
     * @param reports the reports of all nodes, which have stopped
     * @param placement the placement of the configuration in which they stopped
     * @param logs the number of coordinating workers on all nodes
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
        for (LogReport report : reports) {
            report.logged().stream().filter(LoggedTransaction::aborted).forEach(txn -> committed.remove(txn.id()));
        }
        return committed;
    }

    /** The number of copies of each partition that have a transaction. */
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
