package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link TransactionRunner} and {@link TransactionMetrics}, under a scripted coordinator. */
class TransactionRunnerTest {
    private static final Procedure PROCEDURE = new Procedure() {
        @Override
        public void declare(Transaction txn) {}

        @Override
        public void execute(Transaction txn) {}
    };

    private final FakeWorker worker = new FakeWorker(0);
    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(0, "t", 8, 1)));
    private final Transaction txn = TestTransactions.create(worker, 3, catalog, 1024);
    private final FakeCoroutine coroutine = (FakeCoroutine) txn.coroutine();
    private final TransactionMetrics metrics = new TransactionMetrics();
    private final Deque<Runnable> script = new ArrayDeque<>();
    private final List<Long> ids = new ArrayList<>();
    private final List<String> history = new ArrayList<>();
    private final Admission admission = new Admission();

    @Test
    void shouldCommitAtTheFirstAttempt() {
        script.add(this::commit);
        assertThat(runner(RetryPolicy.NEVER).run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(metrics.committed()).isEqualTo(1);
        assertThat(metrics.attempted()).isEqualTo(1);
        assertThat(metrics.latency().getTotalCount()).isEqualTo(1);
        assertThat(history).containsExactly("0 to 1000");
        assertThat(coroutine.sleeps).isEmpty();
    }

    @Test
    void shouldTryAgainUntilItCommitsAndKeepTheAge() {
        script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        script.add(() -> abort(AbortReason.LOG_FULL));
        script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        script.add(this::commit);
        assertThat(runner(new RetryPolicy(10, 50_000, 1_000_000)).run(PROCEDURE))
                .isEqualTo(Outcome.COMMITTED);
        assertThat(ids).hasSize(4).isSorted().doesNotHaveDuplicates();
        assertThat(txn.age()).isEqualTo(ids.getFirst());
        assertThat(txn.attempt()).isEqualTo(3);
        assertThat(coroutine.sleeps).hasSize(3);
        assertThat(metrics.committed()).isEqualTo(1);
        assertThat(metrics.attempted()).isEqualTo(4);
        assertThat(metrics.aborts(AbortReason.LOCK_CONFLICT)).isEqualTo(2);
        assertThat(metrics.aborts(AbortReason.LOG_FULL)).isEqualTo(1);
        assertThat(metrics.aborts(AbortReason.USER_ABORT)).isZero();
        // The history gets the committed attempt's times; the latency counts from the first attempt's start.
        long slept = coroutine.sleeps.stream().mapToLong(Long::longValue).sum();
        assertThat(history).containsExactly((slept + 3000) + " to " + (slept + 4000));
        assertThat(metrics.latency().getMaxValue()).isBetween((slept + 4000) * 99 / 100, (slept + 4000) * 101 / 100);
    }

    // An upgrade is no conflict: the transaction does not wait, and it does not lengthen the waits after
    // conflicts.
    @Test
    void shouldTryAgainAtOnceIfATransactionWantsMoreOfAKey() {
        script.add(() -> abort(AbortReason.UPGRADED));
        script.add(() -> abort(AbortReason.UPGRADED));
        script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        script.add(() -> abort(AbortReason.UPGRADED));
        script.add(this::commit);
        worker.randoms.add(-1L);
        assertThat(runner(new RetryPolicy(5, 1_000, 1_000_000)).run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(coroutine.sleeps).containsExactly(1_000L);
        assertThat(txn.age()).isEqualTo(ids.getFirst());
        assertThat(metrics.aborts(AbortReason.UPGRADED)).isEqualTo(3);
    }

    @Test
    void shouldGiveUpAfterTheLastAllowedAttempt() {
        for (int i = 0; i < 3; i++) {
            script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        }
        assertThat(runner(new RetryPolicy(3, 0, 0)).run(PROCEDURE)).isEqualTo(Outcome.ABORTED);
        assertThat(txn.abortReason()).isEqualTo(AbortReason.LOCK_CONFLICT);
        assertThat(script).isEmpty();
        assertThat(coroutine.sleeps).hasSize(2);
        assertThat(metrics.attempted()).isEqualTo(3);
        assertThat(metrics.committed()).isZero();
        assertThat(metrics.gaveUp()).isEqualTo(1);
        assertThat(history).isEmpty();
    }

    // Goal: a transaction that the procedure aborts has not run out of attempts, even if no attempt is left.
    @Test
    void shouldNotCountAnAbortByTheProcedureAsGivenUp() {
        script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        script.add(() -> abort(AbortReason.USER_ABORT));
        assertThat(runner(new RetryPolicy(2, 0, 0)).run(PROCEDURE)).isEqualTo(Outcome.ABORTED);
        assertThat(metrics.gaveUp()).isZero();
    }

    @Test
    void shouldCountTransactionsThatGaveUpByKind() {
        script.add(() -> abort(AbortReason.LOCK_CONFLICT));
        assertThat(runner(RetryPolicy.NEVER).run(new Procedure() {
                    @Override
                    public void declare(Transaction txn) {}

                    @Override
                    public void execute(Transaction txn) {}

                    @Override
                    public int kind() {
                        return 2;
                    }
                }))
                .isEqualTo(Outcome.ABORTED);
        assertThat(metrics.ofKind(2).gaveUp()).isEqualTo(1);
        assertThat(metrics.ofKind(1).gaveUp()).isZero();
    }

    @Test
    void shouldNotTryAgainForAFinalReason() {
        AbortReason ofAProtocol = AbortReason.permanent(200, "OF_A_PROTOCOL", "do something else");
        for (AbortReason reason : new AbortReasons(List.of(ofAProtocol)).all()) {
            script.clear();
            script.add(() -> abort(reason));
            script.add(this::commit);
            Outcome outcome = runner(RetryPolicy.DEFAULT).run(PROCEDURE);
            boolean isFinal = Set.of(
                            AbortReason.USER_ABORT,
                            AbortReason.PEER_UNREACHABLE,
                            AbortReason.TABLE_FULL,
                            ofAProtocol,
                            AbortReason.READS_CHANGED,
                            AbortReason.DUPLICATE_KEY)
                    .contains(reason);
            assertThat(outcome).isEqualTo(isFinal ? Outcome.ABORTED : Outcome.COMMITTED);
            assertThat(reason.isRetryable()).isEqualTo(!isFinal);
        }
    }

    @Test
    void shouldRethrowTheProceduresExceptionAndRunTheNextTransaction() {
        script.add(() -> {
            throw new IllegalArgumentException("planted");
        });
        script.add(this::commit);
        TransactionRunner runner = runner(RetryPolicy.DEFAULT);
        assertThatThrownBy(() -> runner.run(PROCEDURE)).hasMessage("planted");
        assertThat(history).isEmpty();
        assertThat(runner.run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(txn.age()).isEqualTo(ids.getLast());
    }

    @Test
    void shouldCountTheRoundTripsOfEveryAttempt() {
        script.add(() -> {
            roundTrips(3);
            abort(AbortReason.LOCK_CONFLICT);
        });
        script.add(() -> {
            roundTrips(2);
            commit();
        });
        assertThat(runner(RetryPolicy.DEFAULT).run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(metrics.roundTrips()).isEqualTo(5);
    }

    @Test
    void shouldDoWithoutAHistory() {
        script.add(this::commit);
        TransactionRunner runner = new TransactionRunner(txn, p -> outcome(), RetryPolicy.NEVER, metrics, null);
        assertThat(runner.run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(runner.transaction()).isSameAs(txn);
    }

    @Test
    void shouldAddAndResetTheMetricsOfWorkers() {
        TransactionMetrics other = new TransactionMetrics();
        metrics.attempted(Outcome.COMMITTED, null, 2);
        metrics.committed(500);
        other.attempted(Outcome.ABORTED, AbortReason.LOG_FULL, 1);
        other.attempted(Outcome.COMMITTED, null, 4);
        other.committed(-7);
        other.committed(Long.MAX_VALUE);
        other.gaveUp(1);
        metrics.add(other);
        assertThat(metrics.committed()).isEqualTo(3);
        assertThat(metrics.attempted()).isEqualTo(3);
        assertThat(metrics.gaveUp()).isEqualTo(1);
        assertThat(metrics.ofKind(1).gaveUp()).isEqualTo(1);
        assertThat(metrics.roundTrips()).isEqualTo(7);
        assertThat(metrics.aborts(AbortReason.LOG_FULL)).isEqualTo(1);
        assertThat(metrics.latency().getTotalCount()).isEqualTo(3);
        metrics.reset();
        assertThat(metrics.committed() + metrics.attempted() + metrics.roundTrips())
                .isZero();
        assertThat(metrics.gaveUp() + metrics.ofKind(1).gaveUp()).isZero();
        assertThat(metrics.aborts(AbortReason.LOG_FULL)).isZero();
        assertThat(metrics.latency().getTotalCount()).isZero();
    }

    @Test
    void shouldTimeStages() {
        StageTimers timers = new StageTimers(List.of("lock", "log"));
        timers.record(1, 1000);
        timers.record(1, -5);
        timers.record(1, Long.MAX_VALUE);
        StageTimers sum = new StageTimers(List.of("lock", "log"));
        sum.add(timers);
        assertThat(sum.stages()).containsExactly("lock", "log");
        assertThat(sum.histogram(0).getTotalCount()).isZero();
        assertThat(sum.histogram(1).getTotalCount()).isEqualTo(3);
        sum.reset();
        assertThat(sum.histogram(1).getTotalCount()).isZero();
    }

    @Test
    void shouldCountEveryPassageThroughAStageAndTimeSome() {
        StageTimers timers = new StageTimers(List.of("lock", "log"));
        StageClock clock = new StageClock(txn, timers);
        int attempts = 10 * StageClock.SAMPLE;
        for (int i = 0; i < attempts; i++) {
            clock.begin();
            clock.enter();
            worker.nanoTime += 7;
            clock.leave(1);
        }
        assertThat(timers.passages(0)).isZero();
        assertThat(timers.passages(1)).isEqualTo(attempts);
        assertThat(timers.histogram(1).getTotalCount()).isEqualTo(10);
        assertThat(timers.histogram(1).getMean()).isEqualTo(7);
        timers.reset();
        assertThat(timers.passages(1)).isZero();
    }

    @Test
    void shouldRefuseNewTransactionsAndEndThoseThatHaveBegunWhenAdmissionIsClosed() {
        script.add(() -> {
            admission.close();
            abort(AbortReason.LOCK_CONFLICT);
        });
        script.add(this::commit);
        TransactionRunner runner = runner(new RetryPolicy(3, 0, 0));
        assertThat(runner.run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(runner.run(PROCEDURE)).isEqualTo(Outcome.ABORTED);
        assertThat(txn.abortReason()).isEqualTo(AbortReason.NODE_DRAINING);
        assertThat(txn.abortReason().isRetryable()).isTrue();
        assertThat(metrics.attempted()).isEqualTo(2);
    }

    @Test
    void shouldTryAgainInTheNextConfigurationIfANodeWasLost() {
        AttemptGate reconfigured = new AttemptGate(1_000_000, admission);
        script.add(() -> abort(AbortReason.PEER_UNREACHABLE));
        script.add(this::commit);
        coroutine.whileSleeping = () -> reconfigured.open(7);
        assertThat(runner(RetryPolicy.DEFAULT, reconfigured).run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(reconfigured.configEpoch()).isEqualTo(7);
        assertThat(metrics.attempted()).isEqualTo(2);
    }

    // Until then, the other nodes may find that the attempt has committed.
    @Test
    void shouldNotifyTheHistoryOfALoggedAttemptsAbortInTheNextConfiguration() {
        AttemptGate gate = new AttemptGate(1_000_000, admission);
        script.add(() -> {
            txn.logBegins();
            gate.close(() -> {});
            abort(AbortReason.PEER_UNREACHABLE);
        });
        script.add(this::commit);
        coroutine.whileSleeping = () -> gate.open(7);
        HistoryRecorder aborts = new HistoryRecorder() {
            @Override
            public void committed(Transaction committed, long begin, long end) {
                history.add("committed");
            }

            @Override
            public void attemptAborted(Transaction aborted) {
                history.add("aborted by configuration " + gate.configEpoch());
            }
        };
        assertThat(runner(RetryPolicy.DEFAULT, gate, aborts).run(PROCEDURE)).isEqualTo(Outcome.COMMITTED);
        assertThat(history).containsExactly("aborted by configuration 7", "committed");
    }

    @Test
    void shouldGiveUpIfALostNodeIsNotReplacedInTime() {
        script.add(() -> abort(AbortReason.PEER_UNREACHABLE));
        assertThat(runner(RetryPolicy.DEFAULT, new AttemptGate(1_000_000, admission))
                        .run(PROCEDURE))
                .isEqualTo(Outcome.ABORTED);
        assertThat(txn.abortReason()).isEqualTo(AbortReason.PEER_UNREACHABLE);
    }

    // A node that is cut off may close its gate for a configuration that it never reaches.
    @Test
    void shouldGiveUpOnTheWayToAConfigurationIfNothingWasLogged() {
        AttemptGate gate = new AttemptGate(1_000_000, admission);
        script.add(() -> {
            gate.close(() -> {});
            abort(AbortReason.PEER_UNREACHABLE);
        });
        assertThat(runner(RetryPolicy.DEFAULT, gate).run(PROCEDURE)).isEqualTo(Outcome.ABORTED);
    }

    @Test
    void shouldRefuseTransactionsWhileTheNodeIsCutOff() {
        AttemptGate cutOff = new AttemptGate(1_000_000, 1_000_000, admission, Lease.over(worker.nanoTime), false);
        assertThat(runner(RetryPolicy.DEFAULT, cutOff).run(PROCEDURE)).isEqualTo(Outcome.ABORTED);
        assertThat(txn.abortReason()).isEqualTo(AbortReason.NO_MAJORITY);
        assertThat(metrics.attempted()).isZero();
    }

    @Test
    void shouldLeaveTheGateThoughTheProcedureThrows() {
        AttemptGate gate = new AttemptGate(0, admission);
        script.add(() -> {
            throw new IllegalStateException("thrown by the procedure");
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> runner(RetryPolicy.NEVER, gate).run(PROCEDURE));
        boolean[] empty = new boolean[1];
        gate.close(() -> empty[0] = true);
        assertThat(empty[0]).isTrue();
    }

    private TransactionRunner runner(RetryPolicy retries) {
        return runner(retries, new AttemptGate(0, admission));
    }

    private TransactionRunner runner(RetryPolicy retries, AttemptGate gate) {
        return runner(retries, gate, (committed, begin, end) -> history.add(begin + " to " + end));
    }

    private TransactionRunner runner(RetryPolicy retries, AttemptGate gate, HistoryRecorder recorder) {
        return new TransactionRunner("scripted", txn, procedure -> outcome(), retries, gate, metrics, recorder);
    }

    /** One attempt: runs the next step of the script, and takes a microsecond. */
    private Outcome outcome() {
        ids.add(txn.id());
        worker.nanoTime += 1000;
        worker.wallNanos += 1000;
        script.remove().run();
        return txn.abortReason() == null ? Outcome.COMMITTED : Outcome.ABORTED;
    }

    private void commit() {
        assertThat(txn.abortReason()).isNull();
    }

    private void abort(AbortReason reason) {
        txn.abort(reason);
    }

    private void roundTrips(int count) {
        for (int i = 0; i < count; i++) {
            txn.completion().add();
            coroutine.whileSuspended = txn.completion()::succeed;
            assertThat(txn.completion().await()).isTrue();
        }
    }
}
