package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's open transaction: its requests in the order in which they came, and where it stands. From its first request that
 * needs data to its end it has a coroutine. All but the constructor is called on its worker.
 */
final class Session implements Seated, InteractiveProcedure.Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** Why a call that has committed cannot be answered again. */
    static final Ending RESULT_FORGOTTEN = new Ending(
            ErrorCode.RESULT_LOST,
            "the procedure has committed, and its result is forgotten: read what it has written");

    private final Connection connection;
    private final Worker worker;
    private final Seats seats;
    private final Message.Limits limits;
    private final Outcomes outcomes;
    private final long minCommitTs;
    private final InteractiveProcedure procedure;
    /** What runs instead, if this is a call of a stored procedure. */
    private StoredCall<?, ?> stored;

    private final long deadlineNanos;
    private final long idleNanos;
    private final Deque<Frame> requests = new ArrayDeque<>();
    private Completion wakeUp;
    private boolean admitted;
    private boolean waitsForRequest;
    private boolean waitsForReader;
    private long waitingSinceNanos;
    private boolean committing;
    private boolean concluded;
    private Ending ending;

    Session(
            Connection connection,
            Worker worker,
            Seats seats,
            Message.Begin begin,
            Message.Limits limits,
            Permissions permissions) {
        this.connection = connection;
        this.worker = worker;
        this.seats = seats;
        this.limits = limits;
        this.outcomes = connection.outcomes();
        this.minCommitTs = begin.minCommitTs();
        this.procedure = new InteractiveProcedure(
                this,
                connection.catalog(),
                connection.outcomeRecords(),
                permissions,
                limits,
                begin.readOnly(),
                begin.minCommitTs());
        int millis = Math.min(begin.timeoutMillis(), limits.lifetimeMillis());
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(limits.idleMillis());
    }

    /** A call of a stored procedure, which is the only request. */
    Session(
            Connection connection,
            Worker worker,
            Seats seats,
            Message.Call call,
            StoredProcedure<?, ?> procedure,
            Message.Limits limits,
            Permissions permissions) {
        this(
                connection,
                worker,
                seats,
                new Message.Begin(0, call.readOnly(), call.timeoutMillis(), call.minCommitTs()),
                limits,
                permissions);
        this.stored = new StoredCall<>(this, connection, permissions, limits, procedure, call);
    }

    // ---- from the connection and the reaper ------------------------------------------------------------------------

    /** A request has come. */
    void offer(Frame request) {
        if (concluded) {
            refuse(request);
            return;
        }
        requests.add(request);
        if (requests.size() > limits.pipelined()) {
            end(new Ending(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a transaction may have " + limits.pipelined() + " requests without an answer: wait for some"));
        } else if (!admitted) {
            begin(request);
        } else if (waitsForRequest) {
            resume();
        }
    }

    /** A transaction that has done nothing needs no coroutine to end. */
    private void begin(Frame request) {
        admitted = true;
        switch (request.message()) {
            case Message.Commit commit -> conclude(Outcome.COMMITTED, 0);
            case Message.Abort abort -> conclude(Outcome.ABORTED, 0);
            default -> seats.admit(this);
        }
    }

    /** The transaction is to end without effect, as soon as it can; unless it is being committed. */
    @Override
    public void end(Ending newEnding) {
        if (concluded || ending != null || committing) {
            return;
        }
        ending = newEnding;
        if (wakeUp == null) {
            conclude(Outcome.ABORTED, 0); // it never had a coroutine
        } else if (waitsForRequest || waitsForReader) {
            resume();
        }
    }

    /** Looks whether the transaction has used up its time or its client's. */
    @Override
    public void reap(long nowNanos) {
        if (nowNanos - deadlineNanos > 0) {
            end(new Ending(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "the transaction has used up its time and was aborted: give it more, or let it do less"));
        } else if (waitsForRequest && nowNanos - waitingSinceNanos > idleNanos) {
            end(new Ending(
                    ErrorCode.TRANSACTION_EXPIRED,
                    "the transaction was aborted because it waited for its client for " + limits.idleMillis()
                            + " ms: begin again, and do not wait for people within a transaction"));
        }
    }

    /** The connection takes answers again. */
    void writable() {
        if (waitsForReader) {
            resume();
        }
    }

    /** Whether the transaction has ended. */
    @Override
    public boolean isOver() {
        return concluded;
    }

    private void resume() {
        waitsForRequest = false;
        waitsForReader = false;
        wakeUp.succeed();
    }

    // ---- on the coroutine ------------------------------------------------------------------------------------------

    /** Runs the transaction to its end. */
    @Override
    public void run(TransactionRunner runner, Completion newWakeUp) {
        if (concluded) {
            return;
        }
        wakeUp = newWakeUp;
        Transaction txn = runner.transaction();
        long latest = runner.latestCommitTs();
        if (minCommitTs > latest) {
            fail(new Ending(
                    ErrorCode.BAD_REQUEST,
                    "the least commit timestamp must be one that this cluster has told, by now at most " + latest
                            + ", got " + minCommitTs));
            return;
        }
        try {
            Outcome outcome = runner.run(stored != null ? stored : procedure);
            if (outcome == Outcome.ABORTED && ending == null && verdict() != null) {
                judged(runner);
                return;
            }
            if (outcome == Outcome.ABORTED && ending == null && hasGivenUp(txn)) {
                ending = stored.failure();
            }
            if (outcome == Outcome.ABORTED && ending == null && !isAbortRequested()) {
                ending = endingOf(txn.abortReason());
            }
            conclude(outcome, txn.commitTs());
        } catch (TransactionTooLarge e) {
            fail(new Ending(ErrorCode.LIMIT_EXCEEDED, e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error("a client's transaction failed; it has had no effect", e);
            fail(new Ending(
                    ErrorCode.INTERNAL, "the server failed, its log says why; the transaction has had no effect"));
        }
    }

    /** The commit's outcome was decided before it came: it is answered so, and not carried out. */
    private void judged(TransactionRunner runner) {
        switch (verdict()) {
            case COMMITTED -> {
                CommitId id = idOf(requests.peek());
                OutcomeQuestion.Answer answer = OutcomeQuestion.ask(runner, connection.outcomeRecords(), id, 0);
                if (answer.outcome() != Outcome.COMMITTED) {
                    fail(endingOf(runner.transaction().abortReason()));
                } else if (stored == null) {
                    conclude(Outcome.COMMITTED, answer.reply().commitTs());
                } else {
                    answerAgain(connection.results().complete(id, answer.reply()));
                }
            }
            case TAKEN ->
                fail(new Ending(
                        ErrorCode.OUTCOME_SLOT_TAKEN,
                        "the place of the commit's outcome is in use: name the commit by another slot"));
            default ->
                fail(new Ending(
                        ErrorCode.CONFLICT,
                        "the commit's outcome was asked for before it came, so it is refused: begin again"));
        }
    }

    private CommitRecord.State verdict() {
        return stored != null ? stored.verdict() : procedure.verdict();
    }

    /** Answers a call that was carried out before, if it is known what it has returned. */
    private void answerAgain(Message.OutcomeIs before) {
        if (before.result() == null) {
            fail(RESULT_FORGOTTEN);
            return;
        }
        concluded = true;
        connection.concluded(this);
        Message.Returned returned = new Message.Returned(before.commitTs(), before.result());
        connection.send(new Frame(requests.remove().request(), returned), true);
    }

    /** Whether a stored procedure has thrown, for reads that held. */
    private boolean hasGivenUp(Transaction txn) {
        return stored != null && stored.failure() != null && txn.abortReason() == AbortReason.USER_ABORT;
    }

    private void fail(Ending failure) {
        ending = failure;
        conclude(Outcome.ABORTED, 0);
    }

    @Override
    public Frame head() {
        while (requests.isEmpty() && ending == null) {
            awaitEvent(() -> waitsForRequest = true);
        }
        return ending == null ? requests.peek() : null;
    }

    @Override
    public Iterable<Frame> queued() {
        return requests;
    }

    @Override
    public boolean isEnding() {
        if (ending == null && !committing) {
            reap(worker.nanoTime());
        }
        return ending != null;
    }

    @Override
    public void answer(Message.Reply reply) {
        Frame request = requests.remove();
        boolean followed = !requests.isEmpty() && requests.peek().message() instanceof Message.Operation;
        connection.send(new Frame(request.request(), reply), !followed || reply instanceof Message.Records);
        while (!connection.isWritable() && ending == null) {
            awaitEvent(() -> waitsForReader = true);
        }
    }

    @Override
    public void reject(Ending why) {
        end(why);
    }

    @Override
    public void committing() {
        committing = true;
    }

    @Override
    public void notCommitting() {
        committing = false;
    }

    private void awaitEvent(Runnable setFlag) {
        waitingSinceNanos = worker.nanoTime();
        wakeUp.add();
        setFlag.run();
        if (connection.isWritable() && waitsForReader) {
            resume(); // it has become so since we looked, and nobody knew that we would wait
        }
        wakeUp.await();
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    private boolean isAbortRequested() {
        return !requests.isEmpty() && requests.peek().message() instanceof Message.Abort;
    }

    /** Answers what is left, and whatever comes from now on. */
    private void conclude(Outcome outcome, long commitTs) {
        concluded = true;
        committing = false;
        connection.concluded(this);
        if (outcome == Outcome.COMMITTED) {
            Frame commit = requests.remove();
            Message.Reply reply = new Message.Committed(commitTs);
            if (commit.message() instanceof Message.Call call) {
                Message.Returned returned = new Message.Returned(commitTs, stored.result());
                if (!call.id().equals(CommitId.NONE)) {
                    connection.results().put(call.id(), returned);
                }
                reply = returned;
            }
            settle(commit, true, commitTs);
            connection.send(new Frame(commit.request(), reply), true);
        }
        while (!requests.isEmpty()) {
            refuse(requests.remove());
        }
    }

    private void refuse(Frame request) {
        settle(request, false, 0);
        if (request.message() instanceof Message.Abort) {
            connection.send(new Frame(request.request(), new Message.Aborted(procedure.readsHeld())), true);
        } else {
            Ending why = ending != null
                    ? ending
                    : new Ending(ErrorCode.NO_SUCH_TRANSACTION, "the transaction has ended: begin another one");
            connection.send(new Frame(request.request(), why.toReply()), true);
        }
    }

    private static CommitId idOf(Frame request) {
        return switch (request.message()) {
            case Message.Commit commit -> commit.id();
            case Message.Call call -> call.id();
            default -> CommitId.NONE;
        };
    }

    private void settle(Frame request, boolean committed, long commitTs) {
        CommitId id = idOf(request);
        if (connection.outcomeRecords() == null && !id.equals(CommitId.NONE)) {
            outcomes.end(id, committed, commitTs);
        }
    }

    /** What a client is told of a transaction that the protocol has aborted for good. */
    static Ending endingOf(AbortReason reason) {
        return switch (reason) {
            case PEER_UNREACHABLE ->
                new Ending(
                        ErrorCode.UNAVAILABLE,
                        reason.code(),
                        "a node that holds some of the records cannot be reached: try again later");
            case NODE_DRAINING ->
                new Ending(
                        ErrorCode.UNAVAILABLE,
                        reason.code(),
                        "the gateway's node is being stopped and takes no new transactions: use another one");
            case NO_MAJORITY ->
                new Ending(
                        ErrorCode.UNAVAILABLE,
                        reason.code(),
                        "the gateway's node is cut off from most others, which may go on without it: use another one");
            case TABLE_FULL ->
                new Ending(
                        ErrorCode.TABLE_FULL,
                        reason.code(),
                        "a table has no room for another key: delete records, or give the table a larger capacity");
            case LOGICAL_TIME_EXHAUSTED ->
                new Ending(
                        ErrorCode.INTERNAL,
                        reason.code(),
                        "a record that the transaction has met can be written no more, since logical time is at its"
                                + " end: write under another key");
            default ->
                new Ending(
                        ErrorCode.CONFLICT,
                        reason.code(),
                        "the transaction met others that it cannot be ordered with (" + reason
                                + ") and has had no effect: begin again");
        };
    }
}
