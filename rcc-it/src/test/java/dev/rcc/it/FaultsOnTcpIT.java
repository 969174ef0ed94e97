package dev.rcc.it;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class FaultsOnTcpIT extends FaultsContract {
    @Override
    String fabric() {
        return "tcp";
    }

    // Goal: a minority refuses as long as it is one, and needs nobody to come back.
    @Test
    void shouldLoseNothingWhenTheNetworkSplitsAndIsWholeAgain(TestReporter reporter) throws Exception {
        harmForAWhile(reporter, "cut", "--delay", "n0-n1=0ms");
    }
}
