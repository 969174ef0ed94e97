package dev.rcc.bench.verify.clients;

import dev.rcc.bench.verify.clients.ClientCommit.Known;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;
import dev.rcc.server.gateway.Operation;
import dev.rcc.server.gateway.Request;
import dev.rcc.server.gateway.TransactionTerms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client that runs one transaction after the other, as programs with the client library do. It loses its connection at any moment. Then it
 * asks for the outcome of the commit that it had sent, or sends the same commit again, at any gateway that it reaches.
 *
 * <p>Each step is an event of the simulation. Replies and time limits of a step that is over are ignored.
 */
final class SimulatedClient implements SimulatedLink.Listener {
    private static final int CONNECT_NANOS_MAX = 2_000_000;
    private static final int THINK_NANOS_MAX = 20_000;
    private static final int TIMEOUT_MILLIS_MAX = 20;
    /** The time for which a client waits beyond its transaction's time-out. */
    private static final int GRACE_NANOS = 1_000_000;

    private static final int LOSS_NANOS_MAX = 200_000;
    private static final int ASK_AGAIN_NANOS = 300_000;
    /** The time for which a client asks for an outcome; by then all recoveries are over. */
    private static final long ASK_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    /** A power of 2, and at least the number of partitions; a gateway wraps greater numbers. */
    private static final int PARTITIONS = 8;

    private final SimulatedClients clients;
    private final SplittableRandom random;
    private int left;

    // ---- names of commits ----
    private final long session;
    private int slot;
    private long number = 1;
    /** The greatest commit timestamp that the client has received. */
    private long token;

    // ---- the connection ----
    private SimulatedLink link;
    private int requests;
    private int transactions;
    private final Map<Integer, Consumer<Message.Reply>> awaited = new HashMap<>();
    private Runnable whenConnected;
    private Runnable whenLost;
    /** The step's number, by which a time limit finds out whether its step is over. */
    private long step;

    // ---- the transaction ----
    private ClientCommit commit;
    private Attempt attempt;
    private int commitRequest;
    private SimulatedGateway addressee;
    private long sentNanos;
    private boolean sent;
    /** Whether the commit was sent before, and the client asks for its outcome or sends it again. */
    private boolean isAgain;
    /** Whether the commit had taken effect when it was sent again. */
    private boolean tookEffectBefore;

    /**
     * A new client.
     *
     * @param transactions number of transactions that it runs
     */
    SimulatedClient(SimulatedClients clients, SplittableRandom random, int transactions) {
        this.clients = clients;
        this.random = random;
        this.session = drawSession(random.nextLong());
        this.left = transactions;
    }

    /** Some sessions contain the partition of their commits' outcomes. Others do not, as those of earlier client versions. */
    private static long drawSession(long drawn) {
        return CommitId.session(drawn, (drawn & 1) == 0 ? CommitId.ANYWHERE : (int) (drawn >>> 1) & (PARTITIONS - 1));
    }

    // ---- one transaction after the other ---------------------------------------------------------------------------

    /** Goes on with the next transaction. */
    void next() {
        if (left-- == 0) {
            clients.ended();
            return;
        }
        CommitId id = CommitId.of(session, slot, number);
        Plan plan = Plan.draw(random, id);
        commit = new ClientCommit(plan.writes() ? id : CommitId.NONE, plan);
        sent = false;
        isAgain = false;
        tookEffectBefore = false;
        clients.later(random.nextInt(THINK_NANOS_MAX), this::begin);
    }

    private void begin() {
        whenLost = this::lostInTransaction;
        connect(this::run);
    }

    private void run() {
        attempt = commit.begin();
        int timeoutMillis = 1 + random.nextInt(TIMEOUT_MILLIS_MAX);
        limit(TimeUnit.MILLISECONDS.toNanos(timeoutMillis) + GRACE_NANOS);
        boolean isTokenShown = random.nextBoolean();
        TransactionTerms terms = new TransactionTerms(
                !commit.plan().writes() && random.nextBoolean(), timeoutMillis, isTokenShown ? token : 0);
        if (random.nextInt(20) == 0) {
            SimulatedLink losing = link;
            clients.later(random.nextInt(LOSS_NANOS_MAX), losing::lose);
        }
        switch (commit.plan()) {
            case Plan.Call call -> call(call, terms);
            case Plan.Interactive interactive -> converse(interactive, terms);
            case Plan.Single single -> single(single, terms);
        }
    }

    private void call(Plan.Call call, TransactionTerms terms) {
        commitSent();
        CommitId id = commit.id();
        commitRequest = await(this::called);
        int request = commitRequest;
        link.send(to ->
                to.call(request, terms, id, call.procedure(), call.argument().toBytes()));
    }

    private void called(Message.Reply reply) {
        if (reply instanceof Message.Returned returned) {
            token = Math.max(token, returned.commitTs());
            commit.know(decode(returned.result()));
            if (tookEffectBefore) {
                clients.hit(ClientWindows.CALLED_AGAIN);
            }
            clients.committed(commit);
            finish(Known.COMMITTED);
        } else {
            failed((Message.Failed) reply);
        }
    }

    private static long decode(Bytes result) {
        return ByteBuffer.wrap(result.unsafeArray()).getLong();
    }

    // ---- transactions of one operation ----------------------------------------------------------------------------

    private void single(Plan.Single plan, TransactionTerms terms) {
        commitSent();
        CommitId id = commit.id();
        commitRequest = await(reply -> carriedOut(plan, reply));
        int request = commitRequest;
        link.send(to -> to.autocommit(request, terms, id, plan.operation()));
    }

    private void carriedOut(Plan.Single plan, Message.Reply reply) {
        if (reply instanceof Message.Autocommitted done) {
            token = Math.max(token, done.commitTs());
            note(plan.operation(), done.answer());
            if (tookEffectBefore) {
                clients.report("commit " + commit.id() + " has taken effect, came again, and was answered: " + done);
            }
            if (attempt.leavesRecord()) {
                commit.leavesRecord();
            }
            clients.committed(commit);
            finish(Known.COMMITTED);
        } else {
            failed((Message.Failed) reply);
        }
    }

    // ---- interactive transactions ----------------------------------------------------------------------------------

    private void converse(Plan.Interactive plan, TransactionTerms terms) {
        int txn = ++transactions;
        int beginning = ++requests;
        link.send(to -> to.begin(beginning, txn, terms));
        if (plan.isPipelined()) {
            plan.operations().forEach(operation -> send(txn, operation, () -> {}));
            end(txn, plan);
        } else {
            operate(txn, plan, 0);
        }
    }

    private void operate(int txn, Plan.Interactive plan, int done) {
        if (done == plan.operations().size()) {
            end(txn, plan);
            return;
        }
        long idle = random.nextInt(200) == 0 ? 2L * SimulatedClients.idleNanos() : 0;
        send(
                txn,
                plan.operations().get(done),
                () -> later(random.nextInt(THINK_NANOS_MAX) + idle, () -> operate(txn, plan, done + 1)));
    }

    private void send(int txn, Operation operation, Runnable then) {
        int request = await(reply -> {
            if (reply instanceof Message.Failed failed && failed.transactionOver()) {
                endedEarly(txn, failed);
            } else {
                note(operation, reply);
                then.run();
            }
        });
        link.send(to -> to.request(request, txn, operation));
    }

    private void note(Operation operation, Message.Reply reply) {
        switch (operation) {
            case Operation.Get get -> {
                Message.Value value = (Message.Value) reply;
                attempt.tellRecord(
                        key(get),
                        value.value() == null
                                ? null
                                : ClientRecord.of(value.value().unsafeArray()));
            }
            case Operation.Put put ->
                attempt.write(key(put), ClientRecord.of(put.value().unsafeArray()));
            case Operation.Insert insert -> {
                boolean existed = reply instanceof Message.Failed;
                attempt.tellExistence(key(insert), existed);
                if (!existed) {
                    attempt.write(key(insert), ClientRecord.of(insert.value().unsafeArray()));
                }
            }
            case Operation.PatchRecord patched -> notePatch(patched, ((Message.Patched) reply).result());
            case Operation.Delete delete -> {
                boolean existed = ((Message.Deleted) reply).existed();
                attempt.tellExistence(key(delete), existed);
                if (existed) {
                    attempt.write(key(delete), null);
                }
            }
            case Operation.Fence fence -> {} // these clients hold no locks
            case Operation.Scan scan -> {
                Message.Records records = (Message.Records) reply;
                List<ClientRecord> found = new ArrayList<>();
                records.records()
                        .forEach(each -> found.add(ClientRecord.of(each.value().unsafeArray())));
                Bound end = scan.descending() ? scan.from() : scan.to();
                long start = number((scan.descending() ? scan.to() : scan.from()).key());
                long last = records.more() && !found.isEmpty() ? found.getLast().key() : number(end.key());
                if (scan.descending()) {
                    attempt.tellRange(scan.table(), last, start, found.reversed());
                } else {
                    attempt.tellRange(scan.table(), start, last, found);
                }
            }
        }
    }

    private void notePatch(Operation.PatchRecord patched, Patch.Result result) {
        attempt.tellExistence(key(patched), result != Patch.Result.NO_RECORD);
        switch (result) {
            case WRITTEN -> attempt.write(key(patched), ClientRecord.of(patched.patch(), number(patched.key())));
            case NOT_AS_EXPECTED -> clients.report("a record does not have the key under which it is: " + key(patched));
            case NO_RECORD -> {}
        }
    }

    private static AppliedCommits.RecordKey key(Operation.OnKey operation) {
        return new AppliedCommits.RecordKey(operation.table(), number(operation.key()));
    }

    private static long number(Key key) {
        return ((Key.OfLong) key).value();
    }

    private void end(int txn, Plan.Interactive plan) {
        if (plan.givesUp()) {
            int request = await(reply -> finish(Known.NOT_COMMITTED));
            link.send(to -> to.request(request, txn, new Request.Abort()));
            return;
        }
        commitSent();
        CommitId id = commit.id();
        commitRequest = await(this::committed);
        int request = commitRequest;
        link.send(to -> to.request(request, txn, new Request.Commit(id)));
    }

    private void committed(Message.Reply reply) {
        if (reply instanceof Message.Committed committed) {
            token = Math.max(token, committed.commitTs());
            if (tookEffectBefore) {
                clients.hit(ClientWindows.SENT_AGAIN);
            }
            clients.committed(commit);
            finish(Known.COMMITTED);
        } else {
            failed((Message.Failed) reply);
        }
    }

    /** An operation has ended the transaction. If the commit was sent, its reply is still to come. */
    private void endedEarly(int txn, Message.Failed failed) {
        check(failed);
        if (awaited.containsKey(commitRequest)) {
            return;
        }
        int request = ++requests;
        link.send(to -> to.request(request, txn, new Request.Abort()));
        if (isAgain) {
            resolve();
        } else {
            finish(Known.NOT_COMMITTED);
        }
    }

    // ---- commits ---------------------------------------------------------------------------------------------------

    private void commitSent() {
        if (!sent) {
            clients.sent(commit);
            sentNanos = clients.nanos();
        }
        sent = true;
        attempt.commitSent();
        addressee = link.gateway();
        SimulatedLink losing = link;
        switch (random.nextInt(12)) {
            case 0 -> clients.later(random.nextInt(LOSS_NANOS_MAX), losing::lose);
            case 1 -> losing.loseNextAnswer();
            case 2 -> clients.later(1, losing::lose);
            default -> {}
        }
    }

    private void failed(Message.Failed failed) {
        if (failed.code() == ErrorCode.RESULT_LOST.number()) {
            finish(Known.COMMITTED);
            return;
        }
        check(failed);
        if (tookEffectBefore && failed.code() == ErrorCode.PROCEDURE_FAILED.number()) {
            clients.report("call " + commit.id() + " has taken effect, came again, and was answered: " + failed.text());
        }
        if (isAgain && commit.isNamed()) {
            resolve(); // the first commit sent may have taken effect
        } else if (failed.code() == ErrorCode.OUTCOME_SLOT_TAKEN.number()) {
            finish(Known.NOT_COMMITTED, false);
        } else {
            finish(Known.NOT_COMMITTED);
        }
    }

    /** Reports an error that has no cause. */
    private void check(Message.Failed failed) {
        if (!ErrorCauses.mayHaveCause(failed.code(), clients.isCalm(), clients.isSlotOfAnother(commit))) {
            clients.report("a client was answered " + failed.code() + " without a cause: " + failed.text());
        }
    }

    private void lostInTransaction() {
        if (!sent) {
            finish(Known.NOT_COMMITTED);
        } else if (!commit.isNamed()) {
            finish(Known.NOTHING);
        } else {
            resolve();
        }
    }

    /** The commit was sent and its reply has not arrived: asks for the outcome, or sends the commit again first. */
    private void resolve() {
        boolean mayGoAnywhere = clients.isOutcomeRecorded();
        if (!isAgain && mayGoAnywhere && random.nextInt(3) == 0) {
            isAgain = true;
            tookEffectBefore = clients.hasTakenEffect(commit);
            whenLost = this::resolve;
            leave();
            connect(this::run);
        } else {
            isAgain = true;
            ask(clients.nanos() + ASK_NANOS_MAX);
        }
    }

    private void ask(long endNanos) {
        if (clients.nanos() > endNanos) {
            clients.reportUnresolved(commit);
            finish(Known.NOTHING);
            return;
        }
        whenLost = () -> later(ASK_AGAIN_NANOS, () -> ask(endNanos));
        if (!clients.isOutcomeRecorded() && (link == null || !link.gateway().equals(addressee))) {
            if (!clients.isOpen(addressee)) {
                finish(Known.NOTHING); // the outcome is not known
                return;
            }
            leave();
            connectTo(addressee, () -> question(endNanos));
        } else {
            connect(() -> question(endNanos));
        }
    }

    private void question(long endNanos) {
        limit(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS_MAX));
        long ageMillis = TimeUnit.NANOSECONDS.toMillis(clients.nanos() - sentNanos);
        CommitId id = commit.id();
        long incarnation = addressee.incarnation();
        int request = await(reply -> outcome(reply, endNanos));
        link.send(to -> to.ask(request, id, incarnation, (int) ageMillis));
    }

    private void outcome(Message.Reply reply, long endNanos) {
        if (!(reply instanceof Message.OutcomeIs outcome)) {
            check((Message.Failed) reply);
            later(ASK_AGAIN_NANOS, () -> ask(endNanos));
            return;
        }
        switch (outcome.status()) {
            case COMMITTED -> {
                token = Math.max(token, outcome.commitTs());
                if (outcome.result() != null) {
                    commit.know(decode(outcome.result()));
                }
                clients.hit(ClientWindows.ANSWER_LOST);
                if (!clients.isOpen(addressee)) {
                    clients.hit(ClientWindows.GATEWAY_DEAD);
                }
                finish(Known.COMMITTED);
            }
            case NOT_COMMITTED -> {
                clients.hit(ClientWindows.REFUSED);
                finish(Known.NOT_COMMITTED);
            }
            case IN_PROGRESS -> later(ASK_AGAIN_NANOS, () -> ask(endNanos));
            case UNKNOWN -> {
                // The client asks where the outcome is kept, for a shorter time than it is kept.
                clients.report("a gateway answered that the outcome of commit " + commit.id() + " is not known");
                finish(Known.NOTHING);
            }
        }
    }

    private void finish(Known known) {
        finish(known, known != Known.NOTHING);
    }

    /** The transaction is over. If the outcome is not known, its slot is not used again. */
    private void finish(Known known, boolean isSettled) {
        commit.know(known);
        if (sent && commit.isNamed()) {
            if (isSettled) {
                number++;
            } else {
                slot++;
                number = 1;
            }
        }
        step++;
        awaited.clear();
        whenLost = () -> {};
        if (random.nextInt(10) == 0) {
            leave();
        }
        next();
    }

    // ---- the connection --------------------------------------------------------------------------------------------

    private void connect(Runnable then) {
        if (link != null) {
            step++;
            awaited.clear();
            then.run();
        } else {
            connectTo(clients.anyGateway(random), then);
        }
    }

    private void connectTo(SimulatedGateway gateway, Runnable then) {
        step++;
        awaited.clear();
        whenConnected = then;
        link = clients.link(random, gateway, this);
        SimulatedLink connecting = link;
        link.connect();
        long mine = step;
        clients.later(CONNECT_NANOS_MAX, () -> {
            if (mine == step && link == connecting && whenConnected != null) {
                connecting.lose();
            }
        });
    }

    /** Leaves the gateway, which notices it later. */
    private void leave() {
        if (link != null) {
            link.lose();
            link = null;
        }
    }

    private int await(Consumer<Message.Reply> listener) {
        int request = ++requests;
        awaited.put(request, listener);
        return request;
    }

    /** Loses the link if the step is not over in time. */
    private void limit(long nanos) {
        long mine = ++step;
        SimulatedLink limited = link;
        clients.later(nanos, () -> {
            if (mine == step && link == limited) {
                limited.lose();
            }
        });
    }

    /** Runs an action later, unless the step is over by then. */
    private void later(long nanos, Runnable action) {
        long mine = step;
        clients.later(nanos, () -> {
            if (mine == step) {
                action.run();
            }
        });
    }

    @Override
    public void connected(SimulatedLink of) {
        if (of == link && whenConnected != null) {
            Runnable then = whenConnected;
            whenConnected = null;
            then.run();
        }
    }

    @Override
    public void answered(SimulatedLink of, int request, Message.Reply reply) {
        Consumer<Message.Reply> listener = of == link ? awaited.remove(request) : null;
        if (listener != null) {
            listener.accept(reply);
        }
    }

    @Override
    public void answers(SimulatedLink of, int request, Message.Reply reply) {
        boolean isCommitted = reply instanceof Message.Committed || reply instanceof Message.Autocommitted;
        if (of == link && request == commitRequest && isCommitted) {
            clients.took(commit);
        }
    }

    @Override
    public void lost(SimulatedLink of) {
        if (of == link) {
            link = null;
            whenConnected = null;
            step++;
            awaited.clear();
            whenLost.run();
        }
    }
}
