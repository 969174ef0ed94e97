package dev.rcc.bench.verify;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.protocols.common.ConflictReasons;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Checks that transactions end as soon as they should: how many attempts and how much virtual time they take, whether they keep their
 * age, and whether the oldest transaction dies again and again for younger ones, though these must wait for it.
 *
 * <p>Used by the thread of a simulation and its coroutines.
 */
final class Liveness extends ForwardingRecorder {
    /** A shared lock keeps the age of a sharer that has left while others stay, so the oldest may die until it closes the lock. */
    private static final int MAX_DEATHS_OF_THE_OLDEST = 20;

    private static final int MAX_VIOLATIONS = 5;

    private final Map<Transaction, Run> running = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private BooleanSupplier isWhole = () -> true;
    private int mostAttempts;
    private long longestNanos;

    /** A running transaction. */
    private static final class Run {
        private final long age;
        private int deaths;

        Run(long age) {
            this.age = age;
        }
    }

    /** Forwards everything to {@code next}, too. */
    Liveness(HistoryRecorder next) {
        super(next);
    }

    /**
     * Sets the check whether all nodes and links are up and have been. If one was down, locks may have holders that cannot release them yet.
     * Every transaction dies for such a holder until the holder releases its locks, or is out of the configuration.
     */
    void onlyWhile(BooleanSupplier newIsWhole) {
        isWhole = newIsWhole;
    }

    /** Runs a transaction to its end. Called on the transaction's coroutine. */
    Outcome run(TransactionRunner runner, Procedure procedure, LongSupplier virtualNanos) {
        long start = virtualNanos.getAsLong();
        Transaction txn = runner.transaction();
        try {
            return runner.run(new Watched(procedure));
        } finally {
            running.remove(txn);
            mostAttempts = Math.max(mostAttempts, txn.attempt() + 1);
            longestNanos = Math.max(longestNanos, virtualNanos.getAsLong() - start);
        }
    }

    /** A procedure whose attempts are recorded. */
    private final class Watched implements Procedure {
        private final Procedure procedure;

        Watched(Procedure procedure) {
            this.procedure = procedure;
        }

        @Override
        public Fragment fragment() {
            return procedure.fragment();
        }

        @Override
        public void declare(Transaction txn) {
            Run run = running.computeIfAbsent(txn, key -> new Run(txn.age()));
            if (run.age != txn.age()) {
                report("attempt " + (txn.attempt() + 1) + " of a transaction has another age than the first, "
                        + Timestamp.toString(txn.age()) + " and not " + Timestamp.toString(run.age));
            }
            procedure.declare(txn);
        }

        @Override
        public void execute(Transaction txn) {
            procedure.execute(txn);
        }
    }

    @Override
    public void attemptAborted(Transaction txn) {
        Run run = running.get(txn);
        if (run != null && txn.abortReason() == ConflictReasons.WAIT_DIE_DIED) {
            run.deaths = isOldest(run) && isWhole.getAsBoolean() ? run.deaths + 1 : 0;
            if (run.deaths > MAX_DEATHS_OF_THE_OLDEST) {
                run.deaths = 0;
                report("the oldest transaction, " + Timestamp.toString(run.age) + ", died " + MAX_DEATHS_OF_THE_OLDEST
                        + " times for younger ones");
            }
        }
        super.attemptAborted(txn);
    }

    private boolean isOldest(Run run) {
        return running.values().stream().noneMatch(other -> other != run && !Timestamp.isBefore(run.age, other.age));
    }

    /** The violations that count under all faults, each a sentence. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** The violations if no transaction had to wait for a lost node. */
    List<String> violations(int maxAttempts, long maxNanos) {
        List<String> all = new ArrayList<>(violations);
        if (mostAttempts > maxAttempts) {
            all.add(String.format(Locale.ROOT, "a transaction took %,d attempts", mostAttempts));
        }
        if (longestNanos > maxNanos) {
            all.add(String.format(Locale.ROOT, "a transaction took %,d us of virtual time", longestNanos / 1_000));
        }
        return all;
    }

    private void report(String violation) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(violation);
        }
    }
}
