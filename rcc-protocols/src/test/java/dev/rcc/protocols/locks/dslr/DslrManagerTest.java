package dev.rcc.protocols.locks.dslr;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static dev.rcc.protocols.locks.LockMode.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LoopbackLocks;
import dev.rcc.protocols.locks.LoopbackLocks.Requester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of a lock manager to its coroutine, one-sided and by RPC. */
@ParameterizedClass
@EnumSource(Primitive.class)
class DslrManagerTest {
    private static final long LEASE = 1_000_000;
    private static final long FOR_EVER = 1_000_000_000_000L;
    private static final long LOCK = LoopbackLocks.address(0);
    private static final long OTHER = LoopbackLocks.address(2);

    @Parameter
    Primitive primitive;

    private DslrTerms terms = DslrTerms.DEFAULT.withLease(LEASE);

    private LoopbackLocks locks() {
        return new LoopbackLocks(new Dslr(terms), primitive);
    }

    private static LockOutcome lock(Requester requester, LockMode mode) {
        return lock(requester, mode, 1);
    }

    private static LockOutcome lock(Requester requester, LockMode mode, int slots) {
        requester.locks.request(LOCK, mode, slots);
        return requester.locks.await(FOR_EVER);
    }

    private boolean isAtRest(LoopbackLocks locks) {
        return new Dslr(terms).layout().isAtRest(locks.word(LOCK));
    }

    @Test
    void shouldCostOneAtomicToLockAndOneToUnlock() {
        LoopbackLocks locks = locks();
        Requester requester = locks.requester();
        assertThat(lock(requester, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(requester.counters.atomics).isEqualTo(1);
        requester.locks.release();
        assertThat(requester.counters.atomics).isEqualTo(2);
        assertThat(requester.counters.reads).as("the fence, behind the ticket").isEqualTo(1);
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldHaveSeveralLocksInOneRound() {
        LoopbackLocks locks = locks();
        Requester requester = locks.requester();
        int first = requester.locks.request(LOCK, SHARED, 1);
        int second = requester.locks.request(OTHER, EXCLUSIVE, 1);
        assertThat(requester.locks.await(0)).isEqualTo(LockOutcome.GRANTED);
        assertThat(requester.locks.token(first)).isNotNegative();
        assertThat(requester.locks.token(second)).isNotNegative();
        requester.locks.release();
        assertThat(locks.word(OTHER))
                .isEqualTo(new Dslr(terms).layout().ticket(EXCLUSIVE, 1)
                        + new Dslr(terms).layout().handBack(EXCLUSIVE, 1));
    }

    @Test
    void shouldShareAndExclude() {
        LoopbackLocks locks = locks();
        Requester one = locks.requester();
        Requester two = locks.requester();
        assertThat(lock(one, SHARED)).isEqualTo(LockOutcome.GRANTED);
        assertThat(lock(two, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester writer = locks.requester();
        int[] looks = {0};
        writer.coroutine.whileSleeping = () -> {
            looks[0]++;
            (looks[0] == 1 ? one : two).locks.release();
        };
        assertThat(lock(writer, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(looks[0]).isEqualTo(2);
        assertThat(writer.coroutine.sleeps).containsExactly(2 * terms.pollNanos(), terms.pollNanos());
        assertThat(writer.counters.waits).isEqualTo(1);
    }

    @Test
    void shouldGiveUpAllOfARoundWhenOneIsNotGrantedInTime() {
        LoopbackLocks locks = locks();
        Requester holder = locks.requester();
        assertThat(lock(holder, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester hasty = locks.requester();
        hasty.locks.request(OTHER, EXCLUSIVE, 1);
        hasty.locks.request(LOCK, EXCLUSIVE, 1);
        assertThat(hasty.locks.await(LEASE / 10)).isEqualTo(LockOutcome.TIMED_OUT);
        assertThat(new Dslr(terms).layout().isAtRest(locks.word(OTHER))).isTrue();
        holder.locks.release();
        hasty.runService();
        assertThat(isAtRest(locks)).isTrue();
        assertThat(lock(hasty, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
    }

    @Test
    void shouldHandBackEveryTicketOfARoundThatBecomesTooLarge() {
        LoopbackLocks locks = locks();
        Requester requester = locks.requester(2048);
        int most = takeAllThatFit(requester);
        requester.locks.release();
        for (int lock = 0; lock < most; lock++) {
            assertThat(new Dslr(terms).layout().isAtRest(locks.word(LoopbackLocks.address(lock))))
                    .as("lock %d of %d", lock, most)
                    .isTrue();
        }
        assertThat(takeAllThatFit(requester)).as("locks that fit again").isEqualTo(most);
    }

    private static int takeAllThatFit(Requester requester) {
        int taken = 0;
        try {
            while (true) {
                requester.locks.request(LoopbackLocks.address(taken), EXCLUSIVE, 1);
                assertThat(requester.locks.await(0)).isEqualTo(LockOutcome.GRANTED);
                taken++;
            }
        } catch (TransactionTooLarge e) {
            return taken;
        }
    }

    @Test
    void shouldUpgradeWhenThoseBeforeHaveReturned() {
        terms = terms.withUpdates(true);
        LoopbackLocks locks = locks();
        Requester reader = locks.requester();
        assertThat(lock(reader, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester updater = locks.requester();
        assertThat(lock(updater, UPDATE)).as("beside a reader").isEqualTo(LockOutcome.GRANTED);
        Requester behind = locks.requester();
        behind.locks.request(LOCK, SHARED, 1);
        assertThat(behind.locks.await(0)).as("behind an update").isEqualTo(LockOutcome.TIMED_OUT);
        updater.coroutine.whileSleeping = reader.locks::release;
        assertThat(updater.locks.upgrade(0, FOR_EVER)).isEqualTo(LockOutcome.GRANTED);
        updater.locks.release();
        behind.runService();
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldLetAnUpdateGoBeforeTheReadersBesideIt() {
        terms = terms.withUpdates(true);
        LoopbackLocks locks = locks();
        Requester reader = locks.requester();
        assertThat(lock(reader, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester writer = locks.requester();
        Requester late = locks.requester();
        late.locks.request(LOCK, SHARED, 1);
        late.locks.post();
        Requester updater = locks.requester();
        assertThat(lock(updater, UPDATE)).isEqualTo(LockOutcome.GRANTED);
        updater.locks.release();
        assertThat(late.locks.await(FOR_EVER))
                .as("it looks when an update is past it")
                .isEqualTo(LockOutcome.GRANTED);
        late.locks.release();
        writer.locks.request(LOCK, EXCLUSIVE, 1);
        assertThat(writer.locks.await(0)).as("beside a reader").isEqualTo(LockOutcome.TIMED_OUT);
        reader.locks.release();
        assertThat(reader.counters.lateReleases + late.counters.lateReleases).isZero();
        writer.runService();
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldUpgradeAtOnceWithoutReaders() {
        terms = terms.withUpdates(true);
        Requester updater = locks().requester();
        assertThat(lock(updater, UPDATE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(updater.locks.upgrade(0, 0)).isEqualTo(LockOutcome.GRANTED);
        assertThat(updater.coroutine.sleeps).isEmpty();
    }

    @Test
    void shouldResetBehindItselfWhenAReaderIsInTheWayOfAnUpgrade() {
        terms = terms.withUpdates(true);
        LoopbackLocks locks = locks();
        Requester dead = locks.requester();
        assertThat(lock(dead, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester updater = locks.requester();
        assertThat(lock(updater, UPDATE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(updater.locks.upgrade(0, FOR_EVER)).isEqualTo(LockOutcome.LOST);
        assertThat(isAtRest(locks)).isTrue();
    }

    // Goal: an upgrade that is given up is no sign that the readers beside it have passed it, so they keep their locks.
    @Test
    void shouldLeaveReadersTheirLocksWhenAnUpgradeIsNotGrantedInTime() {
        terms = terms.withUpdates(true);
        LoopbackLocks locks = locks();
        Requester reader = locks.requester();
        assertThat(lock(reader, SHARED)).isEqualTo(LockOutcome.GRANTED);
        Requester updater = locks.requester();
        assertThat(lock(updater, UPDATE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(updater.locks.upgrade(0, 0)).isEqualTo(LockOutcome.TIMED_OUT);
        assertThat(reader.locks.check()).isTrue();
        Requester writer = locks.requester();
        writer.locks.request(LOCK, EXCLUSIVE, 1);
        assertThat(writer.locks.await(0)).as("beside a reader").isEqualTo(LockOutcome.TIMED_OUT);
        reader.locks.release();
        writer.runService();
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldHoldForAsManyLeasesAsItHasSlots() {
        terms = terms.withSlots(4);
        LoopbackLocks locks = locks();
        Requester holder = locks.requester();
        assertThat(lock(holder, EXCLUSIVE, 4)).isEqualTo(LockOutcome.GRANTED);
        Requester waiter = locks.requester();
        waiter.locks.request(LOCK, EXCLUSIVE, 1);
        assertThat(waiter.locks.await(7 * LEASE)).isEqualTo(LockOutcome.TIMED_OUT);
        assertThat(holder.locks.check()).isTrue();
        holder.worker.nanoTime += 4 * LEASE - 1;
        assertThat(holder.locks.isWithinLease()).isTrue();
        holder.worker.nanoTime += 1;
        assertThat(holder.locks.isWithinLease()).isFalse();
        Requester next = locks.requester();
        assertThat(lock(next, EXCLUSIVE)).isEqualTo(LockOutcome.LOST);
        assertThat(next.worker.nanoTime).isBetween(8 * LEASE, 9 * LEASE);
        assertThat(holder.locks.check()).isFalse();
    }

    @Test
    void shouldCompleteTheResetOfADeadResetter() {
        LoopbackLocks locks = locks();
        Requester dead = locks.requester();
        assertThat(lock(dead, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        DslrLayout layout = new Dslr(terms).layout();
        locks.word(DslrWords.fenceAddress(LOCK), layout.reset(0, locks.word(LOCK), 0, 1, 0));
        Requester next = locks.requester();
        assertThat(lock(next, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        assertThat(next.coroutine.sleeps).isEmpty();
        next.locks.release();
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldLetARoundGrowOnceItIsHeld() {
        LoopbackLocks locks = locks();
        Requester holder = locks.requester();
        assertThat(lock(holder, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        int second = holder.locks.request(OTHER, EXCLUSIVE, 1);
        assertThat(second).isEqualTo(1);
        assertThat(holder.locks.await(0)).isEqualTo(LockOutcome.GRANTED);
        assertThat(holder.locks.check()).isTrue();
        Requester other = locks.requester();
        other.locks.request(OTHER, EXCLUSIVE, 1);
        assertThat(other.locks.await(0)).isEqualTo(LockOutcome.TIMED_OUT);
        holder.locks.release();
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldDropTheWholeRoundWhenItCantGrow() {
        LoopbackLocks locks = locks();
        Requester other = locks.requester();
        other.locks.request(OTHER, EXCLUSIVE, 1);
        assertThat(other.locks.await(0)).isEqualTo(LockOutcome.GRANTED);
        Requester holder = locks.requester();
        assertThat(lock(holder, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
        holder.locks.request(OTHER, EXCLUSIVE, 1);
        assertThat(holder.locks.await(0)).isEqualTo(LockOutcome.TIMED_OUT);
        assertThat(isAtRest(locks)).isTrue();
    }

    @Test
    void shouldReportThatANodeIsUnreachable() {
        LoopbackLocks locks = locks();
        Requester requester = locks.requester();
        requester.isCutOff = true;
        assertThat(lock(requester, EXCLUSIVE)).isEqualTo(LockOutcome.UNREACHABLE);
        requester.isCutOff = false;
        assertThat(lock(requester, EXCLUSIVE)).isEqualTo(LockOutcome.GRANTED);
    }

    @Test
    void shouldRejectInvalidCallsAndTerms() {
        terms = terms.withSlots(2);
        Requester requester = locks().requester();
        assertThatThrownBy(() -> requester.locks.request(LOCK, UPDATE, 1)).hasMessageContaining("got an update lock");
        assertThatThrownBy(() -> requester.locks.request(LOCK, SHARED, 3))
                .hasMessageContaining("slots: got 3, allowed: 1 to 2");
        requester.locks.request(LOCK, SHARED, 1);
        assertThatThrownBy(() -> requester.locks.request(LOCK, SHARED, 1)).hasMessageContaining("number 0");
        requester.locks.post();
        assertThatThrownBy(() -> requester.locks.request(OTHER, SHARED, 1)).hasMessageContaining("is posted");
        assertThat(requester.locks.await(0)).isEqualTo(LockOutcome.GRANTED);
        assertThatThrownBy(() -> requester.locks.upgrade(0, 0)).hasMessageContaining("is held SHARED");
        assertThatThrownBy(() -> requester.locks.token(1)).hasMessageContaining("number 1");
        assertThatThrownBy(() -> DslrTerms.DEFAULT.withLease(1)).hasMessageContaining("lease: got 1");
        assertThatThrownBy(() -> DslrTerms.DEFAULT.withSlots(0)).hasMessageContaining("most slots: got 0");
    }

    @Test
    void shouldBackOffForLongerAfterEachFailureUpToALimit() {
        assertThat(terms.backoffNanos(1)).isEqualTo(10_000);
        assertThat(terms.backoffNanos(2)).isEqualTo(20_000);
        assertThat(terms.backoffNanos(10)).isEqualTo(5_120_000);
        assertThat(terms.backoffNanos(11)).isEqualTo(10_000_000);
        assertThat(terms.backoffNanos(Integer.MAX_VALUE)).isEqualTo(10_000_000);
    }
}
