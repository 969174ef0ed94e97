package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's transaction slots of one worker, each a coroutine, with the users that have one or wait for one. All methods are called on the
 * worker, except {@link #execute} and {@link #reap}.
 */
final class TransactionSlots {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionSlots.class);

    private static final class Slot {
        final Completion wakeUp;
        SlotUser user;

        Slot(Coroutine coroutine) {
            wakeUp = new Completion(coroutine);
        }
    }

    private final Worker worker;
    private final int waitingMax;
    private final PutForecast forecast;
    private final Deque<Slot> free = new ArrayDeque<>();
    private final Deque<SlotUser> waiting = new ArrayDeque<>();
    /** The users that have a slot, from the moment that it is theirs; in an order that a simulation can repeat. */
    private final Set<SlotUser> running = new LinkedHashSet<>();

    /** The gate of the worker's attempts; null before a coroutine serves. */
    private AttemptGate gate;

    private Failure refusal;
    /** Whether no transaction has a slot or waits for one. */
    private volatile boolean idle = true;

    TransactionSlots(Worker worker, int waitingMax, PutForecast forecast) {
        this.worker = worker;
        this.waitingMax = waitingMax;
        this.forecast = forecast;
    }

    /** The worker to which the slots belong. */
    Worker worker() {
        return worker;
    }

    /** The forecast of the worker's transactions for records that they put. */
    PutForecast forecast() {
        return forecast;
    }

    /** Runs a task on the worker. On any thread. */
    void execute(Runnable task) {
        worker.execute(task);
    }

    /** Runs a coroutine as a slot until the slots are closed. Called by the coroutine itself. */
    void serve(TransactionRunner runner, Coroutine coroutine) {
        Slot slot = new Slot(coroutine);
        if (gate == null) {
            gate = runner.gate();
            gate.whenClosing(() -> running.forEach(SlotUser::endAttempt));
        }
        while (true) {
            SlotUser user = next(slot);
            if (user == null) {
                return;
            }
            try {
                user.run(runner, slot.wakeUp);
            } catch (RuntimeException | Error e) { // the slot is for others, too
                LOG.error("event=transaction_failed: a client's transaction failed, or perhaps only its answer", e);
            } finally {
                running.remove(user);
            }
        }
    }

    /** The next user, which has the slot now; null when the slots are closed. */
    private SlotUser next(Slot slot) {
        SlotUser user = waiting.poll();
        if (user != null) {
            running.add(user);
        } else if (refusal == null) {
            free.push(slot);
            slot.wakeUp.add();
            slot.wakeUp.await();
            user = slot.user;
            slot.user = null;
        }
        return user;
    }

    /** Whether the cluster waits for the end of all attempts. */
    boolean mustAttemptsEnd() {
        return gate.isClosed();
    }

    /** Why no transaction begins here any more, or null. */
    Failure refusal() {
        return refusal;
    }

    /** Gives a user a slot, now or later. */
    void admit(SlotUser user) {
        Slot slot = free.poll();
        if (refusal != null) {
            user.end(refusal);
        } else if (slot != null) {
            slot.user = user;
            running.add(user);
            busy();
            slot.wakeUp.succeed();
        } else if (waiting.size() >= waitingMax) {
            user.end(new Failure(
                    ErrorCode.OVERLOADED,
                    "all coroutines of the node's worker are taken and " + waitingMax
                            + " transactions wait for one: try again later, or give the cluster more coroutines"));
        } else {
            waiting.add(user);
            busy();
        }
    }

    private void busy() {
        if (idle) {
            idle = false;
        }
    }

    /**
     * Has the worker end transactions that have waited for their clients for too long, or have run out of time. Does not wake an idle worker. On
     * any thread.
     */
    void reap() {
        if (!idle) {
            execute(this::reapNow);
        }
    }

    private void reapNow() {
        long now = worker.nanoTime();
        for (SlotUser user : running) {
            user.reap(now);
        }
        Iterator<SlotUser> each = waiting.iterator();
        while (each.hasNext()) {
            SlotUser user = each.next();
            user.reap(now);
            if (user.isOver()) {
                each.remove();
            }
        }
        idle = running.isEmpty() && waiting.isEmpty();
    }

    /** Refuses new and waiting transactions. Frees idle coroutines at once, and busy ones when their transactions end. */
    void drain() {
        refusal = new Failure(
                ErrorCode.UNAVAILABLE,
                AbortReason.NODE_DRAINING.code(),
                "the gateway is closing and takes no new transactions: use another one");
        while (!waiting.isEmpty()) {
            waiting.poll().end(refusal);
        }
        while (!free.isEmpty()) {
            free.poll().wakeUp.succeed();
        }
    }

    /** Frees the coroutines, and ends the transactions that have one or wait for one. */
    void close() {
        drain();
        running.forEach(user -> user.end(refusal));
    }
}
