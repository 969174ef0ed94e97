package dev.rcc.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerbsCallBenchmarkTest {
    // Method: the calls that JMH makes, without JMH; a device that has taken a batch returns 0.
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
