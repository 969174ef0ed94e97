package dev.rcc.client;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One attempt at a transaction: the requests it makes, and where it stands. */
final class Txn implements OpenTransaction {
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** The gateway's deadline comes a little before ours, so that it tells us rather than leaves us guessing. */
    private static final int AHEAD_MILLIS_MAX = 100;

    private static final int AHEAD_DIVISOR = 10;
    /** How much longer than its deadline a commit that was sent may take, before its outcome is asked for; and that may take. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final RccClient client;
    private final Link link;
    private final Endpoint endpoint;
    private final int number;
    private final boolean readOnly;
    private final Deadline deadline;
    private final ClientTelemetry.Call call;
    private final boolean endsCall;
    private boolean callHasEnded;
    private boolean writes;
    private boolean ended;
    private RccException failure;

    /**
     * Begins an attempt.
     *
     * @param call the transaction that it is an attempt at
     * @param endsCall whether that ends with this attempt
     */
    Txn(
            RccClient client,
            Link link,
            Endpoint endpoint,
            boolean readOnly,
            Deadline deadline,
            ClientTelemetry.Call call,
            boolean endsCall) {
        this.client = client;
        this.link = link;
        this.endpoint = endpoint;
        this.number = link.nextTransaction();
        this.readOnly = readOnly;
        this.deadline = deadline;
        this.call = call;
        this.endsCall = endsCall;
        int millis = deadline.remainingMillis();
        int ahead = Math.min(AHEAD_MILLIS_MAX, millis / AHEAD_DIVISOR);
        link.tell(new Message.Begin(number, readOnly, millis - ahead, client.token()), false);
    }

    // ---- operations ------------------------------------------------------------------------------------------------

    @Override
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return await(get(table, key, false));
    }

    @Override
    public <K, V> V require(Table<K, V> table, K key) {
        return get(table, key)
                .orElseThrow(() -> RccException.of(
                        ErrorCode.NOT_FOUND,
                        "table " + table.name() + " has no record " + key + ": use get if that may be",
                        null));
    }

    @Override
    public <K, V> Optional<V> getForUpdate(Table<K, V> table, K key) {
        return await(get(table, key, true));
    }

    @Override
    public <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key) {
        return get(table, key, false).thenApplyAsync(record -> record, client.async()); // what follows may wait
    }

    private <K, V> CompletableFuture<Optional<V>> get(Table<K, V> table, K key, boolean forUpdate) {
        Message.TableInfo info = info(table);
        return this.<Message.Value, Optional<V>>call(
                "get",
                table,
                new Message.Get(number, info.id(), forUpdate, table.keys().encode(key)),
                Message.Value.class,
                reply -> Optional.ofNullable(reply.value()).map(table::decode),
                true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, so does the commit
    public <K, V> void put(Table<K, V> table, K key, V value) {
        Message.TableInfo info = infoToWrite(table);
        call(
                "put",
                table,
                new Message.Put(number, info.id(), table.keys().encode(key), table.encode(value, info.recordBytes())),
                Message.Done.class,
                done -> done,
                false);
    }

    @Override
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        Message.TableInfo info = infoToWrite(table);
        Key wireKey = table.keys().encode(key);
        await(call(
                "insert",
                table,
                new Message.Insert(number, info.id(), wireKey, table.encode(value, info.recordBytes())),
                Message.Done.class,
                done -> done,
                true));
    }

    @Override
    public <K, V> boolean delete(Table<K, V> table, K key) {
        Message.TableInfo info = infoToWrite(table);
        return await(call(
                "delete",
                table,
                new Message.Delete(number, info.id(), table.keys().encode(key)),
                Message.Deleted.class,
                Message.Deleted::existed,
                true));
    }

    @Override
    public <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit) {
        return scan(table, range, limit, false);
    }

    @Override
    public <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit) {
        return scan(table, range, limit, true);
    }

    private <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit, boolean forUpdate) {
        Message.TableInfo info = info(table);
        List<Entry<K, V>> entries = new ArrayList<>();
        Bound next = range.lower(table.keys());
        Bound end = range.upper(table.keys());
        while (true) { // the gateway answers with as much as fits a frame
            Message.Records records = await(call(
                    "scan",
                    table,
                    new Message.Scan(number, info.id(), forUpdate, next, end, limit - entries.size()),
                    Message.Records.class,
                    reply -> reply,
                    true));
            for (Message.KeyValue each : records.records()) {
                entries.add(new Entry<>(table.keys().decode(each.key()), table.decode(each.value())));
            }
            if (!records.more() || entries.size() >= limit || records.records().isEmpty()) {
                return entries;
            }
            next = Bound.without(
                    records.records().get(records.records().size() - 1).key());
        }
    }

    private <K> Message.TableInfo infoToWrite(Table<K, ?> table) {
        if (readOnly) {
            throw RccException.of(ErrorCode.BAD_REQUEST, "the transaction only reads: use transact to write", null);
        }
        writes = true;
        return info(table);
    }

    private Message.TableInfo info(Table<?, ?> table) {
        checkOpen();
        Message.TableInfo info = link.table(table.name());
        if (info == null) {
            throw RccException.of(
                    ErrorCode.NO_SUCH_TABLE, "the cluster has no table '" + table.name() + "': check its name", null);
        }
        if (info.hasLongKeys() != table.keys().isLong()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "table " + table.name() + " has " + (info.hasLongKeys() ? "64-bit" : "byte-string")
                            + " keys, which " + table.keys() + " cannot be: use another key type",
                    null);
        }
        if (table.codec().bytes() > info.recordBytes()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "table " + table.name() + " has records of " + info.recordBytes() + " bytes, the codec writes "
                            + table.codec().bytes() + ": make the one larger or the other smaller",
                    null);
        }
        return info;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // who measures is told as well
    private <R extends Message.Reply, T> CompletableFuture<T> call(
            String name,
            Table<?, ?> table,
            Message.Request request,
            Class<R> type,
            Function<R, T> read,
            boolean flush) {
        client.faults().delay();
        ClientTelemetry.Call measured = begins(name, table.name());
        CompletableFuture<T> answer = link.call(request, flush).thenApply(reply -> read.apply(type.cast(reply)));
        answer.whenComplete((reply, failure) ->
                measured.end(failure instanceof CompletionException ? failure.getCause() : failure));
        return answer;
    }

    private ClientTelemetry.Call begins(String request, String table) {
        return client.telemetry().begin(ClientTelemetry.Operation.request(request, table, endpoint), call);
    }

    private <T> T await(CompletableFuture<T> answer) {
        try {
            return deadline.await(answer);
        } catch (RecordExistsException e) {
            throw e; // the transaction goes on
        } catch (RccException e) {
            failure = e;
            answer.completeExceptionally(e); // nobody waits for it any more
            throw e;
        }
    }

    private void checkOpen() {
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

    private void commitNow() {
        if (deadline.isOver()) { // nobody would wait for the answer, so it must not be asked
            giveUp();
            throw Deadline.exceeded("the transaction's time was over before its commit", null);
        }
        Faults.Fault fault = client.faults().drawCommit();
        if (fault == Faults.Fault.CONFLICT) {
            giveUp();
            throw RccException.of(ErrorCode.CONFLICT, "an injected conflict", null);
        }
        CommitId id = writes ? client.commits().take() : CommitId.NONE;
        CommitTicket ticket =
                new CommitTicket(id, endpoint.toString(), link.welcome().incarnation(), Instant.now());
        if (fault == Faults.Fault.UNKNOWN_AND_NOT_COMMITTED && writes) {
            giveUp();
            throw unknown(ticket, null);
        }
        ended = true;
        try {
            Message.Reply reply = deadline.later(GRACE).await(link.call(new Message.Commit(number, id), true));
            client.observe(((Message.Committed) reply).commitTs());
            settled(id);
        } catch (RccException e) {
            if (e.isFromGateway() || !writes) {
                if (e.code() != ErrorCode.OUTCOME_SLOT_TAKEN) {
                    settled(id);
                }
                throw e; // it has had no effect
            }
            resolve(ticket, deadline.later(GRACE.multipliedBy(2)), e); // lost, perhaps after the commit took effect
        }
        if (fault == Faults.Fault.UNKNOWN_AND_COMMITTED && writes) {
            throw unknown(ticket, null);
        }
    }

    /** Asks until it is clear what became of a commit whose answer was lost. Returns if it has taken effect. */
    private void resolve(CommitTicket ticket, Deadline last, RccException lost) {
        while (!last.isOver()) {
            Message.OutcomeIs outcome = client.ask(ticket, last);
            switch (outcome.status()) {
                case COMMITTED -> {
                    client.observe(outcome.commitTs());
                    settled(ticket.id());
                    return;
                }
                case NOT_COMMITTED -> {
                    settled(ticket.id());
                    throw RccException.of(
                            ErrorCode.CONFLICT,
                            "the answer was lost, and the commit has not taken effect: begin again",
                            lost);
                }
                case UNKNOWN -> throw unknown(ticket, lost);
                case IN_PROGRESS -> {
                    if (!last.sleep(ASK_AGAIN_NANOS)) {
                        throw unknown(ticket, lost);
                    }
                }
            }
        }
        throw unknown(ticket, lost);
    }

    private void settled(CommitId id) {
        if (writes) {
            client.commits().settled(id);
        }
    }

    private static TransactionOutcomeUnknownException unknown(CommitTicket ticket, Throwable cause) {
        return new TransactionOutcomeUnknownException(
                ticket,
                "nobody could tell in time whether commit " + ticket.id()
                        + " took effect: ask again with RccClient.outcomeOf, before doing it twice",
                cause);
    }

    @Override
    public void abort() {
        giveUp();
        endCall(failure);
    }

    private void giveUp() {
        if (!ended) {
            ended = true;
            link.tell(new Message.Abort(number), true);
        }
    }

    /** The transaction, of which this was the only attempt, has ended. */
    private void endCall(Throwable why) {
        if (endsCall && !callHasEnded) {
            callHasEnded = true;
            call.end(why);
        }
    }

    @Override
    public boolean abortAndAsk() {
        if (ended || failure != null) {
            abort();
            return true;
        }
        ended = true;
        endCall(null);
        try {
            return ((Message.Aborted) deadline.await(link.call(new Message.Abort(number), true))).readsHeld();
        } catch (RccException e) {
            return true; // nobody knows any more; what the program says stands
        }
    }

    /** Which transaction of which gateway it is. */
    @Override
    public String toString() {
        return "transaction " + number + " at " + endpoint;
    }
}
