package dev.rcc.client;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 * A client of a cluster: one for a whole program, shared by its threads. It finds all gateways from any of them, carries all
 * transactions over few connections, and uses another gateway when one is gone.
 *
 * <p>Its transactions come after all of its own that committed before, in every protocol; {@link #token} hands that on to other clients.
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
     * @return the client, connected to one of them; it is to be closed
     * @throws UnavailableException when none of them can be reached
     * @throws IllegalArgumentException when one of the addresses is none
     */
    public static RccClient connect(String gateways) {
        return connect(gateways, ClientOptions.DEFAULT);
    }

    /**
     * Connects to a cluster, as {@link #connect(String)}.
     *
     * @param gateways some or all of the gateways, {@code host:port,host:port}
     * @param options how the client behaves; connecting takes no longer than its transactions may
     * @return the client, connected to one of the gateways; it is to be closed
     * @throws UnavailableException when none of the gateways can be reached
     * @throws PermissionException when the gateways do not let this client in
     * @throws IllegalArgumentException when one of the addresses is none
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
     * Begins to make a client, whose options are set by the builder's methods.
     *
     * @param gateways some or all of the gateways, as for {@link #connect(String)}
     * @return a builder that has the default options
     */
    public static RccClientBuilder builder(String gateways) {
        return new RccClientBuilder(gateways);
    }

    /** {@return how this client behaves} */
    public ClientOptions options() {
        return options;
    }

    // ---- the cluster -----------------------------------------------------------------------------------------------

    /**
     * {@return the cluster's tables, in the order of their names}
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
     * Asks each gateway that this client knows how it is, one after the other.
     *
     * @return what they say, in the order in which they were found; one that does not answer in {@link ClientOptions#connectTimeout} has a problem
     */
    public List<GatewayStatus> gateways() {
        return cluster.endpoints().stream().map(this::status).toList();
    }

    /** {@return what administrators can do} Their user has the role admin. */
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
     * {@return the locks of a namespace} Whether the cluster has it shows when a lock is asked for.
     *
     * @param namespace the namespace's name
     */
    public Locks locks(String namespace) {
        return new Locks(this, cluster, namespace);
    }

    /** What the cluster calls itself. */
    String clusterName() {
        return cluster.name();
    }

    // ---- transactions ----------------------------------------------------------------------------------------------

    /**
     * Runs a transaction to its end: commits when {@code body} returns, aborts when it throws, and tries again when it meets a
     * conflict. So {@code body} may run several times and must do nothing that cannot be repeated, apart from what it does through its
     * transaction.
     *
     * @param <T> what {@code body} makes
     * @param body what the transaction does; the transaction that it is given is for its own thread, and only until it returns
     * @return what {@code body} has returned in the attempt that committed
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     * @throws RuntimeException what {@code body} has thrown, having seen what was true
     */
    public <T> T transact(Function<Transaction, T> body) {
        return transact(options.call(), body);
    }

    /**
     * Runs a transaction, as {@link #transact(Function)}.
     *
     * @param <T> what {@code body} makes
     * @param call how long and how often it is tried, in place of the client's own options
     * @param body what the transaction does
     * @return what {@code body} has returned in the attempt that committed
     */
    public <T> T transact(CallOptions call, Function<Transaction, T> body) {
        return run(call, false, body);
    }

    /**
     * Runs a transaction that returns nothing, as {@link #transact(Function)}.
     *
     * @param body what the transaction does
     */
    public void execute(Consumer<Transaction> body) {
        execute(options.call(), body);
    }

    /**
     * Runs a transaction that returns nothing, as {@link #transact(Function)}.
     *
     * @param call how long and how often it is tried, in place of the client's own options
     * @param body what the transaction does
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
     * @param <T> what {@code body} makes
     * @param body what the transaction does; it is refused if it writes
     * @return what {@code body} has returned in the attempt whose reads were true at one moment
     */
    public <T> T read(Function<Transaction, T> body) {
        return read(options.call(), body);
    }

    /**
     * Runs a transaction that only reads, as {@link #read(Function)}.
     *
     * @param <T> what {@code body} makes
     * @param call how long and how often it is tried, in place of the client's own options
     * @param body what the transaction does; it is refused if it writes
     * @return what {@code body} has returned in the attempt whose reads were true at one moment
     */
    public <T> T read(CallOptions call, Function<Transaction, T> body) {
        return run(call, true, body);
    }

    /**
     * Runs a transaction on a virtual thread of its own, as {@link #transact(Function)}.
     *
     * @param <T> what {@code body} makes
     * @param body what the transaction does
     * @return what {@code transact} returns, or fails with what it throws; to cancel it does not stop the transaction
     */
    public <T> CompletableFuture<T> transactAsync(Function<Transaction, T> body) {
        return transactAsync(options.call(), body);
    }

    /**
     * Runs a transaction on a virtual thread of its own, as {@link #transactAsync(Function)}.
     *
     * @param <T> what {@code body} makes
     * @param call how long and how often it is tried, in place of the client's own options
     * @param body what the transaction does
     * @return what {@code transact} returns, or fails with what it throws; to cancel it does not stop the transaction
     */
    public <T> CompletableFuture<T> transactAsync(CallOptions call, Function<Transaction, T> body) {
        return CompletableFuture.supplyAsync(() -> transact(call, body), async);
    }

    // ---- transactions of one operation -----------------------------------------------------------------------------

    /**
     * Reads a record in a transaction of its own, which takes one round trip, if it can to the node that has the record. Tries again as {@link #read(Function)} does.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     */
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return single(true, table, key, (txn, wireKey) -> txn.get(table, wireKey, false, false));
    }

    /**
     * Writes a record, whether there was one or not, in a transaction of its own, which takes one round trip. Tries again as
     * {@link #transact(Function)} does.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is
     * @param key the record's key, not null
     * @param value the record, not null; nothing is left of one that was there
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
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
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is
     * @param key the record's key, not null
     * @param value the record, not null
     * @throws RecordExistsException when the key has one
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     * @throws ResultLostException when the connection was lost, and whether the key had a record is not known
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     */
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        single(false, table, key, (txn, wireKey) -> txn.insert(table, wireKey, value, false));
    }

    /**
     * Writes a part of a record, on condition that other bytes of it are as expected, in a transaction of its own, which takes one round trip
     * (two where the gateway's version is earlier than 4). Tries again as {@link #transact(Function)} does.
     *
     * @param <K> what the program calls a key
     * @param table where it is
     * @param key the record's key, not null
     * @param patch what is expected and written; offsets are those of the table's codec
     * @return whether it was written, or why not
     * @throws BadRequestException when the patch ends behind the table's records
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     * @throws ResultLostException when the connection was lost, and whether it was written is not known
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     */
    public <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch) {
        Key wireKey = table.keys().encode(key);
        return tried(options.call().near(new Near(table.name(), wireKey)), false, (near, deadline, call) -> {
            Txn txn = begin(false, near, deadline, call, false);
            return txn.understandsPatches()
                    ? txn.commitWith(() -> txn.patch(table, wireKey, patch, false))
                    : finish(txn, open -> open.patch(table, key, patch));
        });
    }

    /**
     * Removes a record, if there is one, in a transaction of its own, which takes one round trip. Tries again as
     * {@link #transact(Function)} does.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is
     * @param key the record's key, not null
     * @return whether there was one
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     * @throws ResultLostException when the connection was lost, and whether there was a record is not known
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     */
    public <K, V> boolean delete(Table<K, V> table, K key) {
        return single(false, table, key, (txn, wireKey) -> txn.delete(table, wireKey, false));
    }

    /**
     * Reads the first records of a range of an ordered table, as of one moment, in a transaction of its own. It takes one round trip if the
     * gateway's first answer has them all, which it has as long as they fit a frame. Tries again as {@link #read(Function)} does.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where they are, an ordered table
     * @param range which keys
     * @param limit most records to be read, at least 1
     * @return the first records of the range with their keys, ascending, or in the order of the range; empty if it has none
     * @throws BadRequestException when the table is not ordered
     * @throws ConflictException when no attempt could commit
     * @throws DeadlineExceededException when the time was over first
     */
    public <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit) {
        Bound from = range.lower(table.keys());
        Bound to = range.upper(table.keys());
        return tried(options.call(), true, (near, deadline, call) -> {
            Txn txn = begin(true, near, deadline, call, false);
            Message.Records first =
                    txn.commitWith(() -> txn.scan(table, range.isDescending(), from, to, limit, false, false));
            return !first.more() || first.records().size() >= limit
                    ? TableOperations.entries(table, first)
                    // The rest would be of another moment, so all is read once more.
                    : attempt(true, near, again -> again.scan(table, range, limit), deadline, call);
        });
    }

    private <K, T> T single(
            boolean readOnly, Table<K, ?> table, K key, BiFunction<Txn, Key, CompletableFuture<T>> operation) {
        Key wireKey = table.keys().encode(key);
        return tried(options.call().near(new Near(table.name(), wireKey)), readOnly, (near, deadline, call) -> {
            Txn txn = begin(readOnly, near, deadline, call, false);
            return txn.commitWith(() -> operation.apply(txn, wireKey));
        });
    }

    // ---- transactions that the program ends ------------------------------------------------------------------------

    /**
     * Begins a transaction that the caller commits or aborts, within the client's deadline.
     *
     * @return the transaction, which is to be closed
     * @throws UnavailableException when no gateway can be reached
     */
    public OpenTransaction begin() {
        return begin(options.call().deadline());
    }

    /**
     * Begins a transaction that the caller commits or aborts.
     *
     * @param deadline time from now until the commit, more than 0; gateways allow no more than {@link GatewayStatus#transactionMax}
     * @return the transaction, which is to be closed
     * @throws UnavailableException when no gateway can be reached
     */
    public OpenTransaction begin(Duration deadline) {
        return beginManual(false, deadline);
    }

    /**
     * Begins a transaction that only reads, and that the caller commits or aborts; only the commit says that all it read was true.
     *
     * @param deadline time from now until the commit, as for {@link #begin(Duration)}
     * @return the transaction, which is to be closed
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
        Cluster.Place place = cluster.place(near, deadline);
        return new Txn(this, place.link(), place.endpoint(), near, readOnly, deadline, call, endsCall);
    }

    private <T> T run(CallOptions tries, boolean readOnly, Function<Transaction, T> body) {
        Objects.requireNonNull(body, "body");
        return tried(tries, readOnly, (near, deadline, call) -> attempt(readOnly, near, body, deadline, call));
    }

    /** One attempt at a transaction. */
    @FunctionalInterface
    private interface Attempt<T> {
        /**
         * Makes it.
         *
         * @param near the record near which it is to begin, or null
         * @param call what the telemetry has of the transaction
         */
        T make(Near near, Deadline deadline, ClientTelemetry.Call call);
    }

    /** Tries a transaction until an attempt succeeds, within its time; the telemetry sees it. */
    private <T> T tried(CallOptions tries, boolean readOnly, Attempt<T> attempt) {
        Deadline deadline = Deadline.in(tries.deadline());
        ClientTelemetry.Call call = begins(readOnly ? "read" : "transact");
        return observed(call, () -> retry(tries, deadline, call, near -> attempt.make(near, deadline, call)));
    }

    /** Runs something that the telemetry sees. */
    private static <T> T observed(ClientTelemetry.Call call, Supplier<T> body) {
        ClientTelemetry.Scope scope = call.enter();
        Throwable failure = null;
        try {
            return body.get();
        } catch (RuntimeException | Error e) {
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

    /** Does all of a transaction that has just begun. */
    private static <T> T finish(Txn txn, Function<Transaction, T> body) {
        try {
            T result = body.apply(txn);
            txn.commit();
            return result;
        } catch (RuntimeException | Error e) {
            if (txn.abortAndAsk()) {
                throw e;
            }
            throw RccException.of(
                    ErrorCode.CONFLICT, "the transaction has read what was never true: begin it again", e);
        }
    }

    /**
     * Tries until an attempt succeeds.
     *
     * @param attempt is given the record near which it is to begin, or null
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
                        "gave up after " + number + " attempts: let fewer transactions meet, or allow more attempts",
                        failure);
            }
            if (failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.OVERLOADED) {
                near = null; // another gateway may have room
            }
            backOff(tries, number, deadline, failure);
            call.retried(failure);
        }
    }

    /** Waits for a random time, so that those who met do not meet again. */
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
     * Calls a stored procedure: one round trip, one transaction, which the gateway tries again when it meets a conflict. It takes
     * effect at most once.
     *
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param procedure which one, as it is on the servers
     * @param argument what it is given; null only if its codec takes that
     * @return what the procedure returns
     * @throws ProcedureFailedException when it refuses or fails: it has had no effect
     * @throws ResultLostException when it has committed, and no gateway has its result any more
     * @throws TransactionOutcomeUnknownException when no gateway can tell in time whether it has committed
     */
    public <A, R> R call(ProcedureType<A, R> procedure, A argument) {
        return call(options.call(), procedure, argument);
    }

    /**
     * Calls a stored procedure, as {@link #call(ProcedureType, Object)}.
     *
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param tries how long and how often it is tried, in place of the client's own options
     * @param procedure which one, as it is on the servers
     * @param argument what it is given; null only if its codec takes that
     * @return what the procedure returns
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
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param procedure which one, as it is on the servers
     * @param argument what it is given; null only if its codec takes that
     * @return what the procedure returns, or fails with what {@code call} throws; to cancel it does not stop the procedure
     */
    public <A, R> CompletableFuture<R> callAsync(ProcedureType<A, R> procedure, A argument) {
        return callAsync(options.call(), procedure, argument);
    }

    /**
     * Calls a stored procedure on a virtual thread of its own, as {@link #callAsync(ProcedureType, Object)}.
     *
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param tries how long and how often it is tried, in place of the client's own options
     * @param procedure which one, as it is on the servers
     * @param argument what it is given; null only if its codec takes that
     * @return what the procedure returns, or fails with what {@code call} throws; to cancel it does not stop the procedure
     */
    public <A, R> CompletableFuture<R> callAsync(CallOptions tries, ProcedureType<A, R> procedure, A argument) {
        return CompletableFuture.supplyAsync(() -> call(tries, procedure, argument), async);
    }

    // ---- outcomes and causality ------------------------------------------------------------------------------------

    /**
     * Asks again what a stored procedure has returned, whose call has ended with a {@link TransactionOutcomeUnknownException}; waits at most as
     * long as a call may take.
     *
     * @param <R> what the program calls the result
     * @param procedure the one that was called
     * @param ticket that of the exception
     * @return what it has returned; empty if that is null, if the call has not committed, or if that is not known, which {@link #outcomeOf} says
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
     * Asks again what became of a commit; waits at most as long as a call may take.
     *
     * @param ticket that of the exception by which the commit has ended
     * @return what became of it; {@link CommitOutcome#UNKNOWN} if no gateway could tell; one may know later
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
     * Asks until a gateway knows or the time is over: any gateway, which knows if the cluster keeps outcomes, and in turn the one that the
     * commit was sent to.
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

    /** What the gateway that a call was sent to knows of its result, if it can be reached. */
    Optional<Bytes> resultAt(Endpoint gateway, CommitTicket ticket, Deadline last) {
        try {
            Message.OutcomeIs outcome =
                    (Message.OutcomeIs) last.await(cluster.link(gateway, last).call(question(ticket), true));
            return Optional.ofNullable(outcome.result());
        } catch (RccException e) {
            return Optional.empty();
        }
    }

    /** Asks until it is clear what became of a commit whose answer was lost. Returns if it has taken effect. */
    Message.OutcomeIs resolve(CommitTicket ticket, Deadline last, RccException lost) {
        while (!last.isOver()) {
            Message.OutcomeIs outcome = ask(ticket, last);
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

    /** It is known what became of a commit. */
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
     * A number that stands for all that this client has seen commit. Given to another client's {@link #observe}, it makes that
     * client's transactions come after this one's (Sundial, 3.6).
     *
     * @return the greatest commit timestamp that this client knows of, 0 if it knows of none
     */
    public long token() {
        return token.get();
    }

    /**
     * Lets this client's transactions from now on come after what another client has seen commit.
     *
     * @param otherToken the other client's {@link #token}; one that is less than this client's own changes nothing
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
     * @param near the record near which the transaction has begun, or null
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

    /** Ends what is open, without effect, and closes the connections. */
    @Override
    public void close() {
        async.shutdown();
        cluster.close();
    }
}
