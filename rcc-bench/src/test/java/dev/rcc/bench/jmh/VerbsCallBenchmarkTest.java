package dev.rcc.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerbsCallBenchmarkTest {
    // Method: what JMH does with it, without JMH; 0 is what a device returns that has taken a batch.
    @Test
    void shouldCallAFunctionThatReturnsZero() throws Throwable {
        VerbsCallBenchmark benchmark = new VerbsCallBenchmark();
        assertThat(benchmark.normalCall()).isZero();
        assertThat(benchmark.criticalCall()).isZero();
        assertThat(benchmark.buildAndPostNormally()).isZero();
        assertThat(benchmark.buildAndPostCritically()).isZero();
        assertThat(benchmark.buildBatch().count()).isEqualTo(2);
    }
}
