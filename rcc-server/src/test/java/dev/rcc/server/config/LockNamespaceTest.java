package dev.rcc.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.server.locks.NodeLocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockNamespaceTest {
    @Test
    void shouldReadBackItsOwnOutput() {
        assertThat(LockNamespace.parseAll("jobs:1000, orders:5:500:20"))
                .containsExactly(new LockNamespace("jobs", 1_000, 3_000, 10), new LockNamespace("orders", 5, 500, 20));
        assertThat(LockNamespace.parseAll("  ")).isEmpty();
        LockNamespace some = new LockNamespace("a-b_C", 7, 10, 512);
        assertThat(LockNamespace.parseAll(some.toString())).containsExactly(some);
    }

    @Test
    void shouldHoldALockForAllItsSlotsAtTheLongest() {
        assertThat(new LockNamespace("jobs", 1, 3_000, 10).longestLease()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jobs             | allowed: NAME:NAMES
            jobs:x           | allowed: NAME:NAMES
            jobs:0           | names: got 0, allowed: 1 to 10000000
            jobs:10000001    | names: got 10000001, allowed: 1 to 10000000
            jobs:1:9         | lease: got 9, allowed: 10 to 600000
            jobs:1:600001    | lease: got 600001, allowed: 10 to 600000
            jobs:1:10:0      | slots: got 0, allowed: 1 to 512
            jobs:1:10:513    | slots: got 513, allowed: 1 to 512
            1jobs:1          | a namespace has a name
            a,a              | allowed: NAME:NAMES
            a:1,a:2          | allowed: each name once
            """)
    void shouldFailWithTheCauseInItsMessage(String text, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNamespace.parseAll(text))
                .withMessageContaining(why);
    }

    @Test
    void shouldRefuseClustersThatAreTooLarge() {
        LockNamespace namespace = new LockNamespace("jobs", 1, 3_000, 10);
        NodeLocks.check(namespace, 51, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeLocks.check(namespace, 26, 2))
                .withMessageContaining(
                        "locks of jobs: 26 nodes of 2 workers, each of which counts as one requester: 52 ")
                .withMessageContaining("allowed are 51");
    }
}
