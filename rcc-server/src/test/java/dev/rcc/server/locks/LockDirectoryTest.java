package dev.rcc.server.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.server.config.LockNamespace;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockDirectoryTest {
    private static final int NODE = 0;
    private static final int JOBS = 0;
    /** The longest lease: two slots of a second. */
    private static final long LONGEST_LEASE_NANOS = 2_000_000_000L;

    /** Partition 0 is here, partition 1 is not. */
    private static final RingPlacement BEFORE = new RingPlacement(2, 2);

    private static final RingPlacement AFTER = BEFORE.withHolders(List.of(List.of(NODE), List.of(NODE)));

    private final LockDirectory directory = new LockDirectory(NODE, List.of(new LockNamespace("jobs", 10, 1_000, 2)));

    private LockDirectory.Answer find(int partition, long nowNanos) {
        return directory.find(JOBS, partition, "nightly", nowNanos);
    }

    private LockDirectory.Answer.Found found(int partition, long nowNanos) {
        return (LockDirectory.Answer.Found) find(partition, nowNanos);
    }

    @Test
    void shouldGiveLocksAtOnceInAClusterThatForms() {
        directory.configured(1, BEFORE, 5);
        assertThat(found(0, 5).epoch()).isEqualTo(1);
        assertThat(find(1, 5)).isInstanceOf(LockDirectory.Answer.Elsewhere.class);
    }

    // Goal: the holder of a lock at its earlier home is not known, so no client gets the lock until the
    // longest lease is over.
    @Test
    void shouldGrantNoMovedLockUntilTheLongestLeaseIsOver() {
        directory.configured(1, BEFORE, 5);
        directory.configured(2, AFTER, 7);
        assertThat(find(1, 7)).isEqualTo(new LockDirectory.Answer.NotYet(LONGEST_LEASE_NANOS));
        assertThat(find(1, 7 + LONGEST_LEASE_NANOS - 1)).isEqualTo(new LockDirectory.Answer.NotYet(1));
        assertThat(find(1, 7 + LONGEST_LEASE_NANOS)).isInstanceOf(LockDirectory.Answer.Found.class);
    }

    // Goal: a lock without a token is refused. To grant it would throw on the worker that all locks of its node share.
    @Test
    void shouldRefuseALockThatIsHereSinceAConfigurationWithoutTokens() {
        directory.configured(1, BEFORE, 5);
        directory.configured(LockToken.MAX_EPOCH + 1, AFTER, 7);
        long later = 7 + LONGEST_LEASE_NANOS;
        assertThat(find(1, later)).isEqualTo(new LockDirectory.Answer.Spent());
        assertThat(found(0, later).epoch()).isEqualTo(1);
        LockDirectory last = new LockDirectory(NODE, List.of(new LockNamespace("jobs", 10, 1_000, 2)));
        last.configured(LockToken.MAX_EPOCH, AFTER, 7);
        assertThat(last.find(JOBS, 1, "nightly", later)).isInstanceOf(LockDirectory.Answer.Found.class);
    }

    // Goal: tokens grow. Those of a lock that moves begin with the configuration in which it does.
    @Test
    void shouldDateALockByTheConfigurationSinceWhichItIsHere() {
        directory.configured(1, BEFORE, 5);
        directory.configured(4, AFTER, 7);
        directory.configured(6, AFTER, 9);
        long later = 9 + LONGEST_LEASE_NANOS;
        assertThat(found(0, later).epoch()).isEqualTo(1);
        assertThat(found(1, later).epoch()).isEqualTo(4);
    }
}
