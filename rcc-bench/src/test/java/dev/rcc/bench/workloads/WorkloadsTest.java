package dev.rcc.bench.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadsTest {
    @Test
    void shouldMakeEveryWorkloadWithItsDefaults() {
        assertThat(Workloads.names())
                .containsExactly("smallbank", "ycsb", "ycsb-sundial", "ycsb-e", "tpcc", "list-append", "churn");
        for (String name : Workloads.names()) {
            assertThat(Workloads.create(name, Map.of()).name()).isEqualTo(name);
        }
    }

    @Test
    void shouldNameTheWorkloadsWhenOneIsUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.create("tpch", Map.of()))
                .withMessageContainingAll("tpch", "smallbank", "ycsb");
    }

    @ParameterizedTest
    @CsvSource({
        "smallbank, accounts, 1, 2 to",
        "smallbank, hot-accounts, 100001, 100000",
        "smallbank, hot-probability, 101, 0 to 100",
        "smallbank, send-payment, -1, 0 to",
        "smallbank, colour, red, accounts",
        "list-append, keys, 0, 1 to",
        "churn, keys, 3, 4 to",
        "churn, fill-percent, 71, at most 70 while growth is 0",
        "list-append, append-percent, 101, 0 to 100",
        "ycsb, record-bytes, 12, a multiple of 8",
        "ycsb-e, record-bytes, 12, a multiple of 8",
        "ycsb-e, keys, words, strings",
        "ycsb-e, scan-length, 0, 1 to 1",
        "ycsb, record-bytes, 16385, 16384",
        "ycsb, operations, 0, 1 to 100",
        "ycsb, distribution, normal, zipfian",
        "ycsb, theta, 1, 0.9999",
        "ycsb, theta, 0.5, nothing with distribution=hot",
        "ycsb-sundial, hot-access-percent, 90, nothing with distribution=zipfian",
        "ycsb, write-kind, wild, blind",
        "ycsb, remote-percent, 101, 'anywhere' or a number from 0 to 100",
        "ycsb-sundial, remote-percent, some, 0 to 100",
    })
    void shouldNameKeyValueAndWhatIsAllowed(String workload, String key, String given, String allowed) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.create(workload, Map.of(key, given)))
                .withMessageStartingWith("-P " + key + ": ")
                .withMessageContaining(given)
                .withMessageContaining("allowed: ")
                .withMessageContaining(allowed);
    }

    @Test
    void shouldRefuseAMixOfNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.create(
                        "smallbank",
                        Map.of(
                                "amalgamate", "0",
                                "balance", "0",
                                "deposit-checking", "0",
                                "send-payment", "0",
                                "transact-savings", "0",
                                "write-check", "0")))
                .withMessageContaining("weights");
    }

    @Test
    void shouldRefuseASingleCustomerForAllPayments() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.create("smallbank", Map.of("hot-accounts", "1", "hot-probability", "100")))
                .withMessageContaining("-P hot-accounts: got '1', allowed: at least 2");
    }

    @Test
    void shouldRefuseMoreOperationsThanRecords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Workloads.create("ycsb", Map.of("records-per-node", "5")))
                .withMessageContaining("-P operations: got '10'");
    }

    @Test
    void shouldTakeSundialsSettingsUnlessOthersAreGiven() {
        assertThat(Workloads.create("ycsb-sundial", Map.of("theta", "0.5")).options())
                .containsEntry("operations", "16")
                .containsEntry("write-percent", "10")
                .containsEntry("record-bytes", "1024")
                .containsEntry("distribution", "zipfian")
                .containsEntry("theta", "0.5")
                .containsEntry("remote-percent", "10")
                .containsEntry("compute-us", "0");
        assertThat(Workloads.create("ycsb", Map.of()).options()).containsEntry("remote-percent", "anywhere");
    }

    @Test
    void shouldCutTheDefaultHotSetOfASmallBank() {
        assertThat(Workloads.create("smallbank", Map.of("accounts", "10")).maxAccesses())
                .isEqualTo(3);
    }
}
