package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptGateTest {
    private static final long PATIENCE = 3_000_000;

    private final FakeWorker worker = new FakeWorker(0);
    private final FakeCoroutine coroutine = new FakeCoroutine(0, worker);
    private final AttemptGate gate = new AttemptGate(PATIENCE, new Admission());
    private final List<String> told = new ArrayList<>();

    @Test
    void shouldNotifyWhenItIsClosedAndTheLastAttemptHasEnded() {
        gate.enter(coroutine, worker.nanoTime);
        gate.enter(coroutine, worker.nanoTime);
        gate.close(() -> told.add("empty"));
        assertThat(gate.isClosed()).isTrue();
        gate.leave();
        assertThat(told).isEmpty();
        gate.leave();
        assertThat(told).containsExactly("empty");
    }

    @Test
    void shouldNotifyThoseThatMakeAttemptsWaitEachTimeThatItCloses() {
        gate.whenClosing(() -> told.add("closing"));
        gate.enter(coroutine, worker.nanoTime);
        gate.close(() -> told.add("empty"));
        gate.close(() -> told.add("empty in the next round"));
        gate.leave();
        assertThat(told).containsExactly("closing", "closing", "empty in the next round");
    }

    @Test
    void shouldNotifyAtOnceWhenItClosesIfNoAttemptRuns() {
        gate.close(() -> told.add("empty"));
        assertThat(told).containsExactly("empty");
        gate.close(() -> told.add("empty again"));
        assertThat(told).containsExactly("empty", "empty again");
    }

    @Test
    void shouldNotNotifyWhenAttemptsEndAfterItHasOpenedAgain() {
        gate.enter(coroutine, worker.nanoTime);
        gate.close(() -> told.add("empty"));
        gate.open(1);
        gate.leave();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldCountANodeAsDeadThatIsNotReachedForTooLong() {
        long patience = AttemptGate.PATIENCE_NANOS;
        assertThat(gate.countsAsDead(1, 0, 10)).isFalse();
        assertThat(gate.countsAsDead(1, 0, patience / 2)).isFalse();
        assertThat(gate.countsAsDead(2, patience / 2, patience)).isFalse();
        assertThat(gate.countsAsDead(1, 0, patience + 10)).isTrue();
        assertThat(gate.countsAsDead(1, patience + 20, patience + 30))
                .as("for the next attempt, soon afterwards")
                .isTrue();
        gate.reached(1);
        assertThat(gate.countsAsDead(1, patience + 40, patience + 50)).isFalse();
    }

    // Each look may take longer than the patience, as a call that is lost does.
    @Test
    void shouldCountANodeAsDeadWhoseAttemptWasOneLongWait() {
        long patience = AttemptGate.PATIENCE_NANOS;
        assertThat(gate.countsAsDead(1, 0, 2 * patience)).isFalse();
        assertThat(gate.countsAsDead(1, 0, 4 * patience)).isTrue();
    }

    @Test
    void shouldNotCountANodeAsDeadForAnOutageThatIsLongPast() {
        long patience = AttemptGate.PATIENCE_NANOS;
        assertThat(gate.countsAsDead(1, 0, 10)).isFalse();
        assertThat(gate.countsAsDead(1, 0, patience + 10)).isTrue();
        long later = 100 * patience;
        assertThat(gate.countsAsDead(1, later, later + 10)).isFalse();
        assertThat(gate.countsAsDead(1, later, later + patience + 10)).isTrue();
    }

    @Test
    void shouldLetAttemptsWaitWhileItIsClosed() {
        gate.close(() -> {});
        coroutine.whileSleeping = () -> {
            if (coroutine.sleeps.size() == 3) {
                gate.open(1);
            }
        };
        gate.enter(coroutine, worker.nanoTime);
        assertThat(coroutine.sleeps).hasSize(3);
        assertThat(gate.configEpoch()).isEqualTo(1);
    }

    @Test
    void shouldWaitForTheNextConfigurationAndNoLongerThanItMay() {
        assertThat(gate.awaitAfter(0, coroutine)).isFalse();
        assertThat(worker.nanoTime).isGreaterThanOrEqualTo(PATIENCE).isLessThan(2 * PATIENCE);
        coroutine.whileSleeping = () -> gate.open(1);
        assertThat(gate.awaitAfter(0, coroutine)).isTrue();
        int sleeps = coroutine.sleeps.size();
        assertThat(gate.awaitAfter(0, coroutine)).as("it is there already").isTrue();
        assertThat(coroutine.sleeps).hasSize(sleeps);
    }

    @Test
    void shouldBeginNothingWithoutALeaseAndNotWaitForEver() {
        Lease lease = Lease.over(worker.nanoTime);
        AttemptGate leased = new AttemptGate(PATIENCE, PATIENCE, new Admission(), lease, false);
        assertThat(leased.enter(coroutine, worker.nanoTime)).isFalse();
        assertThat(worker.nanoTime).isGreaterThanOrEqualTo(PATIENCE).isLessThan(2 * PATIENCE);
        leased.close(() -> told.add("none runs"));
        assertThat(told).containsExactly("none runs");
        leased.open(1);
        coroutine.whileSleeping = () -> lease.prolong(worker.nanoTime + PATIENCE);
        assertThat(leased.enter(coroutine, worker.nanoTime)).isTrue();
    }

    // Goal: a node that was stopped in the middle of a transaction reports no commit before it holds a
    // lease again.
    @Test
    void shouldHoldACommitBackUntilThereIsALease() {
        Lease lease = Lease.over(worker.nanoTime);
        lease.prolong(worker.nanoTime + 10);
        AttemptGate leased = new AttemptGate(PATIENCE, PATIENCE, new Admission(), lease, false);
        assertThat(leased.enter(coroutine, worker.nanoTime)).isTrue();
        leased.leave();
        leased.awaitLease(coroutine);
        assertThat(coroutine.sleeps).isEmpty();
        worker.nanoTime += 10;
        coroutine.whileSleeping = () -> {
            if (coroutine.sleeps.size() == 5) {
                lease.prolong(worker.nanoTime + PATIENCE);
            }
        };
        leased.awaitLease(coroutine);
        assertThat(coroutine.sleeps).hasSize(5);
    }

    @Test
    void shouldStayClosedUntilTheNodeIsAdmitted() {
        AttemptGate outside = new AttemptGate(PATIENCE, PATIENCE, new Admission(), Lease.forEver(), true);
        assertThat(outside.isClosed()).isTrue();
        coroutine.whileSleeping = () -> outside.open(3);
        assertThat(outside.enter(coroutine, worker.nanoTime)).isTrue();
        assertThat(outside.configEpoch()).isEqualTo(3);
    }

    @Test
    void shouldCallAllFreezeListenersAgainUntilAllAreDone() {
        gate.whenFrozen(() -> told.add("one") && told.size() > 2);
        gate.whenFrozen(() -> told.add("two"));
        assertThat(gate.frozen()).isFalse();
        assertThat(told).containsExactly("one", "two");
        assertThat(gate.frozen()).isTrue();
        assertThat(told).containsExactly("one", "two", "one", "two");
    }

    @Test
    void shouldReportWhetherTheClusterIsReconfigured() {
        assertThat(gate.isReconfigured()).isTrue();
        assertThat(new AttemptGate(0, new Admission()).isReconfigured()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AttemptGate(-1, new Admission()))
                .withMessageContaining("-1 ns");
    }

    @Test
    void shouldTreatAbsentNodesAsLostFromItsClosingOn() {
        BitSet absent = new BitSet();
        absent.set(2);
        gate.close(absent, () -> {});
        assertThat(gate.isLost(2)).isTrue();
        assertThat(gate.isLost(1)).isFalse();
        gate.open(1);
        assertThat(gate.isLost(2)).isTrue();
        gate.close(new BitSet(), () -> {}); // node 2 is in this configuration
        assertThat(gate.isLost(2)).isFalse();
        gate.lose(1);
        assertThat(gate.isLost(1)).isTrue();
    }

    @Test
    void shouldAskForASweep() {
        gate.askForSweep(); // no sweeper is set: nothing happens
        List<String> asked = new ArrayList<>();
        gate.sweeper(() -> asked.add("sweep"));
        gate.askForSweep();
        assertThat(asked).containsExactly("sweep");
    }
}
