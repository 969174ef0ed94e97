package dev.rcc.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class YieldFirstTest {
    @Test
    void aLoopWithoutInputSleeps() throws Exception {
        assertThat(YieldFirst.INSTANCE.calculateStrategy(() -> 0, false)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void aLoopForWhichInputHasArrivedDoesNotSleep() throws Exception {
        assertThat(YieldFirst.INSTANCE.calculateStrategy(() -> 3, false)).isEqualTo(3);
    }

    @Test
    void aLoopWithTasksDoesNotSleep() throws Exception {
        assertThat(YieldFirst.INSTANCE.calculateStrategy(() -> 0, true)).isZero();
        assertThat(YieldFirst.INSTANCE.calculateStrategy(() -> 2, true)).isEqualTo(2);
    }
}
