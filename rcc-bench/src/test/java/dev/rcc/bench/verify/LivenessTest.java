package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.protocols.common.ConflictReasons;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Liveness} of a transaction that is alone, and so the oldest, and dies in each attempt. */
class LivenessTest {
    private static final RetryPolicy THIRTY = new RetryPolicy(30, 1, 1);

    private final Transaction txn = TestTransactions.create(
            new FakeWorker(0),
            0,
            new Catalog(new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 10))),
            1 << 12);
    private final Liveness liveness = new Liveness((committed, begin, end) -> {});
    private int attempts;

    private final Procedure nothing = new Procedure() {
        @Override
        public void declare(Transaction declaring) {}

        @Override
        public void execute(Transaction executing) {}
    };

    private void dieInEachAttempt() {
        TransactionRunner runner = new TransactionRunner(txn, this::die, THIRTY, new TransactionMetrics(), liveness);
        assertThat(liveness.run(runner, nothing, () -> 0)).isEqualTo(Outcome.ABORTED);
    }

    private Outcome die(Procedure procedure) {
        attempts++;
        procedure.declare(txn);
        txn.abort(ConflictReasons.WAIT_DIE_DIED);
        return Outcome.ABORTED;
    }

    @Test
    void shouldReportAnOldestTransactionThatKeepsDying() {
        dieInEachAttempt();
        assertThat(liveness.violations())
                .singleElement()
                .asString()
                .contains("the oldest transaction", "died 20 times");
    }

    @Test
    void shouldAllowTheOldestToDieForLocksWhoseHolderIsGone() {
        liveness.onlyWhile(() -> false);
        dieInEachAttempt();
        assertThat(liveness.violations()).isEmpty();
    }

    @Test
    void shouldCountFromWhereEverythingIsThereAgain() {
        liveness.onlyWhile(() -> attempts != 15);
        dieInEachAttempt();
        assertThat(liveness.violations()).isEmpty();
    }
}
