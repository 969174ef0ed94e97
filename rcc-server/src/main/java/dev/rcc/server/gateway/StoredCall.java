package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.LocalTransaction;
import dev.rcc.client.RccException;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call of a stored procedure as a procedure of the node's. Its operations are carried out as those of an interactive transaction,
 * but nothing of them outlives the attempt, since the procedure runs again; only what each key was needed for does, so that the
 * next attempt declares it for that beforehand. Used on its coroutine.
 *
 * <p>If the procedure throws, the transaction is given up. Protocols then make sure that what it has read was true, and try again
 * if it was not; so what the caller is told is not the fruit of reads that never were.
 */
final class StoredCall<A, R> implements Procedure, InteractiveProcedure.Requests {
    private static final Logger LOG = LoggerFactory.getLogger(StoredCall.class);

    /** Unwinds a procedure whose transaction is to end. Control flow, not an error. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("the transaction has ended", null, false, false);
        }
    }

    private final Session session;
    private final StoredProcedure<A, R> procedure;
    private final Bytes argument;
    /** Under which name it commits. */
    private final Message.Commit commit;

    private final InteractiveProcedure operations;
    private final LocalTransaction view;
    private Transaction txn;
    private Thread thread;
    private Frame request;
    private Message.Reply reply;
    private RuntimeException unwinding;
    private Ending failure;
    private Bytes result;

    StoredCall(
            Session session,
            Connection connection,
            Permissions permissions,
            Message.Limits limits,
            StoredProcedure<A, R> procedure,
            Message.Call call) {
        boolean readOnly = call.readOnly() || procedure.type().readOnly();
        this.session = session;
        this.procedure = procedure;
        this.argument = call.argument();
        this.commit = new Message.Commit(0, call.id());
        this.operations = new InteractiveProcedure(
                this,
                connection.catalog(),
                connection.outcomeRecords(),
                permissions,
                limits,
                readOnly,
                call.minCommitTs());
        this.view = new LocalTransaction(connection.tables(), readOnly, this::perform);
    }

    /** What the procedure has returned. */
    Bytes result() {
        return result;
    }

    /** What the call was found to be, if that was decided before it came; otherwise null. */
    CommitRecord.State verdict() {
        return operations.verdict();
    }

    /** Why the procedure has given up, or null. */
    Ending failure() {
        return failure;
    }

    // ---- an attempt ------------------------------------------------------------------------------------------------

    @Override
    public void declare(Transaction newTxn) {
        operations.startOver();
        failure = null;
        result = null;
        unwinding = null;
        if (session.isEnding()) {
            return;
        }
        try {
            procedure.declare(view.keys(this::named), argument());
        } catch (RuntimeException | Error e) {
            failure = failureOf(e);
        }
        operations.declareWanted(newTxn, commit);
    }

    private void named(int table, Key key, LocalTransaction.Use use) {
        operations.want(
                table,
                key,
                switch (use) {
                    case READ -> Intent.READ;
                    case UPDATE -> Intent.UPDATE;
                    case INSERT -> Intent.INSERT;
                    case DELETE -> Intent.DELETE;
                });
    }

    @Override
    public void execute(Transaction newTxn) {
        txn = newTxn;
        thread = Thread.currentThread();
        if (failure == null && !session.isEnding()) {
            runProcedure();
        }
        if (unwinding != null && !(unwinding instanceof Ended)) {
            throw unwinding; // whatever the procedure has made of it
        }
        if (failure != null && !session.isEnding()) {
            operations.giveUpCommit(
                    txn, commit); // the same call's first time may have changed what it stumbles over now
        }
        if (failure != null || session.isEnding()) {
            txn.abort();
            return;
        }
        operations.prepareCommit(txn, commit, result);
    }

    private void runProcedure() {
        try {
            R returned = procedure.run(view, argument());
            byte[] bytes = new byte[procedure.type().result().bytes()];
            procedure.type().result().encode(returned, ByteBuffer.wrap(bytes));
            result = Bytes.wrap(bytes);
        } catch (RuntimeException | Error e) {
            if (unwinding == null) {
                failure = failureOf(e);
            }
        } finally {
            thread = null;
        }
    }

    private A argument() {
        return procedure.type().argument().decode(ByteBuffer.wrap(argument.unsafeArray()));
    }

    private Ending failureOf(Throwable e) {
        String name = procedure.type().name();
        return switch (e) {
            case ProcedureException refusal ->
                new Ending(ErrorCode.PROCEDURE_FAILED, "procedure " + name + " refuses: " + refusal.getMessage());
            case RccException ours
            when !ours.isRetryable() && ours.code() != ErrorCode.INTERNAL ->
                new Ending(ours.code(), "procedure " + name + ": " + ours.getMessage());
            default -> {
                LOG.warn("procedure {} has failed; its transaction has no effect", name, e);
                yield new Ending(
                        ErrorCode.PROCEDURE_FAILED,
                        "procedure " + name + " has failed, and the server's log says where: " + e);
            }
        };
    }

    // ---- the procedure's operations --------------------------------------------------------------------------------

    private Message.Reply perform(Message.Operation operation) {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("the transaction of procedure "
                    + procedure.type().name() + " is used by another thread, or after the procedure has returned");
        }
        if (unwinding != null) {
            throw unwinding; // which the procedure has caught
        }
        request = new Frame(0, operation);
        reply = null;
        try {
            operations.serve(txn, operation);
        } catch (Rollback | TransactionTooLarge e) {
            unwinding = e;
            throw e;
        }
        if (reply == null) {
            unwinding = new Ended();
            throw unwinding;
        }
        return reply;
    }

    @Override
    public Frame head() {
        return request;
    }

    @Override
    public Iterable<Frame> queued() {
        return List.of(request);
    }

    @Override
    public boolean isEnding() {
        return session.isEnding();
    }

    @Override
    public void answer(Message.Reply newReply) {
        reply = newReply;
    }

    @Override
    public void reject(Ending why) {
        reply = why.toReply();
        session.end(why);
    }

    @Override
    public void committing() {
        session.committing();
    }

    @Override
    public void notCommitting() {
        session.notCommitting();
    }
}
