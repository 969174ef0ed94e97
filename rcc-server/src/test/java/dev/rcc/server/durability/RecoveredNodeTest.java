package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.replication.LoggedTransaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers that a node which restarts gives its peers. */
class RecoveredNodeTest {
    private static final long FIRST = 1 << 16;
    private static final long SECOND = 2 << 16;

    @TempDir
    private Path directory;

    private RecoveredNode node;

    @BeforeEach
    void restart() {
        node = new LoggedDisk(directory, FIRST, SECOND).read();
    }

    // Goal: a peer that dies while the nodes restart, and is started again, decides as all did before.
    @Test
    void shouldReportWhatWasDecidedOnceItHasReplayed() {
        List<RecoveredNode.Undecided> undecided = node.undecided();
        assertThat(node.report(undecided).logged()).hasSize(2).allMatch(LoggedTransaction::undecided);
        node.redo(Set.of());
        assertThat(node.report(undecided).logged()).hasSize(2).allMatch(LoggedTransaction::aborted);
    }

    // Goal: a peer may ask the next incarnation of the node for the rest of the list.
    @Test
    void shouldListTheSameTransactionsOnceItHasReplayed() {
        List<RecoveredNode.Logged> logged = node.loggedFor(LoggedDisk.PEER);
        assertThat(logged).extracting(RecoveredNode.Logged::id).containsExactly(FIRST, SECOND);
        node.redo(Set.of());
        assertThat(node.loggedFor(LoggedDisk.PEER)).isEqualTo(logged);
    }
}
