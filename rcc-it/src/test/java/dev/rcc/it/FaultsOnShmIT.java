package dev.rcc.it;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class FaultsOnShmIT extends FaultsContract {
    @Override
    String fabric() {
        return "shm";
    }

    // Goal: a process that goes on after the others have gone on without it tells nobody anything that is not so.
    @Test
    void shouldLoseNothingWhenNodesAreStoppedAndGoOn(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "stop");
    }
}
