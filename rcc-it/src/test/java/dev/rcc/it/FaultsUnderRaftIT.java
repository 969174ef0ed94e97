package dev.rcc.it;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** {@link FaultsContract} where partitions are replicated by Raft: leaders of their groups die, and are cut off. */
class FaultsUnderRaftIT extends FaultsContract {
    @Override
    String fabric() {
        return "tcp";
    }

    @Override
    String where() {
        return "under Raft";
    }

    /** Only links with a delay, here of zero, can be lost. */
    @Override
    List<String> options() {
        return List.of("--replication", "raft", "--delay", "n0-n1=0ms");
    }

    // Goal: a leader that is cut off commits nothing, and its successor has all entries that it has
    // committed.
    @Test
    void shouldLoseNothingWhenTheNetworkSplitsAndIsWholeAgain(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "cut");
    }
}
