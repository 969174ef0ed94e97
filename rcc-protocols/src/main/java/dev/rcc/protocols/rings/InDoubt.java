package dev.rcc.protocols.rings;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides the outcome of the transactions that lost coordinators left in doubt. A transaction has committed if and only if every node that is
 * left, of the nodes that log it, has its entry (rcc, 4.1; Aurogon, 4.5). A coordinator commits only when all of these nodes have the entry. A
 * coordinator that gives up because some backup did not answer first has the other backups mark the entry as aborted. So an entry that is found
 * on all of them, and nowhere with a mark, belongs to a transaction that its coordinator committed, or would have committed.
 *
 * <p>The primary of a partition is asked, too, if it logs that coordinator's writes ({@link Placement#logsAtPrimary}), whether a backup is left
 * or not. A resolution after one more death asks fewer nodes, and never a new one. So a transaction that was found to have committed, and was
 * replayed, is found to have committed again.
 *
 * <p>A backup may have logged a transaction, replayed it, and overwritten its entry since. {@link LogReport#wasReplayed} detects that.
 *
 * <p>When all nodes have stopped, a transaction that is on some backup's disk has committed, unless some backup's disk has it as aborted. A
 * coordinator reports no commit before all backups have logged the transaction, and no abort before every backup of an entry has the abort on
 * its disk. So a transaction that is not logged on every backup, and is nowhere aborted, held the locks on its writes until the end, and its
 * outcome was not reported. It may commit, where each backup is given the entry. It must commit if a backup has lost the entry.
 */
final class InDoubt {
    private InDoubt() {}

    /**
     * The ids of the committed transactions among all that some backup has not recorded as decided.
     *
     * @param reports the reports of all nodes that are left, by node
     * @param before the placement under which the lost coordinators ran
     * @param primariesLog whether primaries log where {@link Placement#logsAtPrimary} returns true
     */
    static Set<Long> committed(Map<Integer, LogReport> reports, Placement before, boolean primariesLog) {
        Set<Long> committed = new HashSet<>();
        for (LogReport report : reports.values()) {
            for (LoggedTransaction txn : report.logged()) {
                if (txn.undecided() && hasCommitted(txn, reports, before, primariesLog)) {
                    committed.add(txn.id());
                }
            }
        }
        return committed;
    }

    /**
     * The ids of the committed transactions among all whose outcome is missing on some disk.
     *
     * @param reports the reports of all nodes, which have stopped
     */
    static Set<Long> committedOnDisks(Collection<LogReport> reports) {
        Set<Long> committed = new HashSet<>();
        for (LogReport report : reports) {
            report.logged().stream().filter(LoggedTransaction::undecided).forEach(txn -> committed.add(txn.id()));
        }
        for (LogReport report : reports) {
            report.logged().stream().filter(LoggedTransaction::aborted).forEach(txn -> committed.remove(txn.id()));
        }
        return committed;
    }

    private static boolean hasCommitted(
            LoggedTransaction txn, Map<Integer, LogReport> reports, Placement before, boolean primariesLog) {
        BitSet asked = new BitSet();
        for (int partition : txn.partitions()) {
            for (int i = 0; i < before.backups(partition); i++) {
                asked.set(before.backup(partition, i));
            }
            if (primariesLog && before.logsAtPrimary(Timestamp.node(txn.id()), partition)) {
                asked.set(before.primary(partition));
            }
        }
        return asked.stream().filter(reports::containsKey).allMatch(node -> hasLogged(txn, reports.get(node)));
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
