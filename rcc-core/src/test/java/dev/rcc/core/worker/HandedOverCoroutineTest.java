package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.ForkedJvm;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HandedOverCoroutineTest extends CoroutineContract {
    @Override
    boolean mountsCoroutines() {
        return false;
    }

    @Override
    int manySwitches() {
        return 4_000;
    }

    @Override
    int wakeUps() {
        return 300; // both forms have the same loop: MountedCoroutineTest does more
    }

    // The next two tests start a JVM each, because a JVM decides once whether it allows this.
    @Test
    void shouldWarnOnceIfTheJvmDoesNotOpenJavaLang() throws Exception {
        String output = runProbe();
        assertThat(output).contains("mounts: false").contains("ran: 2");
        assertThat(output.split("event=slow_coroutines:", -1)).as(output).hasSize(2);
        assertThat(output).contains("--add-opens java.base/java.lang=ALL-UNNAMED");
    }

    @Test
    void shouldMountNoCoroutinesWhenTheSchedulerPropertyIsFalse() throws Exception {
        String open = "--add-opens=java.base/java.lang=ALL-UNNAMED";
        assertThat(runProbe(open, "-Drcc.coroutines.scheduler=false"))
                .contains("mounts: false")
                .contains("ran: 2");
        assertThat(runProbe(open)).contains("mounts: true").contains("ran: 2");
    }

    private static String runProbe(String... options) throws Exception {
        return ForkedJvm.run(Probe.class, options);
    }

    /** Two workers in a JVM of their own, and the form of coroutines that they report. */
    static final class Probe {
        private Probe() {}

        public static void main(String[] args) throws InterruptedException {
            CountDownLatch ran = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                EventLoop loop = new EventLoop(0, i, 1);
                System.out.println("mounts: " + loop.mountsCoroutines());
                loop.start();
                loop.spawn(i, coroutine -> {
                    coroutine.pause();
                    ran.countDown();
                });
            }
            ran.await();
            System.out.println("ran: 2");
        }
    }
}
