package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** One attempt at a transaction: its requests and its state. */
class Txn extends TableOperations implements OpenTransaction {
    /** The gateway's deadline comes a little before the client's, so that the gateway's answer arrives in time. */
    private static final int AHEAD_MILLIS_MAX = 100;

    private static final int AHEAD_DIVISOR = 10;
    /** How long beyond its deadline a commit's answer may take before the client asks for the outcome, and how long that may take then. */
    static final Duration GRACE = Duration.ofMillis(500);

    private final RccClient client;
    private final Link link;
    private final Endpoint endpoint;
    private final Near near;
    private final Deadline deadline;
    private final ClientTelemetry.Call call;
    private final boolean endsCall;
    private boolean callHasEnded;
    private boolean writes;
    private int requests;
    private boolean ended;
    private RccException failure;

    /**
     * Begins an attempt.
     *
     * @param near the record near which it begins, or null
     * @param call the transaction in the telemetry
     * @param endsCall whether the transaction ends with this attempt
     * @throws UnavailableException when the connection has as many open transactions as the gateway allows
     */
    Txn(
            RccClient client,
            Cluster.Place place,
            Near near,
            boolean readOnly,
            Deadline deadline,
            ClientTelemetry.Call call,
            boolean endsCall) {
        this(place.link().nextTransaction(), client, place, near, readOnly, deadline, call, endsCall);
        link.tell(new Message.Begin(number(), readOnly, timeoutMillis(deadline), client.token()), false);
    }

    /**
     * An attempt that the gateway does not know of yet, as the other constructor.
     *
     * @param number the transaction's number in its messages
     */
    Txn(
            int number,
            RccClient client,
            Cluster.Place place,
            Near near,
            boolean readOnly,
            Deadline deadline,
            ClientTelemetry.Call call,
            boolean endsCall) {
        super(number, readOnly);
        this.client = client;
        this.link = place.link();
        this.endpoint = place.endpoint();
        this.near = near;
        this.deadline = deadline;
        this.call = call;
        this.endsCall = endsCall;
        link.open();
    }

    /** The timeout that is sent to the gateway. */
    static int timeoutMillis(Deadline deadline) {
        int millis = deadline.remainingMillis();
        return millis - Math.min(AHEAD_MILLIS_MAX, millis / AHEAD_DIVISOR);
    }

    // ---- operations ------------------------------------------------------------------------------------------------

    @Override
    public <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key) {
        return deadline.limit(get(table, table.keys().encode(key), false, true), client.async());
    }

    @Override
    public void fence(HeldLock lock) {
        if (!lock.client().clusterName().equals(client.clusterName())) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    lock + " is of cluster '" + lock.client().clusterName() + "', the transaction of '"
                            + client.clusterName() + "': fence it by a lock of its own cluster",
                    null);
        }
        lock.checkHeld();
        fence(lock.namespace(), lock.name(), lock.token());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, so does the commit
    public void fence(String namespace, String name, long token) {
        checkOpen();
        Locks.checkVersion(link);
        Locks.checkText(name);
        writes = true;
        boolean isLast = countRequest();
        CompletableFuture<Message.Reply> answer =
                link.call(new Message.Fence(number(), namespace, name, token), isLast);
        if (isLast) {
            await(answer);
        }
    }

    @Override
    int version() {
        return link.welcome().version();
    }

    @Override
    Message.TableInfo find(String table) {
        return link.table(table);
    }

    @Override
    void willWrite() {
        writes = true;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // telemetry sees the result as well
    <R extends Message.Reply, T> CompletableFuture<T> call(
            String name,
            Table<?, ?> table,
            Message.Operation request,
            Class<R> type,
            Function<R, T> read,
            boolean flush) {
        checkLength(request); // before it counts as one that the gateway has to answer
        client.faults().delay();
        ClientTelemetry.Call measured = begins(name, table.name());
        boolean isLast = countRequest();
        CompletableFuture<T> answer = send(request, flush || isLast).thenApply(reply -> read.apply(type.cast(reply)));
        answer.whenComplete((reply, failure) ->
                measured.end(failure instanceof CompletionException ? failure.getCause() : failure));
        if (isLast) {
            await(answer);
        }
        return answer;
    }

    /**
     * Checks that the gateway takes the message of an operation.
     *
     * @throws BadRequestException when the message is too long
     */
    void checkLength(Message.Operation operation) {
        link.checkLength(operation);
    }

    /** Sends an operation, now or with the next request. */
    CompletableFuture<Message.Reply> send(Message.Operation operation, boolean flush) {
        return link.call(operation, flush);
    }

    /** Whether the request that is sent next is the last one that the gateway allows until it has answered this one and those before. */
    boolean countRequest() {
        requests++;
        return requests % link.welcome().limits().pipelined() == 0;
    }

    @Override
    <T> List<T> getAll(Table<?, ?> table, List<Message.Get> requests, Function<Message.Value, T> read) {
        List<CompletableFuture<T>> answers = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            answers.add(get(table, requests.get(i), read, i == requests.size() - 1));
        }
        return answers.stream().map(this::await).toList();
    }

    private ClientTelemetry.Call begins(String request, String table) {
        return client.telemetry()
                .begin(ClientTelemetry.Operation.request(request, link.welcome().cluster(), table, endpoint), call);
    }

    @Override
    <T> T await(CompletableFuture<T> answer) {
        try {
            return deadline.await(answer);
        } catch (RecordExistsException e) {
            throw e; // the transaction goes on
        } catch (RccException e) {
            failure = e;
            answer.completeExceptionally(e); // no caller waits for it any more
            throw e;
        }
    }

    @Override
    void checkOpen() {
        if (ended) {
            throw new IllegalStateException("the transaction has ended: begin another one");
        }
        if (failure != null) {
            throw failure;
        }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Override
    public void commit() {
        checkOpen();
        ClientTelemetry.Call measured = begins("commit", "");
        Throwable why = null;
        try {
            commitNow();
        } catch (RuntimeException | Error e) {
            why = e;
            throw e;
        } finally {
            measured.end(why);
            endCall(why);
        }
    }

    /**
     * Commits after one operation that has not been sent yet: both travel together, and take one round trip.
     *
     * @param operation appends the operation
     * @return the operation's answer, once the commit has taken effect
     */
    <T> T commitWith(Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> answer;
        try {
            answer = operation.get();
        } catch (Throwable e) { // the client refused it, and nothing has been sent
            abort();
            throw e;
        }
        try {
            commit();
        } catch (RccException e) {
            throw e.isFromGateway() ? whyRefused(answer, e) : e;
        }
        return answerOf(answer);
    }

    /**
     * When an operation and its commit were both refused, the operation's refusal has the reason. A record that exists is none: after such an
     * answer the transaction goes on, and a commit that is refused does not confirm the read.
     */
    static RccException whyRefused(CompletableFuture<?> answer, RccException commit) {
        return answer.isCompletedExceptionally()
                        && answer.exceptionNow() instanceof RccException refused
                        && refused.isFromGateway()
                        && !(refused instanceof RecordExistsException)
                ? refused.here()
                : commit;
    }

    private <T> T answerOf(CompletableFuture<T> answer) {
        try {
            return deadline.later(GRACE).await(answer);
        } catch (UnavailableException | DeadlineExceededException e) {
            throw RccException.of(
                    ErrorCode.RESULT_LOST,
                    "the transaction has committed, but the operation's answer did not arrive: read the record",
                    e);
        }
    }

    private void commitNow() {
        if (deadline.isOver()) { // no caller would wait for the answer, so the commit must not be sent
            giveUp();
            throw Deadline.exceeded("the transaction's time was over before its commit", null);
        }
        Faults.Fault fault = client.faults().drawCommit();
        if (fault == Faults.Fault.CONFLICT) {
            giveUp();
            throw Faults.conflict();
        }
        CommitId id = writes ? client.newCommit(link, near) : CommitId.NONE;
        CommitTicket ticket =
                new CommitTicket(id, endpoint.toString(), link.welcome().incarnation(), Instant.now());
        if (fault == Faults.Fault.UNKNOWN_AND_NOT_COMMITTED && writes) {
            giveUp();
            throw RccClient.unknown(ticket, null);
        }
        ended = true;
        try {
            client.observe(committed(deadline.later(GRACE).await(link.endBy(commitRequest(id)))));
            client.settled(id);
        } catch (RccException e) {
            if (e.isFromGateway() || !writes) {
                if (e.code() != ErrorCode.OUTCOME_SLOT_TAKEN) {
                    client.settled(id);
                }
                throw e; // it has had no effect
            }
            client.resolve(
                    ticket, deadline.later(GRACE.multipliedBy(2)), e); // lost, perhaps after the commit took effect
        }
        if (fault == Faults.Fault.UNKNOWN_AND_COMMITTED && writes) {
            throw RccClient.unknown(ticket, null);
        }
    }

    /** The request that commits. */
    Message.Request commitRequest(CommitId id) {
        return new Message.Commit(number(), id);
    }

    /** The commit timestamp from the answer to the request that commits. */
    long committed(Message.Reply reply) {
        return ((Message.Committed) reply).commitTs();
    }

    /** Ends the transaction at the gateway without effect. */
    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for the answer
    void abandon() {
        link.endBy(new Message.Abort(number()));
    }

    @Override
    public void abort() {
        giveUp();
        endCall(failure);
    }

    private void giveUp() {
        if (!ended) {
            ended = true;
            abandon();
        }
    }

    /** Ends the telemetry's call, if this was the only attempt at the transaction. */
    private void endCall(Throwable why) {
        if (endsCall && !callHasEnded) {
            callHasEnded = true;
            call.end(why);
        }
    }

    @Override
    public boolean abortAndAsk() {
        try {
            return abortAndConfirm();
        } catch (DeadlineExceededException e) {
            return false;
        } catch (RccException e) {
            return true; // no gateway knows any more; the program's conclusion holds
        }
    }

    /**
     * Aborts, as {@link #abortAndAsk}.
     *
     * @return whether all reads were true at one moment, or the transaction has ended or failed before in the program's view
     * @throws RccException when the gateway's answer was lost
     */
    boolean abortAndConfirm() {
        if (ended || failure != null) {
            abort();
            return true;
        }
        ended = true;
        endCall(null);
        Deadline answered = deadline.later(GRACE); // the gateway answers, too, when the transaction's time is over
        return ((Message.Aborted) answered.await(link.endBy(new Message.Abort(number())))).readsHeld();
    }

    final RccClient client() {
        return client;
    }

    final Deadline deadline() {
        return deadline;
    }

    /** The connection to its gateway. */
    final Link link() {
        return link;
    }

    /** The transaction's number and gateway. */
    @Override
    public String toString() {
        return "transaction " + number() + " at " + endpoint;
    }
}
