package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.LocalTransaction;
import dev.rcc.client.RccException;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Message.OutcomeIs;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call of a stored procedure. Its operations are carried out like the operations of an interactive transaction. But they do not outlive
 * the attempt, since the procedure runs again. Only the intent that each key needed does, so that the next attempt declares the key with it
 * beforehand.
 *
 * <p>If the procedure throws, the transaction aborts. The protocol then validates the procedure's reads, and tries again if that
 * fails. So the caller never gets an error that comes from an inconsistent read.
 */
final class StoredTransaction<A, R> extends WholeTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(StoredTransaction.class);

    /** Why a call that has committed cannot be answered again. */
    private static final Failure RESULT_FORGOTTEN = new Failure(
            ErrorCode.RESULT_LOST,
            "the procedure has committed, and its result is forgotten: read what it has written");

    /** Unwinds a procedure whose transaction is to end. Control flow, not an error. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("the transaction has ended", null, false, false);
        }
    }

    private final StoredProcedure<A, R> procedure;
    private final Bytes argument;
    private final LocalTransaction view;
    private Transaction txn;
    private Thread thread;
    private RuntimeException unwinding;
    /** Why the procedure has given up, or null. */
    private Failure refusal;
    /** What the procedure has thrown by mistake, if it has; otherwise null. */
    private Throwable mistake;

    private Bytes result;

    /**
     * A call.
     *
     * @param request the client's number of the call
     * @param id the id under which its outcome can be asked for, or {@link CommitId#NONE}
     */
    StoredTransaction(
            ClientSession session,
            TransactionTerms terms,
            long number,
            int request,
            CommitId id,
            StoredProcedure<A, R> procedure,
            Bytes argument) {
        super(session, terms, number, request, id, RequestSize.ofCall(argument));
        this.procedure = procedure;
        this.argument = argument;
        this.view = new LocalTransaction(session.core().tables(), terms.readOnly(), new Operations());
    }

    // ---- an attempt ------------------------------------------------------------------------------------------------

    @Override
    public void declare(Transaction newTxn) {
        attempt(newTxn);
        records().startOver(result != null);
        outcomeEntry().forgetAccess();
        refusal = null;
        mistake = null;
        result = null;
        unwinding = null;
        if (isEnding()) {
            return;
        }
        try {
            procedure.declare(view.keys(this::named), argument());
        } catch (Throwable e) { // in a language without checked exceptions, it may throw any
            refusal = refusalOf(e);
        }
        records().declareWanted(newTxn);
        ifLeft(outcomeEntry()).declare(newTxn);
    }

    /** The procedure names a key that it will use. A name needs what the operation would need, since the record may be locked for it. */
    private void named(int table, Key key, LocalTransaction.Use use) {
        Failure denied = records().refusal(new Operation.Get(table, key, use != LocalTransaction.Use.READ));
        if (denied != null) {
            end(denied);
            return;
        }
        records()
                .want(
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
        if (refusal == null && !isEnding()) {
            runProcedure();
        }
        if (unwinding != null && !(unwinding instanceof Ended)) {
            throw unwinding; // whatever the procedure has made of it
        }
        if (refusal != null && !isEnding()) {
            giveUpCommit(txn, outcomeEntry()); // the same call's first time may have changed what it stumbles over now
        }
        if (refusal != null || isEnding()) {
            txn.abort();
            return;
        }
        prepareCommit(txn, ifLeft(outcomeEntry()), result);
    }

    private void runProcedure() {
        try {
            R returned = procedure.run(view, argument());
            byte[] bytes = new byte[procedure.type().result().bytes()];
            procedure.type().result().encode(returned, ByteBuffer.wrap(bytes));
            result = Bytes.wrap(bytes);
        } catch (Throwable e) { // as above
            if (unwinding == null) {
                refusal = refusalOf(e);
            }
        } finally {
            thread = null;
        }
    }

    private A argument() {
        return procedure.type().argument().decode(ByteBuffer.wrap(argument.unsafeArray()));
    }

    private Failure refusalOf(Throwable e) {
        String name = procedure.type().name();
        return switch (e) {
            case ProcedureException thrown ->
                new Failure(ErrorCode.PROCEDURE_FAILED, "procedure " + name + " refuses: " + thrown.getMessage());
            case RccException ours
            when !ours.isRetryable() && ours.code() != ErrorCode.INTERNAL ->
                new Failure(ours.code(), "procedure " + name + ": " + ours.getMessage());
            default -> {
                mistake = e;
                yield new Failure(
                        ErrorCode.PROCEDURE_FAILED,
                        "procedure " + name + " has failed, and the server's log says where: " + e);
            }
        };
    }

    // ---- the procedure's operations --------------------------------------------------------------------------------

    private final class Operations implements LocalTransaction.Server {
        @Override
        public Message.Reply perform(Message.InTransaction message) {
            return guarded(() -> carryOut(operation(message)));
        }

        @Override
        public List<Message.Reply> performAll(List<Message.Get> requests) {
            return guarded(() -> carryOut(requests.stream()
                    .map(request -> (Operation.OnKey) Operation.of(request))
                    .toList()));
        }
    }

    private Operation operation(Message.InTransaction message) {
        return message instanceof Message.Fence fence
                ? Fences.operation(session().core().fences(), fence, session().permissions())
                : Operation.of((Message.Operation) message);
    }

    /** Carries out an operation on the procedure's own thread, as long as the attempt may go on. */
    private <T> T guarded(Supplier<T> operation) {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("the transaction of procedure "
                    + procedure.type().name() + " is used by another thread, or after the procedure has returned");
        }
        if (unwinding != null) {
            throw unwinding; // which the procedure has caught
        }
        try {
            checkNotEnding();
            return operation.get();
        } catch (Rollback | TransactionTooLarge e) {
            unwinding = e;
            throw e;
        }
    }

    private Message.Reply carryOut(Operation operation) {
        return switch (operation) {
            case Operation.Scan scan -> scan(scan);
            case Operation.OnKey onKey -> carryOut(List.of(onKey)).getFirst();
        };
    }

    private Message.Reply scan(Operation.Scan scan) {
        Failure denied = records().refusal(scan);
        return denied == null ? records().scan(txn, scan) : refused(denied);
    }

    /** Carries out operations with one fetch. */
    private List<Message.Reply> carryOut(List<Operation.OnKey> operations) {
        for (Operation.OnKey each : operations) {
            Failure denied = records().refusal(each);
            if (denied != null) {
                return List.of(refused(denied));
            }
            records().open(txn, each);
        }
        records().fetch(txn);
        checkNotEnding();
        List<Message.Reply> replies = new ArrayList<>(operations.size());
        for (Operation.OnKey each : operations) {
            Failure tooLate = records().tooLate(each);
            replies.add(tooLate == null ? records().serve(each) : refused(tooLate));
        }
        return replies;
    }

    private Message.Reply refused(Failure why) {
        end(why);
        return why.toReply();
    }

    private void checkNotEnding() {
        if (isEnding()) {
            unwinding = new Ended();
            throw unwinding;
        }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    Failure whyAborted(Transaction aborted) {
        boolean hasGivenUp = refusal != null && aborted.abortReason() == AbortReason.USER_ABORT;
        if (hasGivenUp && mistake != null) {
            logMistake();
        }
        return hasGivenUp ? refusal : Failure.of(aborted);
    }

    /** Logs what the procedure has thrown, once the reads that it comes from are checked. Callers can bring it about at will. */
    private void logMistake() {
        long more = session().core().mistakesLog().admit();
        if (more >= 0) {
            LOG.warn(
                    "event=procedure_failed procedure={} failed_before={}: its transaction has no effect",
                    procedure.type().name(),
                    more,
                    mistake);
        }
    }

    @Override
    Message.Reply result(long commitTs) {
        Message.Returned returned = new Message.Returned(commitTs, result);
        if (!id().equals(CommitId.NONE) && leavesOutcome() && !outcomeEntry().keeps(result)) {
            session().core().results().put(id(), returned);
        }
        return returned;
    }

    @Override
    Message.Reply resultOf(OutcomeIs committed) {
        return replyTo(session().core().results().complete(id(), committed));
    }

    private static Message.Reply replyTo(OutcomeIs committed) {
        return committed.result() == null
                ? RESULT_FORGOTTEN.toReply()
                : new Message.Returned(committed.commitTs(), committed.result());
    }
}
