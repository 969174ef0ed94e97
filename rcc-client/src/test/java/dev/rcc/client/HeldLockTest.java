package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.wire.Message;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeldLockTest {
    /** The answer of a channel that has no scheduled tasks. */
    private static final long NOTHING_SCHEDULED = -1;

    private static final int LEASE_MILLIS = 60_000;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HeldLock lock = new HeldLock(null, new Link(channel), 1, "jobs", "a", LockMode.UPDATE);

    private void grant() {
        lock.granted(new Message.Granted(1, LEASE_MILLIS));
    }

    private long nanosToNextTask() {
        return channel.runScheduledPendingTasks();
    }

    // Goal: a program that takes and releases locks often does not keep all of them in memory until the ends of their
    // leases.
    @Test
    void shouldNotAwaitTheEndOfItsLeaseOnceItIsUnlocked() {
        grant();
        assertThat(nanosToNextTask()).isPositive();
        lock.unlock();
        assertThat(nanosToNextTask()).isEqualTo(NOTHING_SCHEDULED);
    }

    @Test
    void shouldRefuseToWaitForAnUpgradeForLongerThanADay() {
        grant();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.upgrade(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("wait must be 0 to a day, got PT");
    }

    @Test
    void shouldBeHeldAloneOnceItIsUpgraded() {
        grant();
        lock.upgraded(new Message.Granted(1, LEASE_MILLIS));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.isUpgraded()).isTrue();
    }

    // Goal: a program whose lease has ended does not go on as if it held the lock alone, nor does the gateway hold it
    // for the program.
    @Test
    void shouldReleaseALockThatIsUpgradedAfterItWasLost() {
        grant();
        lock.lose();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> lock.upgraded(new Message.Granted(1, LEASE_MILLIS)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.LOCK_LOST));
        assertThat(lock.isUpgraded()).isFalse();
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).as("the unlock").isNotEmpty();
    }

    @Test
    void shouldNotAwaitTheEndOfItsLeaseOnceItIsLost() {
        grant();
        lock.lose();
        assertThat(nanosToNextTask()).isEqualTo(NOTHING_SCHEDULED);
    }

    @Test
    void shouldAwaitOnlyTheLeaseOfItsUpgrade() {
        grant();
        grant();
        lock.unlock();
        assertThat(nanosToNextTask()).isEqualTo(NOTHING_SCHEDULED);
    }

    // Goal: the gateway may report a lock as lost before the thread that waits for it has seen that it was granted.
    @Test
    void shouldNotAwaitTheLeaseOfALockThatWasLostAtOnce() {
        lock.lose();
        grant();
        assertThat(lock.isHeld()).isFalse();
        assertThat(nanosToNextTask()).isEqualTo(NOTHING_SCHEDULED);
    }
}
