package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's question what became of a commit, as a transaction of its own. If it finds that the commit has not come, it writes so: then the two
 * meet at one record, and whichever is ordered second finds what the first has written.
 */
final class OutcomeQuestion implements Seated {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeQuestion.class);

    private final Connection connection;
    private final Frame request;
    private final long deadlineNanos;
    private boolean begun;
    private boolean over;

    /** A question that has come. */
    OutcomeQuestion(Connection connection, Frame request, long deadlineNanos) {
        this.connection = connection;
        this.request = request;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * What was found.
     *
     * @param outcome that of the transaction which has looked; if it is aborted, nothing was found
     * @param reply the answer
     */
    record Answer(Outcome outcome, OutcomeIs reply) {}

    @Override
    public void run(TransactionRunner runner, Completion wakeUp) {
        if (over) {
            return;
        }
        begun = true;
        Message.AskOutcome question = (Message.AskOutcome) request.message();
        try {
            Answer answer = ask(runner, connection.outcomeRecords(), question.id(), question.ageMillis());
            answer(
                    answer.outcome() == Outcome.COMMITTED
                            ? connection.results().complete(question.id(), answer.reply())
                            : Session.endingOf(runner.transaction().abortReason())
                                    .toReply());
        } catch (RuntimeException | Error e) {
            LOG.error("a commit's outcome could not be looked for", e);
            answer(new Ending(ErrorCode.INTERNAL, "the server failed, its log says why: ask again").toReply());
        }
    }

    /** Looks on a coroutine; {@code ageMillis} is how long ago the commit was sent. */
    static Answer ask(TransactionRunner runner, OutcomeRecords records, CommitId id, long ageMillis) {
        Search search = new Search(new CommitRecord(records, id), ageMillis);
        Outcome outcome = runner.run(search);
        // It has read what the commit has written, so its timestamp is not before the commit's.
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
        private final long ageMillis;
        private Status status = Status.UNKNOWN;
        private Bytes result;

        Search(CommitRecord record, long ageMillis) {
            this.record = record;
            this.ageMillis = ageMillis;
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
            long now = System.currentTimeMillis();
            CommitRecord.State state = record.state(now);
            if (state == CommitRecord.State.COMMITTED) {
                status = Status.COMMITTED;
                result = record.result();
            } else if (record.isOutdated() || record.mayBeOverwritten(ageMillis)) {
                status = Status.UNKNOWN;
            } else if (state == CommitRecord.State.TAKEN) {
                status = record.isTakenForLong(now) ? Status.NOT_COMMITTED : Status.UNKNOWN;
            } else {
                status = Status.NOT_COMMITTED;
            }
            if (status == Status.NOT_COMMITTED && state == CommitRecord.State.FREE) {
                record.write(OutcomeRecords.REFUSED, null, now);
            }
        }
    }

    @Override
    public void end(Ending ending) {
        if (!begun && !over) {
            answer(ending.toReply());
        }
    }

    @Override
    public void reap(long nowNanos) {
        if (nowNanos - deadlineNanos > 0) {
            end(new Ending(ErrorCode.OVERLOADED, "no coroutine was free to look for the commit's outcome: ask again"));
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }

    private void answer(Message.Reply reply) {
        over = true;
        connection.send(new Frame(request.request(), reply), true);
    }
}
