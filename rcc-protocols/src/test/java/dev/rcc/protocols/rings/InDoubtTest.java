package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

// Four nodes, three replicas. Node 0 is lost. Nodes 1 and 2 back up its writes to partition 0, nodes 2 and 3
// its writes to partition 1.
class InDoubtTest {
    private static final Placement BEFORE = new RingPlacement(4, 3);
    private static final int COROUTINE = 5;
    private static final int RING = 0;
    private static final long TXN = Timestamp.of(100, 0, COROUTINE);

    private final Map<Integer, LogReport> reports = new HashMap<>();

    InDoubtTest() {
        for (int survivor = 1; survivor < 4; survivor++) {
            report(survivor, Timestamp.NONE);
        }
    }

    @Test
    void shouldCommitATransactionThatAllBackupsHaveLogged() {
        report(1, Timestamp.NONE, undecided(0));
        report(2, Timestamp.NONE, undecided(0));
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
    }

    @Test
    void shouldNotCommitATransactionThatABackupHasNotLogged() {
        report(1, Timestamp.NONE, undecided(0));
        assertThat(InDoubt.committed(reports, BEFORE, true)).isEmpty();
    }

    @Test
    void shouldAskTheBackupsOfAllPartitionsThatAreWritten() {
        report(1, Timestamp.NONE, undecided(0, 1));
        report(2, Timestamp.NONE, undecided(0, 1));
        assertThat(InDoubt.committed(reports, BEFORE, true))
                .as("node 3 has not logged it")
                .isEmpty();
        report(3, Timestamp.NONE, undecided(0, 1));
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
    }

    @Test
    void shouldNotCommitATransactionMarkedAsAbortedOnAnyBackup() {
        report(1, Timestamp.NONE, undecided(0));
        report(2, Timestamp.NONE, new LoggedTransaction(TXN, true, true, RING, 64, List.of(0)));
        assertThat(InDoubt.committed(reports, BEFORE, true)).isEmpty();
    }

    @Test
    void shouldCommitATransactionThatIsDecidedOnOneBackupOnly() {
        report(1, Timestamp.NONE, undecided(0));
        report(2, Timestamp.NONE, new LoggedTransaction(TXN, false, false, RING, 64, List.of(0)));
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
    }

    @Test
    void shouldCommitATransactionIfABackupHasReplayedALaterOneOfItsCoroutine() {
        report(1, Timestamp.NONE, undecided(0));
        report(2, Timestamp.of(101, 0, COROUTINE));
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
        report(2, Timestamp.of(99, 0, COROUTINE));
        assertThat(InDoubt.committed(reports, BEFORE, true))
                .as("one before it says nothing")
                .isEmpty();
    }

    @Test
    void shouldCommitATransactionThatABackupHasReplayedAndOverwritten() {
        report(1, TXN);
        report(2, Timestamp.NONE, undecided(0));
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
    }

    @Test
    void shouldAskOnlyThoseThatAreLeft() {
        report(1, Timestamp.NONE, undecided(0));
        reports.remove(2);
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(TXN);
    }

    // Node 2 was a coordinator and a backup of partition 0. The other backup, node 1, is lost with it. The
    // primary has the log entry.
    @Test
    void shouldRequireThePrimarysEntryForAPartitionWithoutABackup() {
        long txn = Timestamp.of(100, 2, COROUTINE);
        LoggedTransaction logged = new LoggedTransaction(txn, false, true, RING, 64, List.of(0, 2));
        reports.clear();
        report(0, Timestamp.NONE);
        report(3, Timestamp.NONE, logged);
        assertThat(InDoubt.committed(reports, BEFORE, true))
                .as("node 3, a backup of partition 2, has logged it, and the primary of partition 0 has not")
                .isEmpty();
        report(0, Timestamp.NONE, logged);
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(txn);
    }

    // Node 2 was a coordinator and a backup of partition 0. The other backup, node 1, dies after it has
    // replayed the transaction.
    @Test
    void shouldFindTheSameWithFewerNodesAsWithMore() {
        long txn = Timestamp.of(100, 2, COROUTINE);
        LoggedTransaction logged = new LoggedTransaction(txn, false, true, RING, 64, List.of(0));
        reports.clear();
        report(0, Timestamp.NONE);
        report(1, Timestamp.NONE, logged);
        report(3, Timestamp.NONE);
        assertThat(InDoubt.committed(reports, BEFORE, true))
                .as("the primary, which is asked when node 1 is gone, has not logged it")
                .isEmpty();
        report(0, Timestamp.NONE, logged);
        assertThat(InDoubt.committed(reports, BEFORE, true)).containsExactly(txn);
    }

    @Test
    void shouldAskBackupsAloneWhereDataIsDurable() {
        long txn = Timestamp.of(100, 2, COROUTINE);
        reports.clear();
        report(0, Timestamp.NONE);
        report(1, Timestamp.NONE, new LoggedTransaction(txn, false, true, RING, 64, List.of(0)));
        assertThat(InDoubt.committed(reports, BEFORE, false)).containsExactly(txn);
    }

    @Test
    void shouldOmitTransactionsThatAreDecidedOnAllBackups() {
        report(1, Timestamp.NONE, new LoggedTransaction(TXN, false, false, RING, 64, List.of(0)));
        report(2, Timestamp.NONE, new LoggedTransaction(TXN, false, false, RING, 64, List.of(0)));
        assertThat(InDoubt.committed(reports, BEFORE, true)).isEmpty();
    }

    private static LoggedTransaction undecided(Integer... partitions) {
        return new LoggedTransaction(TXN, false, true, RING, 64, List.of(partitions));
    }

    private void report(int node, long replayed, LoggedTransaction... logged) {
        long[] ids = new long[Timestamp.MAX_COROUTINE + 1];
        ids[COROUTINE] = replayed;
        reports.put(node, new LogReport(List.of(logged), Map.of(RING, ids)));
    }
}
