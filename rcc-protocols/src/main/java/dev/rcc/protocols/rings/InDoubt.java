package dev.rcc.protocols.rings;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides what became of the transactions that lost coordinators had on their way: a transaction has committed if and only if
 * every backup of what it writes that is left has logged it (rcc, 4.1; Aurogon, 4.5). For a coordinator commits only when all
 * have; and one that gives up because some backup did not answer first has the others mark the entry as aborted, so an entry
 * that is found everywhere, and nowhere with a mark, is of a transaction whose coordinator would have gone on to commit it, or did.
 *
 * <p>Of a partition that has no backup left the primary is asked, if it logs what that coordinator writes
 * ({@link Placement#logsAtPrimary}).
 *
 * <p>A backup may have logged a transaction, replayed it, and overwritten its entry since. {@link LogReport#wasReplayed} tells that.
 */
final class InDoubt {
    private InDoubt() {}

    /**
     * The ids of those that have committed among all that some backup does not know to be decided.
     *
     * @param reports of all nodes that are left, by node
     * @param before the placement under which the lost coordinators have run
     */
    static Set<Long> committed(Map<Integer, LogReport> reports, Placement before) {
        Set<Long> committed = new HashSet<>();
        for (LogReport report : reports.values()) {
            for (LoggedTransaction txn : report.logged()) {
                if (txn.undecided() && hasCommitted(txn, reports, before)) {
                    committed.add(txn.id());
                }
            }
        }
        return committed;
    }

    private static boolean hasCommitted(LoggedTransaction txn, Map<Integer, LogReport> reports, Placement before) {
        BitSet asked = new BitSet();
        for (int partition : txn.partitions()) {
            asked.or(asked(partition, Timestamp.node(txn.id()), reports, before));
        }
        return asked.stream().allMatch(node -> hasLogged(txn, reports.get(node)));
    }

    private static BitSet asked(int partition, int coordinator, Map<Integer, LogReport> reports, Placement before) {
        BitSet asked = new BitSet();
        for (int i = 0; i < before.backups(partition); i++) {
            if (reports.containsKey(before.backup(partition, i))) {
                asked.set(before.backup(partition, i));
            }
        }
        int primary = before.primary(partition);
        if (asked.isEmpty() && reports.containsKey(primary) && before.logsAtPrimary(coordinator, partition)) {
            asked.set(primary);
        }
        return asked;
    }

    private static boolean hasLogged(LoggedTransaction txn, LogReport report) {
        for (LoggedTransaction other : report.logged()) {
            if (other.id() == txn.id()) {
                return !other.aborted();
            }
        }
        return LogReport.wasReplayed(txn.id(), report.replayedId(txn.log(), Timestamp.coroutine(txn.id())));
    }
}
