package dev.rcc.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Node 0 of four was lost; it had a transaction that writes the partitions 0 and 1 on its way. */
class RaftInDoubtTest {
    private static final int LOGS = 4;
    private static final int COROUTINE = 5;
    private static final long TXN = Timestamp.of(100, 0, COROUTINE);
    private static final List<Integer> PARTITIONS = List.of(0, 1);

    private final Map<Integer, LogReport> reports = new HashMap<>();

    @Test
    void shouldCommitATransactionThatAllGroupsHaveLogged() {
        reports.put(1, report(logged(0, false)));
        reports.put(2, report(logged(0, false), logged(1, false)));
        assertThat(committed()).containsExactly(TXN);
    }

    @Test
    void shouldNotCommitATransactionThatOneGroupHasNotLogged() {
        reports.put(1, report(logged(0, false)));
        reports.put(2, report(logged(0, false)));
        assertThat(committed()).isEmpty();
    }

    @Test
    void shouldCommitATransactionThatOneGroupHasReplayed() {
        long[] ids = new long[Timestamp.MAX_COROUTINE + 1];
        ids[COROUTINE] = Timestamp.of(101, 0, COROUTINE);
        reports.put(1, report(logged(0, false)));
        reports.put(2, new LogReport(List.of(), Map.of(LOGS, ids)));
        assertThat(committed()).containsExactly(TXN);
    }

    // Goal: a change that was abandoned after some nodes had carried its decisions out binds the next one.
    @Test
    void shouldNotCommitATransactionThatSomeNodeHasAborted() {
        reports.put(1, report(logged(0, false), logged(1, false)));
        reports.put(2, report(logged(0, true), logged(1, true)));
        assertThat(committed()).isEmpty();
    }

    // ---- when all nodes have stopped: partition 0 is held by the nodes 0, 1 and 2, partition 1 by 1, 2 and 3 --------

    @Test
    void shouldCommitATransactionOnTheDisksOfMostCopiesOfEachPartition() {
        reports.put(0, report(logged(0, false)));
        reports.put(1, report(logged(0, false), logged(1, false)));
        reports.put(3, report(logged(1, false)));
        assertThat(committedOnDisks()).containsExactly(TXN);
    }

    // Goal: an entry that only the lost leader may have is not committed; the group was sealed without it,
    // and its coordinator was notified of that.
    @Test
    void shouldNotCommitATransactionOnTooFewDisksOfAPartition() {
        reports.put(0, report(logged(0, false)));
        reports.put(1, report(logged(0, false), logged(1, false)));
        reports.put(2, report(logged(0, false)));
        assertThat(committedOnDisks()).isEmpty();
    }

    @Test
    void shouldCommitATransactionThatSomeDiskHasAsDecided() {
        reports.put(0, report(logged(0, false)));
        reports.put(1, report(new LoggedTransaction(TXN, false, false, LOGS, 0, PARTITIONS)));
        assertThat(committedOnDisks()).containsExactly(TXN);
    }

    // Goal: a node that dies while all restart, and is started again, aborts what the others have aborted meanwhile.
    @Test
    void shouldNotCommitATransactionThatACopyHasAbortedSinceItsRestart() {
        reports.put(0, report(logged(0, false)));
        reports.put(1, report(logged(0, false), new LoggedTransaction(TXN, true, false, LOGS, 0, PARTITIONS)));
        assertThat(committedOnDisks()).isEmpty();
    }

    private Set<Long> committedOnDisks() {
        return RaftInDoubt.committedOnDisks(reports.values(), new RingPlacement(4, 3), LOGS);
    }

    private Set<Long> committed() {
        return RaftInDoubt.committed(reports.values(), LOGS);
    }

    private static LogReport report(LoggedTransaction... logged) {
        return new LogReport(List.of(logged), Map.of());
    }

    private static LoggedTransaction logged(int partition, boolean aborted) {
        return new LoggedTransaction(TXN, aborted, true, partition * LOGS, 0, PARTITIONS);
    }
}
