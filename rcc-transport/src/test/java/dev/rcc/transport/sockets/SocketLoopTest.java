package dev.rcc.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The test's thread is the worker. No interrupt ends its sleep, hence the mode of the timeout. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SocketLoopTest {
    private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

    @ParameterizedTest
    @EnumSource(names = {"IO_URING", "EPOLL", "NIO"})
    void shouldEndTheNextParkIfItIsUnparkedBefore(SocketTransport transport) throws Exception {
        assumeTrue(transport.unavailability() == null);
        SocketLoop sockets = new SocketLoop(transport);
        assertThat(sockets.claim()).isTrue();
        try {
            for (int round = 0; round < 3; round++) {
                sockets.runNow(); // as in the turn before a sleep
                Thread other = Thread.ofPlatform().start(sockets::unpark);
                other.join();
                sockets.park(LONG_NANOS);
            }
        } finally {
            sockets.end();
        }
    }
}
