package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An admitted client and its open transactions. Requests go in, and answers go to an {@link AnswerSink}, whatever the transport. Used by
 * one thread only, on which the requests arrive; this may be any thread. A transaction runs on its worker.
 */
public final class ClientSession {
    /** As many of the longest frames or transactions, whichever are longer, the requests without an answer may take. */
    private static final int LONGEST_MAX = 16;

    private final GatewayCore core;
    private final Permissions permissions;
    private final AnswerSink answers;
    /** The slots in which its transactions run. */
    private final TransactionSlots slots;
    /** Transactions that the client has not ended, by the client's numbers. */
    private final Map<Integer, InteractiveTransaction> open = new HashMap<>();
    /** Transactions that have not ended, by their numbers. */
    private final Map<Long, ClientTransaction> running = new ConcurrentHashMap<>();

    /** Used on the slots' worker. */
    private final LockSession locks;

    private long begun;
    /** The bytes that requests without an answer take. Used on the slots' worker. */
    private long unansweredBytes;

    ClientSession(
            GatewayCore core, TransactionSlots slots, Permissions permissions, AnswerSink answers, LockSession locks) {
        this.locks = locks;
        this.core = core;
        this.slots = slots;
        this.permissions = permissions;
        this.answers = answers;
    }

    // ---- for transactions, on any thread ---------------------------------------------------------------------------

    GatewayCore core() {
        return core;
    }

    Permissions permissions() {
        return permissions;
    }

    AnswerSink answers() {
        return answers;
    }

    /** The slots in which its transactions run. */
    TransactionSlots slots() {
        return slots;
    }

    /** A request to a transaction, or a call, waits for its answer. Called on the slots' worker, as the two methods below. */
    void requestWaits(RequestSize size) {
        unansweredBytes += size.held();
    }

    /** A request that has waited is being answered. */
    void requestLeaves(RequestSize size) {
        unansweredBytes -= size.held();
    }

    /** Why a transaction that has no slot may send no further operation, or be called, or null: the client's requests take too many bytes. */
    Failure overload() {
        Message.Limits limits = core.options().limits();
        long most = (long) LONGEST_MAX * Math.max(limits.transactionBytes(), limits.frameLength());
        return unansweredBytes <= most
                ? null
                : new Failure(
                        ErrorCode.OVERLOADED,
                        "the connection's requests without an answer take " + unansweredBytes + " bytes, allowed: "
                                + most + ": try again later, or use another connection");
    }

    /** A transaction has ended. */
    void concluded(long number) {
        running.remove(number);
    }

    /** How many transactions have not ended. */
    int running() {
        return running.size();
    }

    // ---- requests --------------------------------------------------------------------------------------------------

    /**
     * Begins a transaction; answers only if there are too many.
     *
     * @param txn the client's number of the transaction, which no open transaction has
     * @throws IllegalStateException when an open transaction has the number
     */
    public void begin(int request, int txn, TransactionTerms terms) {
        if (isOpen(txn)) {
            throw new IllegalStateException("transaction " + txn + " is open already");
        }
        if (isFull(request)) {
            return;
        }
        InteractiveTransaction begins = new InteractiveTransaction(this, terms, begun++);
        open.put(txn, begins);
        start(begins);
    }

    /** Whether a transaction is open under the client's number. */
    boolean isOpen(int txn) {
        return open.containsKey(txn);
    }

    /** Passes a request to an open transaction; after a commit or abort the transaction's number is free again. */
    public void request(int request, int txn, Request what) {
        InteractiveTransaction asked = what instanceof Operation ? open.get(txn) : open.remove(txn);
        if (asked == null) {
            refuse(
                    request,
                    ErrorCode.NO_SUCH_TRANSACTION,
                    "there is no open transaction " + Integer.toUnsignedString(txn)
                            + " on this connection: begin it first");
        } else {
            slots.execute(() -> asked.offer(request, what));
        }
    }

    /**
     * Calls a stored procedure.
     *
     * @param id the id under which the outcome can be asked for, or {@link CommitId#NONE}
     */
    public void call(int request, TransactionTerms terms, CommitId id, String name, Bytes argument) {
        StoredProcedure<?, ?> procedure = core.procedures().find(name);
        if (procedure == null) {
            refuse(
                    request,
                    ErrorCode.NO_SUCH_PROCEDURE,
                    "there is no procedure '" + name + "' at this server: store it at all of them");
            return;
        }
        int argumentBytes = procedure.type().argument().bytes();
        if (argument.length() != argumentBytes) {
            refuse(
                    request,
                    ErrorCode.BAD_REQUEST,
                    "procedure " + name + " takes an argument of " + argumentBytes + " bytes, got " + argument.length()
                            + ": give the client the server's ProcedureType");
            return;
        }
        if (isFull(request)) {
            return;
        }
        boolean readOnly = terms.readOnly() || procedure.type().readOnly();
        start(new StoredTransaction<>(
                this,
                new TransactionTerms(readOnly, terms.timeoutMillis(), terms.minCommitTs()),
                begun++,
                request,
                id,
                procedure,
                argument));
    }

    /**
     * Carries out an operation in a transaction of its own.
     *
     * @param id the id under which the outcome can be asked for, or {@link CommitId#NONE}
     */
    public void autocommit(int request, TransactionTerms terms, CommitId id, Operation operation) {
        if (isFull(request)) {
            return;
        }
        start(new SingleTransaction(this, terms, begun++, request, id, operation));
    }

    private void start(ClientTransaction txn) {
        running.put(txn.number(), txn);
        slots.execute(txn::open);
    }

    /**
     * Asks for the outcome of a commit. Only a client whose user may change something has the commit refused if it has not come; the role may have
     * been withdrawn since the commit, so others may ask, too.
     *
     * @param incarnation the incarnation of the gateway to which the commit was sent
     * @param ageMillis how long ago it was sent
     */
    public void ask(int request, CommitId id, long incarnation, int ageMillis) {
        core.outcomes()
                .ask(
                        new OutcomeStore.Question(id, incarnation, ageMillis, permissions.mayChangeSomething()),
                        slots,
                        reply -> answers.answer(request, reply));
    }

    // ---- locks -----------------------------------------------------------------------------------------------------

    /** Asks for a lock. */
    void lock(int request, Message.Lock asked) {
        slots.execute(() -> {
            if (slots.refusal() == null) {
                locks.lock(request, asked);
            } else {
                answers.answer(request, slots.refusal().toReply());
            }
        });
    }

    /** Upgrades an update lock, so that it is held alone. */
    void upgrade(int request, Message.Upgrade asked) {
        slots.execute(() -> locks.upgrade(request, asked));
    }

    /** Releases a lock, or gives it up. */
    void unlock(int request, Message.Unlock asked) {
        slots.execute(() -> locks.unlock(request, asked));
    }

    /** Asks which locks are held and waited for at the gateway. */
    void describeLocks(int request, Message.DescribeLocks asked) {
        slots.execute(() -> {
            Failure wrong = locks.wrong(asked);
            if (wrong == null) {
                core.describeLocks(slots, asked.namespace(), found -> answers.answer(request, found));
            } else {
                answers.answer(request, wrong.toReply());
            }
        });
    }

    /** Ends the client's locks, as the node may be replaced. Calls the listener when the client has been notified. */
    void loseLocks(Runnable listener) {
        slots.execute(() -> {
            locks.loseAll();
            listener.run();
        });
    }

    /** The client reads its answers again. */
    public void writable() {
        running.values().forEach(txn -> slots.execute(txn::writable));
    }

    /** The client is gone: its open transactions end without effect, except commits under way. */
    public void gone() {
        end(new Failure(ErrorCode.UNAVAILABLE, "the client's connection is gone"));
    }

    /** Ends the client's open transactions without effect, except commits under way. */
    void end(Failure why) {
        running.values().forEach(txn -> slots.execute(() -> txn.end(why)));
        open.clear();
        slots.execute(locks::gone);
    }

    private boolean isFull(int request) {
        int most = core.options().limits().transactions();
        if (Math.max(open.size(), running.size()) < most) {
            return false;
        }
        answers.answer(
                request,
                Failure.refusal(
                        ErrorCode.LIMIT_EXCEEDED,
                        "a connection may have " + most + " open transactions: end some, or use another connection"));
        return true;
    }

    /** Answers that a request is not carried out. */
    void refuse(int request, ErrorCode code, String text) {
        answers.answer(request, new Failure(code, text).toReply());
    }
}
