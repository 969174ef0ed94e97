package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.core.txn.Transaction;

/** A transaction of one operation. */
final class SingleTransaction extends WholeTransaction {
    /** Why a transaction that has committed cannot be answered again. */
    private static final Failure ANSWER_FORGOTTEN = new Failure(
            ErrorCode.RESULT_LOST,
            "the operation's transaction has committed, and the operation's answer is forgotten: read the record");

    private final Operation operation;
    /** The operation's answer in this attempt; null while it was not carried out. */
    private Message.OperationReply answer;

    /**
     * A transaction.
     *
     * @param request the client's number of the request
     * @param id the id under which its outcome can be asked for, or {@link CommitId#NONE}
     */
    SingleTransaction(
            ClientSession session, TransactionTerms terms, long number, int request, CommitId id, Operation operation) {
        super(session, terms, number, request, id, RequestSize.of(operation));
        this.operation = operation;
    }

    // ---- an attempt ------------------------------------------------------------------------------------------------

    @Override
    public void declare(Transaction txn) {
        attempt(txn);
        records().startOver(answer != null);
        outcomeEntry().forgetAccess();
        answer = null;
        if (isEnding()) {
            return;
        }
        if (isRefused()) {
            return;
        }
        switch (operation) {
            case Operation.Put put -> { // it reads nothing, so it need not wait for what is fetched
                answer = records().serve(put);
                records().declare(txn);
            }
            case Operation.OnKey onKey -> records().open(txn, onKey);
            case Operation.Scan scan -> {}
        }
        ifLeft(outcomeEntry()).declare(txn);
    }

    /** Whether the operation is refused; then the transaction is to end. */
    private boolean isRefused() {
        Failure denied = records().refusal(operation);
        if (denied != null) {
            end(denied);
        }
        return denied != null;
    }

    @Override
    public void execute(Transaction txn) {
        if (answer == null && !isEnding() && !isRefused()) {
            answer = carryOut(txn);
        }
        if (isEnding()) {
            txn.abort();
            return;
        }
        prepareCommit(txn, ifLeft(outcomeEntry()), null);
    }

    private Message.OperationReply carryOut(Transaction txn) {
        return switch (operation) {
            case Operation.Scan scan -> records().scan(txn, scan);
            case Operation.OnKey onKey -> {
                records().fetch(txn);
                yield records().serve(onKey);
            }
        };
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    Message.Reply result(long commitTs) {
        return new Message.Autocommitted(commitTs, answer);
    }

    @Override
    Message.Reply resultOf(OutcomeIs committed) {
        return ANSWER_FORGOTTEN.toReply();
    }
}
