package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The end of an attempt in which a step throws. */
class StagedCoordinatorTest {
    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 10)));
    private final Transaction ofCoroutine = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
    private final AttemptGate ofAttempts = new AttemptGate(1, new Admission());
    private final Steps steps = new Steps();

    private final class Steps extends StagedCoordinator {
        final List<String> ended = new ArrayList<>();
        RuntimeException inCheck;
        RuntimeException inCommit;

        Steps() {
            super(ofCoroutine, ofAttempts);
        }

        @Override
        protected void begin() {}

        @Override
        protected boolean fetch() {
            return true;
        }

        @Override
        protected Outcome finish() {
            return commitDecided();
        }

        @Override
        protected void commit() {
            ended.add("committed");
            if (inCommit != null) {
                throw inCommit;
            }
        }

        @Override
        protected AbortReason preAbortReason() {
            if (inCheck != null) {
                throw inCheck;
            }
            return null;
        }

        @Override
        protected Outcome abandon() {
            ended.add("abandoned");
            return Outcome.ABORTED;
        }
    }

    private Outcome run(Runnable execute) {
        ofCoroutine.begin(true);
        return steps.run(new Procedure() {
            @Override
            public void declare(Transaction own) {}

            @Override
            public void execute(Transaction own) {
                execute.run();
            }
        });
    }

    @Test
    void shouldAbandonAnAttemptWhoseReadsCannotBeChecked() {
        RuntimeException thrown = new IllegalArgumentException("of the procedure");
        steps.inCheck = new IllegalStateException("of the check");
        assertThatThrownBy(() -> run(() -> {
                    throw thrown;
                }))
                .isSameAs(thrown)
                .hasSuppressedException(steps.inCheck);
        assertThat(steps.ended).containsExactly("abandoned");
    }

    @Test
    void shouldAbandonAnAbortedAttemptWhoseReadsCannotBeChecked() {
        steps.inCheck = new IllegalStateException("of the check");
        assertThatThrownBy(() -> run(ofCoroutine::abort)).isSameAs(steps.inCheck);
        assertThat(steps.ended).containsExactly("abandoned");
    }

    // Goal: locks are not dropped without the writes that the backups have.
    @Test
    void shouldLeaveADecidedTransactionToASweepIfItsCommitThrows() {
        List<String> swept = new ArrayList<>();
        ofAttempts.sweeper(() -> swept.add("swept"));
        steps.inCommit = new IllegalStateException("of the commit");
        Logger logger = (Logger) LoggerFactory.getLogger(StagedCoordinator.class);
        logger.setLevel(Level.OFF); // it logs the exception
        Outcome outcome = run(() -> {});
        logger.setLevel(null);
        assertThat(outcome).isEqualTo(Outcome.COMMITTED);
        assertThat(steps.ended).containsExactly("committed");
        assertThat(swept).hasSize(1);
    }
}
