package dev.rcc.it;

import java.util.List;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsOnTcpIT extends FaultsContract {
    @Override
    String fabric() {
        return "tcp";
    }

    /** Only links with a delay, here of zero, can be lost. Data centres of one node can lose each other. */
    @Override
    List<String> options() {
        return List.of("--delay", "n0-n1=0ms", "--datacenters", "a,b,c");
    }

    // Goal: a minority refuses requests as long as it is one, and comes back without help; also where there
    // is no network like that of PartitionIT. Where no node is in a minority, as the third reaches both, one
    // of the two has to go.
    @ParameterizedTest
    @ValueSource(strings = {"cut", "split"})
    void shouldLoseNothingWhenTheNetworkSplitsAndIsWholeAgain(String fault, TestReporter reporter) throws Exception {
        harmForAWhile(reporter, fault);
    }
}
