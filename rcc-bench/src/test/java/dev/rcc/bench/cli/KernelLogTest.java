package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel's log says of processes that it killed. */
class KernelLogTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[53454.086280] Out of memory: Killed process 13369 (java) total-vm:17069416kB, anon-rss:8459804kB",
                "[53454.086280] Memory cgroup out of memory: Killed process 13369 (java) total-vm:17069416kB"
            })
    void shouldFindTheProcessThatWasKilledForMemoryAndNoOther(String line) {
        assertThat(KernelLog.hasKilledForMemory(13369, Stream.of("[1.0] eth0: up", line)))
                .isTrue();
        assertThat(KernelLog.hasKilledForMemory(1336, Stream.of(line))).isFalse();
        assertThat(KernelLog.hasKilledForMemory(3369, Stream.of(line))).isFalse();
    }
}
