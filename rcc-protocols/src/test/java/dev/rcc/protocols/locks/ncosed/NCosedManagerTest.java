package dev.rcc.protocols.locks.ncosed;

import static dev.rcc.protocols.locks.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LoopbackLocks;
import dev.rcc.protocols.locks.LoopbackLocks.Requester;
import org.junit.jupiter.api.Test;

/** The state of a lock when a message about it is lost. */
class NCosedManagerTest {
    private static final long LOCK = LoopbackLocks.address(0);
    private static final long FOR_EVER = 1_000_000_000_000L;
    /** An exclusive requester of another node, behind the sharer. */
    private static final long OTHER = NCosedLayout.word(NCosedLayout.place(3, 0, 0), 0);

    private final LoopbackLocks locks = new LoopbackLocks(new NCosed(FOR_EVER), Primitive.ONE_SIDED);
    private final Requester requester = locks.requester();

    private void share() {
        requester.locks.request(LOCK, SHARED, 1);
        assertThat(requester.locks.await(FOR_EVER)).isEqualTo(LockOutcome.GRANTED);
    }

    @Test
    void shouldLeaveASharedLockThatAnExclusiveRequesterWaitsFor() {
        share();
        locks.word(LOCK, OTHER);
        requester.locks.release();
        requester.runService();
        assertThat(requester.unsettled).isZero();
    }

    // Goal: a sharer that cannot report its release says that the lock may stay held: no other node can
    // notice that the next requester waits in vain.
    @Test
    void shouldReportThatTheLockMayStayHeldWhenASharersReleaseIsLost() {
        share();
        locks.word(LOCK, OTHER);
        requester.before = () -> requester.isCutOff = true; // after it has read the word
        requester.locks.release();
        assertThat(requester.unsettled).isZero();
        requester.runService();
        assertThat(requester.unsettled).isEqualTo(1);
    }
}
