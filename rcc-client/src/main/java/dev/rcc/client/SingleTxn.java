package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.util.concurrent.CompletableFuture;

/** One attempt at a transaction of one operation, which is sent with the commit as one request. */
final class SingleTxn extends Txn {
    private final CompletableFuture<Message.Reply> answer = new CompletableFuture<>();
    /** Null until the program has made it. */
    private Message.Operation operation;

    /** Begins an attempt. The gateway understands such requests. */
    SingleTxn(
            RccClient client,
            Cluster.Place place,
            Near near,
            boolean readOnly,
            Deadline deadline,
            ClientTelemetry.Call call) {
        super(Message.Autocommit.NO_TXN, client, place, near, readOnly, deadline, call, false);
    }

    @Override
    void checkLength(Message.Operation anyOperation) {
        link().checkLength(
                        new Message.Autocommit(true, 1, 0, CommitId.NONE, anyOperation)); // as long as the one to come
    }

    /** Keeps the operation until the commit. */
    @Override
    CompletableFuture<Message.Reply> send(Message.Operation only, boolean flush) {
        operation = only;
        return answer;
    }

    @Override
    boolean countRequest() {
        return false; // no answer comes before the commit is sent
    }

    @Override
    public void commit() {
        try {
            super.commit();
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            throw e;
        }
        if (!answer.isDone()) { // the outcome was asked for
            answer.completeExceptionally(RccException.of(
                    ErrorCode.UNAVAILABLE, "the connection was lost before the operation's answer arrived", null));
        }
    }

    @Override
    Message.Request commitRequest(CommitId id) {
        return new Message.Autocommit(isReadOnly(), timeoutMillis(deadline()), client().token(), id, operation);
    }

    @Override
    long committed(Message.Reply reply) {
        Message.Autocommitted done = (Message.Autocommitted) reply;
        if (done.answer() instanceof Message.Failed failed) {
            answer.completeExceptionally(RccException.of(failed));
        } else {
            answer.complete(done.answer());
        }
        return done.commitTs();
    }

    /** Nothing was sent. */
    @Override
    void abandon() {
        link().giveBack();
    }
}
