package dev.rcc.it;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestReporter;

class FaultsOnTcpIT extends FaultsContract {
    @Override
    String fabric() {
        return "tcp";
    }

    /** Links that are longer than they are, by nothing, can be lost. */
    @Override
    List<String> options() {
        return List.of("--delay", "n0-n1=0ms");
    }

    // Goal: a minority refuses as long as it is one, and needs nobody to come back; also where the network cannot be
    // had that
    // PartitionIT has.
    @Test
    void shouldLoseNothingWhenTheNetworkSplitsAndIsWholeAgain(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "cut");
    }

    // Goal: a process that goes on after the others have gone on without it tells nobody anything that is not so.
    @Test
    void shouldLoseNothingWhenNodesAreStoppedAndGoOn(TestInfo test, TestReporter reporter) throws Exception {
        assumeDrawn(test);
        harmForAWhile(reporter, "stop");
    }
}
