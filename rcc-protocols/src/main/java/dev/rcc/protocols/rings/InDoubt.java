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
 * Decides what became of the transactions that lost coordinators had on their way: a transaction has committed if and only if
 * every node that is left, of those it is logged on, has it (rcc, 4.1; Aurogon, 4.5). For a coordinator commits only when all
 * have; and one that gives up because some backup did not answer first has the others mark the entry as aborted, so an entry
 * that is found everywhere, and nowhere with a mark, is of a transaction whose coordinator would have gone on to commit it, or did.
 *
 * <p>The primary of a partition is asked, too, if it logs what that coordinator writes ({@link Placement#logsAtPrimary}), whether a backup
 * is left or not. Who asks again after one more death asks fewer nodes, and never another one: so what was found to have
 * committed, and was replayed, is found so again.
 *
 * <p>A backup may have logged a transaction, replayed it, and overwritten its entry since. {@link LogReport#wasReplayed} tells that.
 *
 * <p>When all nodes have stopped, a transaction that some backup has on its disk has committed, unless some backup has it there that it was
 * aborted. A coordinator reports no commit before all backups have logged it, and no abort before every backup of an entry has it that it
 * was aborted. So one that has not been logged everywhere, and is nowhere aborted, has locked what it writes until the end, and its outcome was
 * not reported: it may commit, where each backup is given the entry, and it has to if a backup has lost it.
 */
final class InDoubt {
    private InDoubt() {}

    /**
     * The ids of those that have committed among all that some backup does not know to be decided.
     *
     * @param reports of all nodes that are left, by node
     * @param before the placement under which the lost coordinators have run
     * @param primariesLog whether primaries log what {@link Placement#logsAtPrimary} says
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
     * The ids of those that have committed among all whose end some disk does not say.
     *
     * @param reports of all nodes, which have stopped
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
