package dev.rcc.server.gateway;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.TableAttribute;
import dev.rcc.core.store.Distribution;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.transport.LogLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A gateway without sockets: runs clients' transactions on coroutines of the node's workers, from which it takes time and waiting. So it runs in
 * simulated clusters, too. The order of calls is: create, {@link #open}, {@link #connect} clients and {@link #reap} every few milliseconds,
 * {@link #close}. May be used on any thread.
 */
public final class GatewayCore {
    /** Overhead of a frame with a result, in bytes. */
    static final int RESULT_FRAME_BYTES = 64;
    /** Most bytes of stored procedures' results that are kept. */
    private static final long RESULTS_BYTES_MAX = 16L * 1024 * 1024;

    private final GatewayNode node;
    private final GatewayOptions options;
    private final Procedures procedures;
    private final CallResults results = new CallResults(RESULTS_BYTES_MAX);
    private final LogLimit mistakesLog = new LogLimit();
    private final OutcomeStore outcomes;
    private final Optional<Fences> fences;
    private final Message.Tables tables;
    /** By worker. */
    private final List<LockSession.Owners> lockOwners = new ArrayList<>();

    private final List<TransactionSlots> slots = new ArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();

    /**
     * A gateway, which has no coroutines yet.
     *
     * @param incarnation a number that no other gateway of the cluster has had
     * @throws IllegalArgumentException when the result of a procedure does not fit the options' frames
     */
    public GatewayCore(GatewayNode node, GatewayOptions options, Procedures procedures, long incarnation) {
        checkResults(procedures, options.limits().frameLength());
        this.node = node;
        this.options = options;
        this.procedures = procedures;
        this.outcomes = OutcomeRecords.of(node.catalog(), options.timeouts().outcomeRetention())
                .<OutcomeStore>map(records -> new RecordedOutcomes(
                        records, results, Duration.ofMillis(options.limits().idleMillis())))
                .orElseGet(() -> new MemoryOutcomes(options.capacity().outcomes(), incarnation, results));
        this.fences = Fences.of(node);
        this.tables = describe(node, outcomes);
        for (int worker = 0; worker < node.workers(); worker++) {
            slots.add(new TransactionSlots(
                    node.worker(worker),
                    options.capacity().waiting(),
                    new PutForecast(node.catalog().userTables())));
            lockOwners.add(new LockSession.Owners());
        }
    }

    private static void checkResults(Procedures procedures, int frameLength) {
        for (String name : procedures.names()) {
            ProcedureType<?, ?> type = procedures.find(name).type();
            if (frameLength(type) > frameLength) {
                throw new IllegalArgumentException("the result of procedure " + name + " has "
                        + type.result().bytes() + " bytes, and a frame at most " + frameLength
                        + ": return less, or take longer frames");
            }
        }
    }

    /** The length of frames that the result of a procedure needs. */
    public static int frameLength(ProcedureType<?, ?> type) {
        return type.result().bytes() + RESULT_FRAME_BYTES;
    }

    private static Message.Tables describe(GatewayNode node, OutcomeStore outcomes) {
        List<Message.TableInfo> tables = new ArrayList<>();
        for (int id = 0; id < node.catalog().userTables(); id++) {
            TableSchema schema = node.catalog().table(id).schema();
            if (!outcomes.isHidden(id) && !Fences.isHidden(node.catalog(), id)) {
                tables.add(new Message.TableInfo(
                        id,
                        schema.name(),
                        schema.keyKind() == KeyKind.LONG,
                        schema.keyBytes(),
                        schema.recordBytes(),
                        schema.isOrdered(),
                        attributes(schema)));
            }
        }
        return new Message.Tables(tables, true);
    }

    /** The further attributes of a table that clients receive. */
    static List<TableAttribute> attributes(TableSchema schema) {
        List<TableAttribute> attributes = new ArrayList<>();
        Distribution distribution = schema.distribution();
        TableAttribute.Distributed.Rule rule = switch (distribution.rule()) {
            case KEY -> null;
            case PREFIX -> TableAttribute.Distributed.Rule.PREFIX;
            case MODULO -> TableAttribute.Distributed.Rule.MODULO;
            case REPLICATED -> TableAttribute.Distributed.Rule.REPLICATED;
        };
        if (rule != null) {
            attributes.add(new TableAttribute.Distributed(rule, distribution.prefixBytes()));
        }
        if (schema.isIndex()) {
            attributes.add(new TableAttribute.Indexing(
                    schema.index().base(), schema.index().unique()));
        }
        return attributes;
    }

    /**
     * Takes the node's coroutines.
     *
     * @param begins run by each coroutine, on its worker, when it has begun
     * @param ended run by each coroutine, on its worker, when it has ended
     */
    public void open(Runnable begins, Runnable ended) {
        for (int worker = 0; worker < node.workers(); worker++) {
            TransactionSlots those = slots.get(worker);
            for (int coroutine = 0; coroutine < node.coroutines(); coroutine++) {
                node.spawn(worker, coroutine, (runner, self) -> {
                    begins.run();
                    try {
                        those.serve(runner, self);
                    } finally {
                        ended.run();
                    }
                });
            }
        }
    }

    /** Admits a client without a token or certificate, if clients need not authenticate. */
    public ClientSession connect(AnswerSink answers) {
        User user = options.access().users().find("", Optional.empty()).orElseThrow();
        return connect(nextSlots(), new Permissions(user, node.catalog()), answers, "");
    }

    /** Admits a client with these permissions and this name, whose transactions run on the worker of these slots. */
    ClientSession connect(TransactionSlots at, Permissions permissions, AnswerSink answers, String client) {
        int worker = at.worker().index();
        LockSession locks = new LockSession(
                node.locks(worker), options.limits(), permissions, answers, lockOwners.get(worker), client);
        return new ClientSession(this, at, permissions, answers, locks);
    }

    /** Ends transactions that have waited for their clients for too long, or have run out of time. */
    public void reap() {
        slots.forEach(TransactionSlots::reap);
    }

    /** Lets no transaction begin any more: refuses new ones with an error, and lets running ones go on. Does not wait. */
    public void drain() {
        slots.forEach(each -> each.execute(each::drain));
    }

    /** Lets no transaction begin any more, aborts open transactions, and gives the coroutines back. Does not wait. */
    public void close() {
        slots.forEach(each -> each.execute(each::close));
    }

    /** Counts how full a table is here; the listener is called on this worker. */
    void count(Worker worker, Table table, Consumer<Message.Usage> listener) {
        worker.execute(new TableCount(node, worker, table, listener));
    }

    /** Finds the locks of a namespace that are held or waited for here; the listener is called on the worker of these slots. */
    void describeLocks(TransactionSlots to, String namespace, Consumer<Message.Locks> listener) {
        describeLocks(0, namespace, new ArrayList<>(), found -> {
            Message.Locks fitting = fitting(found);
            to.execute(() -> listener.accept(fitting));
        });
    }

    /** The first of these locks, as many as an answer has room for. */
    private Message.Locks fitting(List<Message.LockInfo> found) {
        int room = options.limits().frameLength() - RESULT_FRAME_BYTES;
        for (int i = 0; i < found.size(); i++) {
            room -= MessageCodec.lockBytes(found.get(i));
            if (room < 0) {
                return new Message.Locks(true, found.subList(0, i));
            }
        }
        return new Message.Locks(false, found);
    }

    /** Asks one worker after the other. */
    private void describeLocks(
            int worker, String namespace, List<Message.LockInfo> found, Consumer<List<Message.LockInfo>> listener) {
        if (worker == slots.size()) {
            listener.accept(found);
            return;
        }
        slots.get(worker).execute(() -> {
            node.locks(worker).ifPresent(locks -> lockOwners.get(worker).describe(locks, namespace, found));
            describeLocks(worker + 1, namespace, found, listener);
        });
    }

    // ---- for sessions ----------------------------------------------------------------------------------------------

    GatewayNode node() {
        return node;
    }

    GatewayOptions options() {
        return options;
    }

    Procedures procedures() {
        return procedures;
    }

    CallResults results() {
        return results;
    }

    /** Limits the messages about procedures that fail. */
    LogLimit mistakesLog() {
        return mistakesLog;
    }

    /** The records of the greatest tokens of locks, if the cluster serves locks. */
    Optional<Fences> fences() {
        return fences;
    }

    OutcomeStore outcomes() {
        return outcomes;
    }

    /** The tables that clients see. */
    Message.Tables tables() {
        return tables;
    }

    /** The slots of the worker whose turn it is to have another client. */
    TransactionSlots nextSlots() {
        return slots.get(Math.floorMod(turns.getAndIncrement(), slots.size()));
    }
}
