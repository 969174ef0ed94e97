package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Reply;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's question about the outcome of a commit, as a transaction of its own. If it finds that the commit has not come, it writes a refusal. So
 * the two transactions meet at one record, and the one that is ordered second finds the write of the first. A question that may not refuse is aborted
 * then, and leaves nothing.
 */
final class OutcomeQuestion implements SlotUser {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeQuestion.class);

    private final OutcomeRecords records;
    private final CallResults results;
    private final OutcomeStore.Question question;
    private final long deadlineNanos;
    private final Consumer<Reply> listener;
    private boolean begun;
    private boolean over;

    /** A question that has come. */
    OutcomeQuestion(
            OutcomeRecords records,
            CallResults results,
            OutcomeStore.Question question,
            long deadlineNanos,
            Consumer<Reply> listener) {
        this.records = records;
        this.results = results;
        this.question = question;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    /**
     * The answer to a question.
     *
     * @param outcome the outcome of the question's own transaction; if it is aborted, nothing was found
     * @param reply the answer
     */
    record Answer(Outcome outcome, OutcomeIs reply) {}

    @Override
    public void run(TransactionRunner runner, Completion wakeUp) {
        if (over) {
            return;
        }
        begun = true;
        try {
            Answer answer = ask(runner, records, question);
            boolean isGivenUp = runner.transaction().abortReason() == AbortReason.USER_ABORT;
            answer(
                    answer.outcome() == Outcome.COMMITTED || isGivenUp
                            ? results.complete(question.id(), answer.reply())
                            : Failure.of(runner.transaction()).toReply());
        } catch (RuntimeException | Error e) {
            LOG.error("event=outcome_unknown: the outcome of a commit could not be looked up", e);
            answer(new Failure(ErrorCode.INTERNAL, "the server failed, its log says why: ask again").toReply());
        }
    }

    /** Looks for the outcome, on a coroutine. */
    static Answer ask(TransactionRunner runner, OutcomeRecords records, OutcomeStore.Question question) {
        Search search = new Search(new CommitRecord(records, question.id()), question);
        Outcome outcome = runner.run(search);
        // It has read the commit's write, so its timestamp is not before the commit's.
        boolean isCommitted = search.status == Status.COMMITTED && outcome == Outcome.COMMITTED;
        return new Answer(
                outcome,
                new OutcomeIs(
                        search.status,
                        isCommitted ? runner.transaction().commitTs() : 0,
                        isCommitted ? search.result : null));
    }

    private static final class Search implements Procedure {
        private final CommitRecord record;
        private final OutcomeStore.Question question;
        private Status status = Status.UNKNOWN;
        private Bytes result;

        Search(CommitRecord record, OutcomeStore.Question question) {
            this.record = record;
            this.question = question;
        }

        @Override
        public void declare(Transaction txn) {
            record.forgetAccess();
            record.declare(txn);
        }

        @Override
        public void execute(Transaction txn) {
            if (!record.isServed()) {
                txn.abort(AbortReason.INTENT_CHANGED);
                throw Rollback.INSTANCE;
            }
            long now = TimeUnit.NANOSECONDS.toMillis(txn.coroutine().worker().wallNanos());
            OutcomeEntry.State state = record.state(now);
            if (state == OutcomeEntry.State.COMMITTED) {
                status = Status.COMMITTED;
                result = record.result();
            } else if (record.isOutdated() || record.mayBeOverwritten(question.ageMillis())) {
                status = Status.UNKNOWN;
            } else if (state == OutcomeEntry.State.TAKEN) {
                status = record.isTakenForLong(now) ? Status.NOT_COMMITTED : Status.UNKNOWN;
            } else if (state == OutcomeEntry.State.FREE && !question.mayRefuse()) {
                status = Status.UNKNOWN;
                txn.abort();
            } else {
                status = Status.NOT_COMMITTED;
            }
            if (status == Status.NOT_COMMITTED && state == OutcomeEntry.State.FREE) {
                record.writeRefused(now);
            }
        }
    }

    @Override
    public void end(Failure ending) {
        if (!begun && !over) {
            answer(ending.toReply());
        }
    }

    @Override
    public void reap(long nowNanos) {
        if (nowNanos - deadlineNanos > 0) {
            end(new Failure(ErrorCode.OVERLOADED, "no coroutine was free to look for the commit's outcome: ask again"));
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    private void answer(Reply reply) {
        over = true;
        listener.accept(reply);
    }
}
