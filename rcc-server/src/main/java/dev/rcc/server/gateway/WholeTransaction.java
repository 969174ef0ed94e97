package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.client.wire.Message.Status;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;

/**
 * A transaction that comes as one request and has one answer. The answer leaves when the transaction has ended: so its work is done again in each
 * attempt, and may come out otherwise. If the same request has come before, it is not carried out again.
 */
abstract class WholeTransaction extends ClientTransaction implements Procedure {
    private final int request;
    /** The name under which it commits. */
    private final CommitId id;

    private final RequestSize size;
    private final OutcomeEntry entry;
    private boolean answered;

    /**
     * A transaction.
     *
     * @param number its number in its session
     * @param request the client's number of the request
     * @param id the id under which its outcome can be asked for, or {@link CommitId#NONE}
     * @param size the size of the request
     */
    WholeTransaction(
            ClientSession session, TransactionTerms terms, long number, int request, CommitId id, RequestSize size) {
        super(session, terms, number);
        this.request = request;
        this.id = id;
        this.size = size;
        this.entry = outcomes().entry(id);
    }

    /** The answer when the transaction has just committed. */
    abstract Message.Reply result(long commitTs);

    /** The answer when the transaction had committed before this request came. */
    abstract Message.Reply resultOf(OutcomeIs committed);

    /** A request that has come before is not carried out again. Nor is it carried out if the client's requests take too many bytes with it. */
    @Override
    final void open() {
        super.open();
        session().requestWaits(size);
        OutcomeIs before = outcomes().arrived(id, worker().nanoTime());
        if (before == null) {
            Failure overload = session().overload();
            if (overload == null) {
                queue();
            } else {
                end(overload);
            }
            return;
        }
        answerOnce(
                before.status() == Status.COMMITTED
                        ? resultOf(before)
                        : Failure.known(before.status()).toReply());
        conclude(Outcome.ABORTED, 0);
    }

    @Override
    final Procedure procedure() {
        return this;
    }

    @Override
    final OutcomeEntry outcomeEntry() {
        return entry;
    }

    final CommitId id() {
        return id;
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    Failure whyAborted(Transaction aborted) {
        return Failure.of(aborted);
    }

    @Override
    final void answerCommitted(long commitTs) {
        Message.Reply result = result(commitTs);
        commitEnded(id, true, commitTs);
        answerOnce(result);
    }

    @Override
    final void answerKnown(OutcomeIs outcome) {
        answerOnce(resultOf(outcome));
    }

    @Override
    final void refuseRest(Failure why) {
        if (!answered) {
            commitEnded(id, false, 0);
            answerOnce(why.toReply());
        }
    }

    private void answerOnce(Message.Reply reply) {
        answered = true;
        session().requestLeaves(size);
        session().answers().answer(request, reply);
    }
}
