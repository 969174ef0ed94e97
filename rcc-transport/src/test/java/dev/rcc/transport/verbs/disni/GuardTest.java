package dev.rcc.transport.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GuardTest {
    private final Guard guard = new Guard("thing");

    @Test
    void shouldRefuseCallsAfterItWasClosed() throws IOException {
        guard.enter();
        guard.exit();
        guard.close();
        assertThat(guard.isOpen()).isFalse();
        assertThatThrownBy(guard::enter).isInstanceOf(IOException.class).hasMessage("the thing is closed");
        assertThatThrownBy(guard::enter).hasMessage("the thing is closed");
        assertThatThrownBy(guard::close).isInstanceOf(IOException.class).hasMessage("the thing is closed already");
    }

    @Test
    void shouldWaitForTheCallThatIsInside() throws Exception {
        guard.enter();
        CountDownLatch closed = new CountDownLatch(1);
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                guard.close();
                closed.countDown();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        while (guard.isOpen()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(guard::enter).isInstanceOf(IOException.class);
        assertThat(closed.getCount()).isOne(); // while this thread is inside
        guard.exit();
        closer.join();
        assertThat(closed.getCount()).isZero();
    }
}
