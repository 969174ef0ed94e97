package dev.rcc.core.txn;

import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import java.util.Arrays;

/**
 * The messages between zones that the transactions of a worker have sent and waited for, as in redt, table 2: the mean and the maximum of the
 * attempts that committed, in all and by stage. The messages of aborted attempts are a sum. So are the messages that the worker has sent for no
 * transaction of its own: as a participant of other workers' transactions, or for many transactions at once. Used on its worker only; read it when
 * the worker rests.
 */
public final class CrossingMetrics {
    private long committed;
    private final CrossingTally transactions = new CrossingTally();
    private CrossingTally[] stages = {};
    private final Crossings aborted = new Crossings();
    private final Crossings shared = new Crossings();

    /** Nothing yet. */
    CrossingMetrics() {}

    /** Counts a finished attempt. */
    void attempted(Outcome outcome, AttemptCrossings attempt) {
        if (outcome != Outcome.COMMITTED) {
            for (Measure measure : Measure.values()) {
                aborted.add(measure, attempt.count(measure));
            }
            return;
        }
        committed++;
        for (Measure measure : Measure.values()) {
            transactions.record(measure, attempt.count(measure));
            for (int stage = 0; stage < attempt.stages(); stage++) {
                stage(stage).record(measure, attempt.count(stage, measure));
            }
        }
    }

    /** Attempts that committed and were counted. */
    public long committed() {
        return committed;
    }

    /** Adds transactions that were counted elsewhere; the caller adds their messages to the tallies. */
    public void addCommitted(long transactionsElsewhere) {
        committed += transactionsElsewhere;
    }

    /** The attempts that committed: each from its begin to its end. */
    public CrossingTally transactions() {
        return transactions;
    }

    /** The attempts that committed: each in one stage, however often it passed through the stage. */
    public CrossingTally stage(int stage) {
        while (stage >= stages.length) {
            stages = Arrays.copyOf(stages, stages.length + 1);
            stages[stages.length - 1] = new CrossingTally();
        }
        return stages[stage];
    }

    /** All stages in which something was counted are less than this number. */
    public int stages() {
        return stages.length;
    }

    /** The attempts that aborted, all together. */
    public Crossings aborted() {
        return aborted;
    }

    /** The messages that the worker has sent for no transaction of its own. */
    public Crossings shared() {
        return shared;
    }

    /** The mean of the transactions that committed; 0 if there is none. */
    public double mean(CrossingTally tally, Measure measure) {
        return perTransaction(tally.sum(measure));
    }

    /** A count per transaction that committed; 0 if there is none. */
    public double perTransaction(long count) {
        return committed == 0 ? 0 : (double) count / committed;
    }

    /** Adds another worker's counts. */
    void add(CrossingMetrics other) {
        committed += other.committed;
        transactions.add(other.transactions);
        for (int stage = 0; stage < other.stages.length; stage++) {
            stage(stage).add(other.stages[stage]);
        }
        for (Measure measure : Measure.values()) {
            aborted.add(measure, other.aborted.count(measure));
            shared.add(measure, other.shared.count(measure));
        }
    }

    /** Forgets everything. */
    void reset() {
        committed = 0;
        transactions.reset();
        for (CrossingTally stage : stages) {
            stage.reset();
        }
        aborted.reset();
        shared.reset();
    }
}
