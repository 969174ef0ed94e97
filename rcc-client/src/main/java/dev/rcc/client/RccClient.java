package dev.rcc.client;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import dev.rcc.client.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client of a cluster. A program needs one client, which all of its threads may use at once. The client finds all gateways from any one
 * of them, carries all transactions over few connections, and uses another gateway when one is gone.
 *
 * <p>Under every protocol, a client's transaction comes after all transactions that the same client committed before it. {@link #token}
 * extends this order to other clients.
 */
public final class RccClient implements AutoCloseable {
    private static final long GIVE_UP_MILLIS = 1_000;
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ClientOptions options;
    private final Cluster cluster;
    private final Faults faults;
    private final CommitSlots commits = new CommitSlots();
    private final AtomicLong token = new AtomicLong();
    private final ExecutorService async = Executors.newVirtualThreadPerTaskExecutor();

    private RccClient(Cluster cluster, ClientOptions options) {
        this.options = options;
        this.cluster = cluster;
        this.faults = new Faults(options.faults());
    }

    /**
     * Connects to a cluster, with {@link ClientOptions#DEFAULT}.
     *
     * @param gateways some or all of the gateways, {@code host:port,host:port}; the port is 7400 if it is left out
     * @return the client, connected to one of the gateways; the caller closes it
     * @throws UnavailableException when none of the gateways can be reached
     * @throws DeadlineExceededException when the default deadline passes first
     * @throws PermissionException when the gateways do not admit this client
     * @throws IllegalArgumentException when one of the addresses is not valid
     */
    public static RccClient connect(String gateways) {
        return connect(gateways, ClientOptions.DEFAULT);
    }

    /**
     * Connects to a cluster, as {@link #connect(String)}.
     *
     * @param gateways some or all of the gateways, {@code host:port,host:port}
     * @param options the client's options; connecting takes at most the deadline of its transactions
     * @return the client, connected to one of the gateways; the caller closes it
     * @throws UnavailableException when none of the gateways can be reached
     * @throws DeadlineExceededException when the deadline passes first
     * @throws PermissionException when the gateways do not admit this client, or its token may not be sent on connections without encryption
     * @throws BadRequestException when client and gateway have no version of the protocol in common
     * @throws IllegalArgumentException when one of the addresses is not valid
     */
    public static RccClient connect(String gateways, ClientOptions options) {
        Cluster cluster = new Cluster(Endpoint.parseAll(gateways), options);
        try {
            cluster.place(null, Deadline.in(options.call().deadline()));
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        return new RccClient(cluster, options);
    }

    /**
     * Returns a builder for a client; the builder's methods set the options.
     *
     * @param gateways some or all of the gateways, as for {@link #connect(String)}
     * @return a builder with the default options
     */
    public static RccClientBuilder builder(String gateways) {
        return new RccClientBuilder(gateways);
    }

    /** {@return this client's options} */
    public ClientOptions options() {
        return options;
    }

    // ---- the cluster -----------------------------------------------------------------------------------------------

    /**
     * {@return the cluster's tables, sorted by name}
     *
     * @throws UnavailableException when no gateway can be reached
     */
    public List<TableDescription> tables() {
        List<Message.TableInfo> tables = cluster.place(
                        null, Deadline.in(options.call().deadline()))
                .link()
                .tables();
        return tables.stream()
                .map(table -> TableDescription.of(table, tables))
                .sorted(Comparator.comparing(TableDescription::name))
                .toList();
    }

    /**
     * Requests the status of each gateway that this client knows, one after the other.
     *
     * @return one status for each gateway, in the order in which the client found them. A gateway that does not answer within
     *     {@link ClientOptions#connectTimeout} is reported with a problem
     */
    public List<GatewayStatus> gateways() {
        return cluster.endpoints().stream().map(this::status).toList();
    }

    /** {@return the operations for administrators} The client's user needs the role admin. */
    public Administration administration() {
        return new Administration(cluster, options);
    }

    private GatewayStatus status(Endpoint endpoint) {
        Deadline deadline = Deadline.in(options.connectTimeout());
        try {
            Link link = cluster.link(endpoint, deadline);
            long asked = System.nanoTime();
            deadline.await(link.call(new Message.DescribeTables(), true));
            Message.Welcome welcome = link.welcome();
            return new GatewayStatus(
                    endpoint.toString(),
                    "",
                    welcome.node(),
                    cluster.zone(endpoint),
                    welcome.protocol(),
                    Duration.ofNanos(System.nanoTime() - asked),
                    Duration.ofMillis(welcome.limits().idleMillis()),
                    Duration.ofMillis(welcome.limits().lifetimeMillis()));
        } catch (RccException e) {
            return new GatewayStatus(
                    endpoint.toString(), e.getMessage(), -1, "", "", Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }
    }

    // ---- locks -----------------------------------------------------------------------------------------------------

    /**
     * {@return the locks of a namespace} Sends nothing: a namespace that the cluster does not have is reported when a lock is requested.
     *
     * @param namespace the namespace's name
     */
    public Locks locks(String namespace) {
        return new Locks(this, cluster, namespace);
    }

    /** The cluster's name. */
    String clusterName() {
        return cluster.name();
    }

    // ---- transactions ----------------------------------------------------------------------------------------------

    /**
     * Runs a transaction to its end, on the caller's thread. Commits when {@code body} returns and aborts when it throws. Tries again after a
     * conflict, and after any other {@linkplain RccException#isRetryable retryable} error. So {@code body} may run several times: apart from
     * the operations of its transaction, it must do nothing that cannot be repeated.
     *
     * @param <T> the type of the result of {@code body}
     * @param body the transaction's work; only the thread that runs it may use the transaction that it is given, and only until it returns
     * @return the result of {@code body} in the attempt that committed
     * @throws ConflictException when the last attempt met a conflict
     * @throws UnavailableException when the last attempt could not reach a gateway or a node, or found no room there
     * @throws DeadlineExceededException when the deadline passes before an attempt commits, or the thread is interrupted
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the transaction has committed
     * @throws RuntimeException the exception that {@code body} threw; if its reads were not all true at one moment, the transaction is tried again
     *     instead
     */
    public <T> T transact(Function<Transaction, T> body) {
        return transact(options.call(), body);
    }

    /**
     * Runs a transaction, as {@link #transact(Function)}.
     *
     * @param <T> the type of the result of {@code body}
     * @param call the deadline and the number of attempts, in place of the client's own options
     * @param body the transaction's work
     * @return the result of {@code body} in the attempt that committed
     */
    public <T> T transact(CallOptions call, Function<Transaction, T> body) {
        return run(call, false, body);
    }

    /**
     * Runs a transaction that returns nothing, as {@link #transact(Function)}.
     *
     * @param body the transaction's work
     */
    public void execute(Consumer<Transaction> body) {
        execute(options.call(), body);
    }

    /**
     * Runs a transaction that returns nothing, as {@link #transact(Function)}.
     *
     * @param call the deadline and the number of attempts, in place of the client's own options
     * @param body the transaction's work
     */
    public void execute(CallOptions call, Consumer<Transaction> body) {
        transact(call, txn -> {
            body.accept(txn);
            return null;
        });
    }

    /**
     * Runs a transaction that only reads, as {@link #transact(Function)}.
     *
     * @param <T> the type of the result of {@code body}
     * @param body the transaction's work; a write in it throws a {@link BadRequestException}
     * @return the result of {@code body} in the attempt that committed, whose reads were all true at one moment
     */
    public <T> T read(Function<Transaction, T> body) {
        return read(options.call(), body);
    }

    /**
     * Runs a transaction that only reads, as {@link #read(Function)}.
     *
     * @param <T> the type of the result of {@code body}
     * @param call the deadline and the number of attempts, in place of the client's own options
     * @param body the transaction's work; a write in it throws a {@link BadRequestException}
     * @return the result of {@code body} in the attempt that committed, whose reads were all true at one moment
     */
    public <T> T read(CallOptions call, Function<Transaction, T> body) {
        return run(call, true, body);
    }

    /**
     * Runs a transaction on a virtual thread of its own, as {@link #transact(Function)}.
     *
     * @param <T> the type of the result of {@code body}
     * @param body the transaction's work
     * @return a future with the result of {@code transact}, or with the exception that it throws; cancelling it does not stop the transaction
     */
    public <T> CompletableFuture<T> transactAsync(Function<Transaction, T> body) {
        return transactAsync(options.call(), body);
    }

    /**
     * Runs a transaction on a virtual thread of its own, as {@link #transactAsync(Function)}.
     *
     * @param <T> the type of the result of {@code body}
     * @param call the deadline and the number of attempts, in place of the client's own options
     * @param body the transaction's work
     * @return a future with the result of {@code transact}, or with the exception that it throws; cancelling it does not stop the transaction
     */
    public <T> CompletableFuture<T> transactAsync(CallOptions call, Function<Transaction, T> body) {
        return CompletableFuture.supplyAsync(() -> transact(call, body), async);
    }

    // ---- transactions of one operation -----------------------------------------------------------------------------

    /**
     * Reads a record in a transaction of its own. It takes one round trip, to the node that has the record if that node's gateway can be
     * reached. Tries again as {@link #read(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     */
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return single(true, table, key, (txn, wireKey) -> txn.get(table, wireKey, false, false));
    }

    /**
     * Writes a record, whether or not the key has one, in a transaction of its own, which takes one round trip. Tries again as
     * {@link #transact(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table
     * @param key the record's key, not null
     * @param value the record, not null; it replaces the key's earlier record as a whole
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the transaction has committed
     */
    public <K, V> void put(Table<K, V> table, K key, V value) {
        single(false, table, key, (txn, wireKey) -> {
            txn.write(table, wireKey, value);
            return CompletableFuture.completedFuture(null); // if it fails, so does the commit
        });
    }

    /**
     * Adds a record in a transaction of its own, which takes one round trip. Tries again as {@link #transact(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table
     * @param key the record's key, not null
     * @param value the record, not null
     * @throws RecordExistsException when the key has a record already
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     * @throws ResultLostException when the transaction has committed and its connection was lost, so that it is not known whether the key had a
     *     record
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the transaction has committed
     */
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        single(false, table, key, (txn, wireKey) -> txn.insert(table, wireKey, value, false));
    }

    /**
     * Writes a part of a record if other bytes of it are as expected, in a transaction of its own. It takes one round trip, or two if the
     * gateway's protocol version is earlier than 4. Tries again as {@link #transact(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key, not null
     * @param patch the bytes that are expected and the bytes to write; offsets are those of the table's codec
     * @return whether the patch was written, or why not
     * @throws BadRequestException when the patch ends beyond the end of the table's records, or is longer than a message to the gateway may be
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     * @throws ResultLostException when the transaction has committed and its connection was lost, so that it is not known whether the patch was
     *     written
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the transaction has committed
     */
    public <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch) {
        Key wireKey = table.keys().encode(key);
        return tried(options.call().near(new Near(table.name(), wireKey)), false, (near, deadline, call) -> {
            Txn txn = beginSingle(false, near, deadline, call);
            return txn.understandsPatches()
                    ? txn.commitWith(() -> txn.patch(table, wireKey, patch, false))
                    : finish(txn, open -> open.patch(table, key, patch));
        });
    }

    /**
     * Removes a record, if there is one, in a transaction of its own, which takes one round trip. Tries again as
     * {@link #transact(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table
     * @param key the record's key, not null
     * @return whether there was a record
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     * @throws ResultLostException when the transaction has committed and its connection was lost, so that it is not known whether there was a
     *     record
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the transaction has committed
     */
    public <K, V> boolean delete(Table<K, V> table, K key) {
        return single(false, table, key, (txn, wireKey) -> txn.delete(table, wireKey, false));
    }

    /**
     * Reads the first records of a range of an ordered table, as of one moment, in a transaction of its own. It takes one round trip if all
     * of them fit in the gateway's first answer, which is one frame. Tries again as {@link #read(Function)} does.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the records' table, which must be ordered
     * @param range the keys to read
     * @param limit the most records to read, at least 1
     * @return the first records of the range with their keys, in the order of the range; empty if it has none
     * @throws BadRequestException when the table is not ordered
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     */
    public <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit) {
        Bound from = range.lower(table.keys());
        Bound to = range.upper(table.keys());
        return tried(options.call(), true, (near, deadline, call) -> {
            Txn txn = beginSingle(true, near, deadline, call);
            Message.Records first =
                    txn.commitWith(() -> txn.scan(table, range.isDescending(), from, to, limit, false, false));
            return !first.more() || first.records().size() >= limit
                    ? TableOperations.entries(table, first)
                    // The rest would be of another moment, so the whole range is read once more.
                    : attempt(true, near, again -> again.scan(table, range, limit), deadline, call);
        });
    }

    private <K, T> T single(
            boolean readOnly, Table<K, ?> table, K key, BiFunction<Txn, Key, CompletableFuture<T>> operation) {
        Key wireKey = table.keys().encode(key);
        return tried(options.call().near(new Near(table.name(), wireKey)), readOnly, (near, deadline, call) -> {
            Txn txn = beginSingle(readOnly, near, deadline, call);
            return txn.commitWith(() -> operation.apply(txn, wireKey));
        });
    }

    // ---- transactions that the program ends ------------------------------------------------------------------------

    /**
     * Begins a transaction that the caller commits or aborts, within the client's deadline.
     *
     * @return the transaction, which the caller closes
     * @throws UnavailableException when no gateway can be reached
     */
    public OpenTransaction begin() {
        return begin(options.call().deadline());
    }

    /**
     * Begins a transaction that the caller commits or aborts.
     *
     * @param deadline the time from now until the commit, more than 0; gateways allow at most {@link GatewayStatus#transactionMax}
     * @return the transaction, which the caller closes
     * @throws UnavailableException when no gateway can be reached
     */
    public OpenTransaction begin(Duration deadline) {
        return beginManual(false, deadline);
    }

    /**
     * Begins a transaction that only reads, and that the caller commits or aborts. Only a successful commit confirms that all of its reads
     * were true at one moment.
     *
     * @param deadline the time from now until the commit, as for {@link #begin(Duration)}
     * @return the transaction, which the caller closes
     * @throws UnavailableException when no gateway can be reached
     */
    public OpenTransaction beginRead(Duration deadline) {
        return beginManual(true, deadline);
    }

    private OpenTransaction beginManual(boolean readOnly, Duration duration) {
        Deadline deadline = Deadline.in(duration);
        ClientTelemetry.Call call = begins("manual");
        try {
            return begin(readOnly, null, deadline, call, true);
        } catch (RuntimeException e) {
            call.end(e);
            throw e;
        }
    }

    private ClientTelemetry.Call begins(String transaction) {
        return options.telemetry()
                .begin(ClientTelemetry.Operation.transaction(transaction, cluster.name()), ClientTelemetry.Call.NONE);
    }

    private Txn begin(boolean readOnly, Near near, Deadline deadline, ClientTelemetry.Call call, boolean endsCall) {
        return new Txn(this, cluster.place(near, deadline), near, readOnly, deadline, call, endsCall);
    }

    /**
     * Begins a transaction of one operation, for {@link Txn#commitWith}. The gateway gets it as one request if it understands that, and otherwise as
     * three that travel together.
     */
    private Txn beginSingle(boolean readOnly, Near near, Deadline deadline, ClientTelemetry.Call call) {
        Cluster.Place place = cluster.place(near, deadline);
        return place.link().welcome().version() >= Wire.AUTOCOMMIT_VERSION
                ? new SingleTxn(this, place, near, readOnly, deadline, call)
                : new Txn(this, place, near, readOnly, deadline, call, false);
    }

    private <T> T run(CallOptions tries, boolean readOnly, Function<Transaction, T> body) {
        Objects.requireNonNull(body, "body");
        return tried(tries, readOnly, (near, deadline, call) -> attempt(readOnly, near, body, deadline, call));
    }

    /** One attempt at a transaction. */
    @FunctionalInterface
    private interface Attempt<T> {
        /**
         * Makes the attempt.
         *
         * @param near the record near which it begins, or null
         * @param call the transaction in the telemetry
         */
        T make(Near near, Deadline deadline, ClientTelemetry.Call call);
    }

    /** Tries a transaction until an attempt succeeds, within its deadline, and reports it to the telemetry. */
    private <T> T tried(CallOptions tries, boolean readOnly, Attempt<T> attempt) {
        Deadline deadline = Deadline.in(tries.deadline());
        ClientTelemetry.Call call = begins(readOnly ? "read" : "transact");
        return observed(call, () -> retry(tries, deadline, call, near -> attempt.make(near, deadline, call)));
    }

    /** Runs a body and reports its end to the telemetry. */
    private static <T> T observed(ClientTelemetry.Call call, Supplier<T> body) {
        ClientTelemetry.Scope scope = call.enter();
        Throwable failure = null;
        try {
            return body.get();
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            scope.close();
            call.end(failure);
        }
    }

    private <T> T attempt(
            boolean readOnly, Near near, Function<Transaction, T> body, Deadline deadline, ClientTelemetry.Call call) {
        return finish(begin(readOnly, near, deadline, call, false), body);
    }

    /** Runs the whole body of a transaction that has just begun, and commits. */
    private static <T> T finish(Txn txn, Function<Transaction, T> body) {
        try {
            T result = body.apply(txn);
            txn.commit();
            return result;
        } catch (Throwable e) { // in a language without checked exceptions, the body may throw any
            confirmReads(txn, e);
            if (e instanceof CompletionException && e.getCause() instanceof RccException refused) {
                throw refused.here(); // the body has joined a future of getAsync
            }
            throw e;
        }
    }

    /** Aborts a transaction whose body has failed. The failure counts only if all that the body has read was true at one moment. */
    private static void confirmReads(Txn txn, Throwable failure) {
        boolean held;
        try {
            held = txn.abortAndConfirm();
        } catch (RccException lost) {
            lost.addSuppressed(failure);
            throw lost;
        }
        if (!held) {
            throw RccException.of(
                    ErrorCode.CONFLICT, "the transaction's reads were not consistent: run it again", failure);
        }
    }

    /**
     * Tries until an attempt succeeds.
     *
     * @param attempt receives the record near which it begins, or null
     */
    private static <T> T retry(
            CallOptions tries, Deadline deadline, ClientTelemetry.Call call, Function<Near, T> attempt) {
        Near near = tries.near();
        for (int number = 1; ; number++) {
            RccException failure;
            try {
                return attempt.apply(near);
            } catch (RccException e) {
                if (!e.isRetryable()) {
                    throw e;
                }
                failure = e;
            }
            if (number >= tries.maxAttempts()) {
                throw RccException.of(
                        failure.code(),
                        "gave up after " + number + " attempts: reduce contention, or allow more attempts",
                        failure);
            }
            if (failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.OVERLOADED) {
                near = null; // another gateway may have room
            }
            backOff(tries, number, deadline, failure);
            call.retried(failure);
        }
    }

    /** Waits for a random time, so that transactions that met in a conflict do not meet again. */
    private static void backOff(CallOptions call, int attempt, Deadline deadline, RccException failure) {
        int doublings = Math.min(attempt - 1, 30);
        long most = Math.min(
                call.maxBackoff().toNanos(), saturatedShift(call.baseBackoff().toNanos(), doublings));
        boolean slept =
                deadline.sleep(most == 0 ? 0 : ThreadLocalRandom.current().nextLong(most + 1));
        if (!slept || deadline.isOver()) {
            throw Deadline.exceeded("the time was over after " + attempt + " attempts", failure);
        }
    }

    private static long saturatedShift(long value, int shift) {
        return value > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : value << shift;
    }

    // ---- stored procedures -----------------------------------------------------------------------------------------

    /**
     * Calls a stored procedure, in one round trip and one transaction, which the gateway tries again after a conflict. The call takes
     * effect at most once.
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param procedure the procedure's type, as on the servers
     * @param argument the procedure's argument; null only if its codec accepts null
     * @return the procedure's result
     * @throws ProcedureFailedException when the procedure refuses or fails: it has had no effect
     * @throws ResultLostException when the procedure has committed, and no gateway has its result any more
     * @throws BadRequestException when no server has the procedure, or the argument is longer than a message to the gateway may be
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the deadline passes first
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether the procedure has committed
     */
    public <A, R> R call(ProcedureType<A, R> procedure, A argument) {
        return call(options.call(), procedure, argument);
    }

    /**
     * Calls a stored procedure, as {@link #call(ProcedureType, Object)}.
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param tries the deadline and the number of attempts, in place of the client's own options
     * @param procedure the procedure's type, as on the servers
     * @param argument the procedure's argument; null only if its codec accepts null
     * @return the procedure's result
     */
    public <A, R> R call(CallOptions tries, ProcedureType<A, R> procedure, A argument) {
        Deadline deadline = Deadline.in(tries.deadline());
        ClientTelemetry.Call call = options.telemetry()
                .begin(
                        new ClientTelemetry.Operation(
                                ClientTelemetry.Kind.TRANSACTION, "call", cluster.name(), "", procedure.name(), ""),
                        ClientTelemetry.Call.NONE);
        return observed(call, () -> {
            ProcedureCall<A, R> calls = new ProcedureCall<>(this, cluster, procedure, argument, deadline, call);
            return retry(tries, deadline, call, calls::attempt);
        });
    }

    /**
     * Calls a stored procedure on a virtual thread of its own, as {@link #call(ProcedureType, Object)}.
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param procedure the procedure's type, as on the servers
     * @param argument the procedure's argument; null only if its codec accepts null
     * @return a future with the procedure's result, or with the exception that {@code call} throws; cancelling it does not stop the procedure
     */
    public <A, R> CompletableFuture<R> callAsync(ProcedureType<A, R> procedure, A argument) {
        return callAsync(options.call(), procedure, argument);
    }

    /**
     * Calls a stored procedure on a virtual thread of its own, as {@link #callAsync(ProcedureType, Object)}.
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param tries the deadline and the number of attempts, in place of the client's own options
     * @param procedure the procedure's type, as on the servers
     * @param argument the procedure's argument; null only if its codec accepts null
     * @return a future with the procedure's result, or with the exception that {@code call} throws; cancelling it does not stop the procedure
     */
    public <A, R> CompletableFuture<R> callAsync(CallOptions tries, ProcedureType<A, R> procedure, A argument) {
        return CompletableFuture.supplyAsync(() -> call(tries, procedure, argument), async);
    }

    // ---- outcomes and causality ------------------------------------------------------------------------------------

    /**
     * Asks for the result of a stored procedure whose call ended with a {@link TransactionOutcomeUnknownException}. Waits for at most the
     * client's deadline of a call.
     *
     * @param <R> the type of the result
     * @param procedure the procedure that was called
     * @param ticket the exception's ticket
     * @return the procedure's result. Empty if the result is null, if the call has not committed, or if the result or the outcome is not known;
     *     {@link #outcomeOf} returns the outcome
     */
    public <R> Optional<R> resultOf(ProcedureType<?, R> procedure, CommitTicket ticket) {
        Deadline deadline = Deadline.in(options.call().deadline());
        Message.OutcomeIs outcome = ask(ticket, deadline);
        Bytes result = outcome.result();
        if (result == null && outcome.status() == Message.Status.COMMITTED) {
            result =
                    resultAt(Endpoint.parse(ticket.gateway()), ticket, deadline).orElse(null);
        }
        return Optional.ofNullable(result).map(bytes -> ProcedureCall.decode(procedure, bytes));
    }

    /**
     * Asks for the outcome of a commit. Waits for at most the client's deadline of a call.
     *
     * @param ticket the ticket of the exception with which the commit ended
     * @return the commit's outcome; {@link CommitOutcome#UNKNOWN} if no gateway could tell in time, though one may know later
     */
    public CommitOutcome outcomeOf(CommitTicket ticket) {
        Deadline deadline = Deadline.in(options.call().deadline());
        while (true) {
            Message.Status status = ask(ticket, deadline).status();
            if (status == Message.Status.COMMITTED) {
                return CommitOutcome.COMMITTED;
            } else if (status == Message.Status.NOT_COMMITTED) {
                return CommitOutcome.NOT_COMMITTED;
            } else if (status == Message.Status.UNKNOWN || !deadline.sleep(ASK_AGAIN_NANOS)) {
                return CommitOutcome.UNKNOWN;
            }
        }
    }

    private static Message.AskOutcome question(CommitTicket ticket) {
        long age = Math.max(0, Duration.between(ticket.sent(), Instant.now()).toMillis());
        return new Message.AskOutcome(ticket.id(), ticket.incarnation(), (int) Math.min(age, Integer.MAX_VALUE));
    }

    /**
     * Asks for a commit's outcome until a gateway knows it or the deadline passes. Asks in turn any gateway, which knows the outcome if the
     * cluster keeps outcomes, and the gateway that the commit was sent to.
     */
    Message.OutcomeIs ask(CommitTicket ticket, Deadline deadline) {
        Endpoint addressee = Endpoint.parse(ticket.gateway());
        for (boolean any = true; !deadline.isOver(); any = !any) {
            try {
                Deadline soon = Deadline.in(Duration.ofMillis(GIVE_UP_MILLIS)).earlier(deadline);
                Link link = any ? cluster.place(null, soon).link() : cluster.link(addressee, soon);
                Message.OutcomeIs outcome = (Message.OutcomeIs) soon.await(link.call(question(ticket), true));
                if (!any || outcome.status() != Message.Status.UNKNOWN) {
                    return outcome;
                }
            } catch (RccException e) {
                if (!deadline.sleep(TimeUnit.MILLISECONDS.toNanos(20))) {
                    break;
                }
            }
        }
        return new Message.OutcomeIs(Message.Status.UNKNOWN, 0);
    }

    /** The result of a call, from the gateway that it was sent to; empty if that gateway cannot be reached or has no result. */
    Optional<Bytes> resultAt(Endpoint gateway, CommitTicket ticket, Deadline last) {
        try {
            Message.OutcomeIs outcome =
                    (Message.OutcomeIs) last.await(cluster.link(gateway, last).call(question(ticket), true));
            return Optional.ofNullable(outcome.result());
        } catch (RccException | ClientClosedException e) {
            return Optional.empty();
        }
    }

    /** Asks for the outcome of a commit whose answer was lost. Returns if it has taken effect, and throws otherwise. */
    Message.OutcomeIs resolve(CommitTicket ticket, Deadline last, RccException lost) {
        while (!last.isOver()) {
            Message.OutcomeIs outcome;
            try {
                outcome = ask(ticket, last);
            } catch (ClientClosedException e) {
                throw unknown(ticket, lost);
            }
            switch (outcome.status()) {
                case COMMITTED -> {
                    observe(outcome.commitTs());
                    settled(ticket.id());
                    return outcome;
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

    /** The outcome of a commit is known. */
    void settled(CommitId id) {
        if (!id.equals(CommitId.NONE)) {
            commits.settled(id);
        }
    }

    static TransactionOutcomeUnknownException unknown(CommitTicket ticket, Throwable cause) {
        return new TransactionOutcomeUnknownException(
                ticket,
                "no gateway could tell in time whether commit " + ticket.id()
                        + " took effect: ask again with RccClient.outcomeOf, before doing it twice",
                cause);
    }

    /**
     * Returns a number that stands for all commits that this client has seen. Another client that is given the number by {@link #observe}
     * runs its later transactions after those commits (Sundial, 3.6).
     *
     * @return the greatest commit timestamp that this client knows of, 0 if it knows of none
     */
    public long token() {
        return token.get();
    }

    /**
     * Makes this client's transactions from now on come after all commits that another client has seen.
     *
     * @param otherToken the other client's {@link #token}; a token less than this client's own changes nothing
     */
    public void observe(long otherToken) {
        token.accumulateAndGet(otherToken, Math::max);
    }

    ClientTelemetry telemetry() {
        return options.telemetry();
    }

    /**
     * A name for a commit that is about to be sent.
     *
     * @param near the record near which the transaction began, or null
     */
    CommitId newCommit(Link link, Near near) {
        return commits.take(cluster.outcomePartition(link, near));
    }

    ExecutorService async() {
        return async;
    }

    Faults faults() {
        return faults;
    }

    /** Closes the connections. Open transactions end without effect, except for commits that are under way. */
    @Override
    public void close() {
        cluster.close(); // tasks of the executor end by themselves, and report that the client is closed
    }
}
