package dev.rcc.server.raft;

import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Decides what became of the transactions that lost coordinators had on their way: one has committed if and only if the group of each
 * partition that it writes has it in its log. The groups are sealed, and what is left of each is a majority: so what a log has it will
 * always have, and what it has not it never will.
 *
 * <p>All copies of a partition tell the same of its log. A decision that one of them has carried out before, in a change of configuration
 * that was abandoned, it tells too; and a transaction that was aborted anywhere is aborted.
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
