package dev.rcc.bench.jmh;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionBenchmarkTest {
    // Method: what JMH does with it, without JMH. stop() fails when the invariants do not hold.
    @ParameterizedTest
    @ValueSource(strings = {"one-sided", "rpc"})
    void shouldCommitBatchAfterBatch(String code) {
        TransactionBenchmark benchmark = new TransactionBenchmark();
        benchmark.code = code;
        benchmark.start();
        benchmark.commit();
        benchmark.commit();
        benchmark.stop();
    }
}
