package dev.rcc.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.locks.cluster.LockSchemes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

class LockBenchmarkTest {
    static List<String> managers() {
        return LockSchemes.names();
    }

    // Method: the calls that JMH makes, without JMH. stop() fails when a lock was not granted.
    @ParameterizedTest
    @MethodSource("managers")
    void shouldTakeAndGiveBackLocksOneAfterTheOther(String manager) {
        for (String code : List.of("one-sided", "rpc")) {
            LockBenchmark benchmark = new LockBenchmark();
            benchmark.manager = manager;
            benchmark.code = code;
            benchmark.batch = 2_000;
            benchmark.start();
            benchmark.lockAndUnlock();
            benchmark.lockAndUnlock();
            benchmark.stop();
        }
    }

    @Test
    void shouldMeasureEachLockManager() throws NoSuchFieldException {
        assertThat(LockBenchmark.class
                        .getField("manager")
                        .getAnnotation(Param.class)
                        .value())
                .containsExactlyElementsOf(LockSchemes.names());
    }
}
