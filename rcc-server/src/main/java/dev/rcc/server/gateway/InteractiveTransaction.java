package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A transaction whose client sends one request after the other. It reads when the client asks, and writes when the client commits.
 *
 * <p>A procedure runs again for every attempt; a client does not. So the client's observations outlive the attempt. The next attempt makes all of
 * them again, and goes on only if they are the same. Then the client cannot tell that there was another attempt. If they differ, the transaction
 * has ended, and only the client can begin it again. This works with every protocol. A locking protocol holds its locks between the requests, and
 * an optimistic protocol validates at the end. CALVIN must know all keys before it locks any: it runs up to the commit as a reconnaissance, and
 * then once more with all keys declared.
 */
final class InteractiveTransaction extends ClientTransaction implements Procedure {
    /** A client's request, the client's number of it, and its size. */
    private record Pending(int request, Request what, RequestSize size) {
        Pending(int request, Request what) {
            this(request, what, RequestSize.of(what));
        }
    }

    /** Requests without an answer, in the order in which they came. */
    private final Deque<Pending> requests = new ArrayDeque<>();
    /** The bytes that they bring to be written. */
    private long unwritten;

    private boolean readsHeld = true;
    /** The outcome entry of the commit; made when the commit is met. */
    private OutcomeEntry entry;

    InteractiveTransaction(ClientSession session, TransactionTerms terms, long number) {
        super(session, terms, number);
    }

    @Override
    Procedure procedure() {
        return this;
    }

    @Override
    OutcomeEntry outcomeEntry() {
        return entry;
    }

    // ---- requests --------------------------------------------------------------------------------------------------

    /** A request has come. */
    void offer(int request, Request what) {
        OutcomeIs before =
                what instanceof Request.Commit commit ? outcomes().arrived(commit.id(), worker().nanoTime()) : null;
        Pending arrived = new Pending(request, what);
        if (before != null) {
            answerBefore(request, before);
        } else if (isOver() || (hasFailed() && what instanceof Operation)) {
            refuse(arrived, whyRefused()); // a commit or abort is answered when the transaction has ended
        } else {
            add(arrived);
        }
    }

    private void add(Pending arrived) {
        requests.add(arrived);
        unwritten += arrived.size().written();
        session().requestWaits(arrived.size());
        Failure excess = excess(arrived.what());
        if (excess != null) {
            end(excess);
        } else if (isNew()) {
            begin(arrived.what());
        } else {
            requestCame();
        }
    }

    /** Why the requests without an answer, of which this is the last, are too many or too large; or null. */
    private Failure excess(Request last) {
        Message.Limits limits = session().core().options().limits();
        if (requests.size() > limits.pipelined()) {
            return new Failure(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a transaction may have " + limits.pipelined() + " requests without an answer: wait for some");
        }
        if (unwritten > limits.transactionBytes()) {
            return RecordBuffer.tooMuchWritten(limits);
        }
        // A transaction that has a slot may go on to its end, which frees the slot for those that wait.
        return last instanceof Operation && !hasSlot() ? session().overload() : null;
    }

    /** A transaction that has done nothing needs no slot to end. */
    private void begin(Request first) {
        switch (first) {
            case Request.Commit commit -> conclude(Outcome.COMMITTED, 0);
            case Request.Abort abort -> conclude(Outcome.ABORTED, 0);
            case Operation operation -> queue();
        }
    }

    private void answerBefore(int request, OutcomeIs before) {
        end(new Failure(ErrorCode.CONFLICT, "the commit's outcome was known before it came"));
        Message.Reply reply = before.status() == Status.COMMITTED
                ? new Message.Committed(before.commitTs())
                : Failure.known(before.status()).toReply();
        session().answers().answer(request, reply);
    }

    /** The first request without an answer; waits for it. Null when the transaction is to end without effect. */
    private Request head() {
        while (requests.isEmpty() && !hasFailed()) {
            awaitRequest();
        }
        return hasFailed() ? null : requests.peek().what();
    }

    /** Takes the first request, which is being answered. */
    private Pending take() {
        Pending first = requests.remove();
        unwritten -= first.size().written();
        session().requestLeaves(first.size());
        return first;
    }

    /** Answers the first request; waits while the client does not read. */
    private void answer(Message.Reply reply) {
        Pending request = take();
        session().answers().answer(request.request(), reply);
        awaitReader();
    }

    // ---- an attempt ------------------------------------------------------------------------------------------------

    /** Declares the known keys if the client's next request is the commit. Otherwise it does not: locks are not held for a client without need. */
    @Override
    public void declare(Transaction txn) {
        attempt(txn);
        records().forgetAccesses();
        if (entry != null) {
            entry.forgetAccess();
        }
        if (!isEnding() && head() instanceof Request.Commit commit) {
            records().declare(txn);
            entryOf(commit).declare(txn);
        }
    }

    /** The entry for the commit to declare and write. */
    private OutcomeEntry entryOf(Request.Commit commit) {
        if (entry == null) {
            entry = outcomes().entry(commit.id());
        }
        return ifLeft(entry);
    }

    @Override
    public void execute(Transaction txn) {
        if (isEnding()) {
            txn.abort();
            return;
        }
        boolean isSame = records().readAgain(txn);
        if (!isSame && !(head() instanceof Request.Abort)) {
            txn.abort(AbortReason.READS_CHANGED);
            throw Rollback.INSTANCE;
        }
        readsHeld = isSame;
        while (true) {
            switch (head()) {
                case null -> {
                    txn.abort();
                    return;
                }
                case Request.Abort abort -> {
                    txn.abort();
                    return;
                }
                case Request.Commit commit -> {
                    prepareCommit(txn, entryOf(commit), null);
                    return;
                }
                case Operation.Scan scan -> scan(txn, scan);
                case Operation.OnKey onKey -> operate(txn);
            }
        }
    }

    /**
     * Carries out all operations on single keys that have come, with one fetch. If the commit has come, too, its outcome entry is fetched along.
     * But if all operations write without reading, nothing is fetched before the commit.
     */
    private void operate(Transaction txn) {
        int opened = 0;
        boolean fetches = false;
        Failure refusal = null;
        for (Pending request : requests) {
            if (request.what() instanceof Request.Commit commit && fetches) {
                entryOf(commit).declare(txn);
            }
            if (!(request.what() instanceof Operation.OnKey operation)) {
                break;
            }
            refusal = records().refusal(operation);
            if (refusal != null) {
                break;
            }
            records().open(txn, operation);
            opened++;
            fetches |= !(operation instanceof Operation.Put);
        }
        records().fetch(txn);
        for (; opened > 0 && !isEnding(); opened--) {
            serve((Operation.OnKey) head());
        }
        if (refusal != null && !isEnding()) {
            end(refusal); // it was not opened, so it stays refused whatever roles the user has by now
        }
    }

    /** Serves an operation that is open and fetched. Its user may have lost a role meanwhile. */
    private void serve(Operation.OnKey operation) {
        Failure refusal = records().refusal(operation);
        if (refusal == null) {
            refusal = records().tooLate(operation);
        }
        if (refusal == null) {
            answer(records().serve(operation));
        } else {
            end(refusal);
        }
    }

    private void scan(Transaction txn, Operation.Scan scan) {
        Failure refusal = records().refusal(scan);
        if (refusal != null) {
            end(refusal);
        } else {
            answer(records().scan(txn, scan));
        }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    Failure whyAborted(Transaction txn) {
        boolean isWish = !requests.isEmpty()
                && requests.peek().what() instanceof Request.Abort
                && txn.abortReason() == AbortReason.USER_ABORT; // with another reason, the reads were not checked
        return isWish ? null : Failure.of(txn);
    }

    @Override
    void answerCommitted(long commitTs) {
        Pending commit = take();
        commitEnded(idOf(commit), true, commitTs);
        session().answers().answer(commit.request(), new Message.Committed(commitTs));
    }

    @Override
    void answerKnown(OutcomeIs outcome) {
        answerCommitted(outcome.commitTs());
    }

    @Override
    void refuseRest(Failure why) {
        while (!requests.isEmpty()) {
            refuse(take(), why);
        }
    }

    private void refuse(Pending request, Failure why) {
        commitEnded(idOf(request), false, 0);
        session()
                .answers()
                .answer(
                        request.request(),
                        request.what() instanceof Request.Abort
                                ? new Message.Aborted(readsHeld && !isUnchecked())
                                : why.toReply());
    }

    /**
     * Whether the transaction has failed, so that its reads were not checked, and another attempt may come out otherwise. If each attempt would
     * fail, the client need not begin again to find out.
     */
    private boolean isUnchecked() {
        ErrorCode code = whyRefused().code();
        return hasFailed() && (code.isRetryable() || code == ErrorCode.DEADLINE_EXCEEDED);
    }

    private static CommitId idOf(Pending request) {
        return request.what() instanceof Request.Commit commit ? commit.id() : CommitId.NONE;
    }
}
