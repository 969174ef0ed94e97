package dev.rcc.bench.jmh;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionBenchmarkTest {
    // Method: the calls that JMH makes, without JMH. stop() fails when the invariants do not hold.
    @ParameterizedTest
    @CsvSource({
        "nowait, smallbank, one-sided, local, 3",
        "nowait, smallbank, rpc, local, 3",
        "nowait, smallbank, one-sided, shm, 2",
        "nowait, smallbank, one-sided, shm+tcp, 2",
        "sundial, tpcc, rpc, local, 2"
    })
    void shouldCommitBatchAfterBatch(String protocol, String workload, String code, String network, int nodes) {
        TransactionBenchmark benchmark = new TransactionBenchmark();
        benchmark.protocol = protocol;
        benchmark.workload = workload;
        benchmark.code = code;
        benchmark.network = network;
        benchmark.nodes = nodes;
        benchmark.batch = 10_000;
        benchmark.start();
        benchmark.commit();
        benchmark.commit();
        benchmark.stop();
    }
}
