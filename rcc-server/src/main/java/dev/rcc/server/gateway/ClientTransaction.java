package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's transaction, from its beginning to its answer. It has a {@linkplain TransactionSlots slot} from its first operation on data to its
 * end. All methods except the constructor are called on its worker.
 *
 * <pre>
 *  OPEN ----> QUEUED ----> RUNNING <----> AWAITING_REQUEST
 *   |         | ^ |        | ^  |  <----> AWAITING_READER
 *   |         v | |        v |  |
 *   |   HELD_BACK |    COMMITTING |
 *   +---------+---+--------+------+----> ENDED
 * </pre>
 */
abstract class ClientTransaction implements SlotUser {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTransaction.class);

    /** Why a commit that has taken effect before cannot be answered as the first time. */
    private static final Failure ANSWER_LOST = new Failure(
            ErrorCode.RESULT_LOST,
            "the commit has come before and has taken effect, but its answer cannot be looked up now: ask for its"
                    + " outcome");

    /** The state of a transaction. */
    private enum State {
        /** It has begun, and no request has come yet. */
        OPEN,
        /** It waits for a slot. */
        QUEUED,
        /** It has left its slot to others until the client reads its answers. */
        HELD_BACK,
        /** Its coroutine runs it. */
        RUNNING,
        /** Its coroutine waits for the client's next request. */
        AWAITING_REQUEST,
        /** Its coroutine waits for the client to read its answers. */
        AWAITING_READER,
        /** It is being committed, and cannot be ended from outside any more, unless the attempt fails. */
        COMMITTING,
        /** It has ended, and the client was answered. */
        ENDED
    }

    private final ClientSession session;
    private final TransactionTerms terms;
    private final long number;
    private final OutcomeStore outcomes;
    private final RecordBuffer records;

    private State state = State.OPEN;
    private long deadlineNanos;
    private long waitingSinceNanos;
    private Completion wakeUp;
    /** The transaction of the present attempt. */
    private Transaction attempt;
    /** Why it is to end, or has ended, without effect; or null. */
    private Failure failure;
    /** The known outcome of the commit, if it was decided before the commit came; otherwise null. */
    private OutcomeEntry.State knownOutcome;
    /** Whether its commit leaves an outcome; once true, always true. */
    private boolean leavesOutcome;

    /**
     * A transaction that has just begun.
     *
     * @param number its number in its session
     */
    ClientTransaction(ClientSession session, TransactionTerms terms, long number) {
        this.session = session;
        this.terms = terms;
        this.number = number;
        this.outcomes = session.core().outcomes();
        this.records = new RecordBuffer(
                session.core().node().catalog(),
                outcomes,
                session.permissions(),
                session.core().options().limits(),
                session.slots().forecast(),
                terms.readOnly());
    }

    // ---- for subclasses -------------------------------------------------------------------------------------------

    /** The procedure that is run for it. */
    abstract Procedure procedure();

    /** The outcome entry of its commit, which is being carried out. */
    abstract OutcomeEntry outcomeEntry();

    /** Why the protocol has aborted it without another attempt, as the answer to its client; null if the client wanted the abort. */
    abstract Failure whyAborted(Transaction txn);

    /** Answers the commit, which has taken effect. */
    abstract void answerCommitted(long commitTs);

    /** Answers the commit, which had taken effect before this request came. */
    abstract void answerKnown(OutcomeIs outcome);

    /** Answers all requests that have no answer yet: they have no effect. */
    abstract void refuseRest(Failure why);

    // ---- the beginning ---------------------------------------------------------------------------------------------

    /** Starts its time. */
    void open() {
        int millis = Math.min(
                terms.timeoutMillis(), session.core().options().limits().lifetimeMillis());
        deadlineNanos = worker().nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Asks for a slot. */
    final void queue() {
        state = State.QUEUED;
        session.slots().admit(this);
    }

    // ---- from the session and the reaper ---------------------------------------------------------------------------

    /** Ends the transaction without effect, as soon as it can end, unless it is being committed. */
    @Override
    public final void end(Failure why) {
        if (failure != null) {
            return;
        }
        switch (state) {
            case OPEN, QUEUED, HELD_BACK -> {
                failure = why;
                conclude(Outcome.ABORTED, 0);
            }
            case RUNNING -> failure = why; // the coroutine looks for it
            case AWAITING_REQUEST, AWAITING_READER -> {
                failure = why;
                resume();
            }
            case COMMITTING, ENDED -> {}
        }
    }

    @Override
    public final void endAttempt() {
        if (state == State.AWAITING_REQUEST || state == State.AWAITING_READER) {
            resume(); // it gives up the attempt before it waits again
        }
    }

    /** Ends the transaction if it has used up its time, or has waited for its client for too long. */
    @Override
    public final void reap(long nowNanos) {
        int idleMillis = session.core().options().limits().idleMillis();
        if (nowNanos - deadlineNanos > 0) {
            end(new Failure(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "the transaction has used up its time and was aborted: give it more, or let it do less"));
        } else if (state == State.AWAITING_REQUEST
                && nowNanos - waitingSinceNanos > TimeUnit.MILLISECONDS.toNanos(idleMillis)) {
            end(new Failure(
                    ErrorCode.TRANSACTION_EXPIRED,
                    "the transaction was aborted because it waited for its client for " + idleMillis
                            + " ms: begin again, and do not wait for people within a transaction"));
        }
    }

    /** The client reads its answers again. */
    final void writable() {
        if (state == State.AWAITING_READER) {
            resume();
        } else if (state == State.HELD_BACK) {
            queue();
        }
    }

    @Override
    public final boolean isOver() {
        return state == State.ENDED;
    }

    /** Whether it has begun, and no request has come yet. */
    final boolean isNew() {
        return state == State.OPEN;
    }

    /** Whether its coroutine has begun to run it. */
    final boolean hasSlot() {
        return state != State.OPEN && state != State.QUEUED && state != State.HELD_BACK;
    }

    /** A request has come, for which the coroutine may wait. */
    final void requestCame() {
        if (state == State.AWAITING_REQUEST) {
            resume();
        }
    }

    private void resume() {
        state = State.RUNNING;
        wakeUp.succeed();
    }

    // ---- on the coroutine ------------------------------------------------------------------------------------------

    /**
     * Runs the transaction to its end. But if the client does not read its answers, the transaction is held back: its answer would have to be kept,
     * and others can use the slot.
     */
    @Override
    public final void run(TransactionRunner runner, Completion newWakeUp) {
        if (state == State.ENDED) {
            return;
        }
        if (!session.answers().isWritable()) {
            state = State.HELD_BACK;
            return;
        }
        state = State.RUNNING;
        wakeUp = newWakeUp;
        long latest = runner.latestCommitTs();
        if (terms.minCommitTs() > latest) {
            fail(new Failure(
                    ErrorCode.BAD_REQUEST,
                    "the least commit timestamp must be one that this cluster has issued, by now at most " + latest
                            + ", got " + terms.minCommitTs()));
            return;
        }
        try {
            ended(runner, runner.run(procedure()));
        } catch (TransactionTooLarge e) {
            fail(new Failure(ErrorCode.LIMIT_EXCEEDED, e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error("event=transaction_failed: a client's transaction failed and has had no effect", e);
            fail(new Failure(
                    ErrorCode.INTERNAL, "the server failed, its log says why; the transaction has had no effect"));
        }
    }

    private void ended(TransactionRunner runner, Outcome outcome) {
        Transaction txn = runner.transaction();
        boolean isKnown = knownOutcome == OutcomeEntry.State.COMMITTED || (knownOutcome != null && failure == null);
        if (outcome == Outcome.ABORTED && isKnown) {
            endedBefore(runner);
            return;
        }
        if (outcome == Outcome.ABORTED && failure == null) {
            failure = whyAborted(txn);
        }
        conclude(outcome, txn.commitTs());
    }

    /** Answers a commit whose outcome was decided before it came; the commit is not carried out. */
    private void endedBefore(TransactionRunner runner) {
        switch (knownOutcome) {
            case COMMITTED -> {
                OutcomeQuestion.Answer answer = outcomeEntry().find(runner);
                if (answer.outcome() == Outcome.COMMITTED) {
                    conclude(() -> answerKnown(answer.reply()));
                } else {
                    fail(ANSWER_LOST);
                }
            }
            case TAKEN ->
                fail(new Failure(
                        ErrorCode.OUTCOME_SLOT_TAKEN,
                        "the place of the commit's outcome is in use: name the commit by another slot"));
            default -> fail(Failure.known(Status.NOT_COMMITTED));
        }
    }

    private void fail(Failure why) {
        failure = why;
        conclude(Outcome.ABORTED, 0);
    }

    // ---- for procedures, on the coroutine --------------------------------------------------------------------------

    /** The records that it has read and will write. */
    final RecordBuffer records() {
        return records;
    }

    final OutcomeStore outcomes() {
        return outcomes;
    }

    /**
     * Whether its commit leaves an outcome. A transaction that was begun to read only leaves none. If its user may change nothing, it leaves one only
     * if it has written something while the user might. So readers take no places of those that need them.
     */
    final boolean leavesOutcome() {
        leavesOutcome |= (!terms.readOnly() && session.permissions().mayChangeSomething()) || records.isWriting();
        return leavesOutcome;
    }

    /** The given entry of its commit, or none if the commit leaves no outcome. */
    final OutcomeEntry ifLeft(OutcomeEntry entry) {
        return leavesOutcome() ? entry : OutcomeEntry.NONE;
    }

    /** The commit, which was allowed to go on, has ended. Called before any client gets the outcome. */
    final void commitEnded(CommitId id, boolean committed, long commitTs) {
        if (leavesOutcome()) {
            outcomes.ended(id, committed, commitTs);
        } else {
            outcomes.forget(id);
        }
    }

    final ClientSession session() {
        return session;
    }

    /** Its number in its session. */
    final long number() {
        return number;
    }

    final Worker worker() {
        return session.slots().worker();
    }

    /** An attempt begins: the transaction can be ended from outside. */
    final void attempt(Transaction txn) {
        if (state == State.COMMITTING) {
            state = State.RUNNING;
        }
        attempt = txn;
        txn.minCommitTs(terms.minCommitTs());
    }

    /** Whether the transaction is to end without effect. */
    final boolean isEnding() {
        if (failure == null && state != State.COMMITTING) {
            reap(worker().nanoTime());
        }
        return failure != null;
    }

    /** Whether the transaction is known to end without effect; does not look at its time. */
    final boolean hasFailed() {
        return failure != null;
    }

    /** Waits until the client sends a request, or the transaction is to end. */
    final void awaitRequest() {
        await(State.AWAITING_REQUEST);
    }

    /** Waits while the client does not read its answers. */
    final void awaitReader() {
        while (!session.answers().isWritable() && failure == null) {
            await(State.AWAITING_READER);
        }
    }

    /**
     * Waits for the client, within an attempt. While the nodes change to another configuration, gives up the attempt, for which they would wait; the
     * next one does everything again that the client has seen.
     */
    private void await(State waiting) {
        if (session.slots().mustAttemptsEnd()) {
            attempt.abort(AbortReason.RECONFIGURED);
            throw Rollback.INSTANCE;
        }
        waitingSinceNanos = worker().nanoTime();
        wakeUp.add();
        state = waiting;
        if (waiting == State.AWAITING_READER && session.answers().isWritable()) {
            resume(); // it became writable after the check, before the reader saw that this waits
        }
        wakeUp.await();
    }

    /**
     * Writes the client's changes to the records, or has another attempt declare the intents that they need. If the outcome of the commit was
     * decided before it came, the attempt is aborted.
     *
     * @param result the result of a call, which is kept with the commit's outcome, or null
     */
    final void prepareCommit(Transaction txn, OutcomeEntry entry, Bytes result) {
        records.declare(txn);
        entry.declare(txn);
        txn.fetch();
        boolean isEntryServed = entry.isServed();
        if (!records.isServed() || !isEntryServed) {
            RecordBuffer.tryAgain(txn);
        }
        long now = wallMillis();
        OutcomeEntry.State found = entry.state(now);
        if (found != OutcomeEntry.State.FREE) {
            knownOutcome = found;
            txn.abort();
            return;
        }
        entry.writeCommitted(result, now);
        records.apply();
        state = State.COMMITTING;
    }

    /**
     * Looks whether a commit that is given up had taken effect before it came. Then it has come a second time, and the outcome of the first time
     * counts.
     */
    final void giveUpCommit(Transaction txn, OutcomeEntry entry) {
        entry.declare(txn);
        txn.fetch();
        if (!entry.isServed()) {
            RecordBuffer.tryAgain(txn);
        }
        OutcomeEntry.State found = entry.state(wallMillis());
        if (found == OutcomeEntry.State.COMMITTED) {
            knownOutcome = found;
        }
    }

    private long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(worker().wallNanos());
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** Ends it, and answers all requests that are left; later requests are refused. */
    final void conclude(Outcome outcome, long commitTs) {
        conclude(() -> {
            if (outcome == Outcome.COMMITTED) {
                answerCommitted(commitTs);
            }
        });
    }

    /** Ends it with a given answer to the commit. */
    private void conclude(Runnable answer) {
        state = State.ENDED;
        session.concluded(number);
        answer.run();
        refuseRest(whyRefused());
    }

    /** Why a request of a transaction that has ended is not carried out. */
    final Failure whyRefused() {
        return failure != null
                ? failure
                : new Failure(ErrorCode.NO_SUCH_TRANSACTION, "the transaction has ended: begin another one");
    }
}
