package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/** The gateway's coroutines of one worker, and the sessions that sit on them or wait for one. All of it is the worker's. */
final class Seats {
    private static final class Seat {
        final Completion wakeUp;
        Seated session;

        Seat(Coroutine coroutine) {
            wakeUp = new Completion(coroutine);
        }
    }

    private final Worker worker;
    private final int waitingMax;
    private final Deque<Seat> free = new ArrayDeque<>();
    private final Deque<Seated> waiting = new ArrayDeque<>();
    private final Set<Seated> seated = new HashSet<>();
    private Ending refusal;

    Seats(Worker worker, int waitingMax) {
        this.worker = worker;
        this.waitingMax = waitingMax;
    }

    /** Runs sessions on a coroutine until the seats are closed. Called by the coroutine itself. */
    void sit(TransactionRunner runner, Coroutine coroutine) {
        Seat seat = new Seat(coroutine);
        while (true) {
            Seated session = next(seat);
            if (session == null) {
                return;
            }
            seated.add(session);
            try {
                session.run(runner, seat.wakeUp);
            } finally {
                seated.remove(session);
            }
        }
    }

    private Seated next(Seat seat) {
        Seated session = waiting.poll();
        if (session == null && refusal == null) {
            free.push(seat);
            seat.wakeUp.add();
            seat.wakeUp.await();
            session = seat.session;
            seat.session = null;
        }
        return session;
    }

    /** Gives a session a coroutine, now or later. */
    void admit(Seated session) {
        Seat seat = free.poll();
        if (refusal != null) {
            session.end(refusal);
        } else if (seat != null) {
            seat.session = session;
            seat.wakeUp.succeed();
        } else if (waiting.size() >= waitingMax) {
            session.end(new Ending(
                    ErrorCode.OVERLOADED,
                    "all coroutines of the node's worker are taken and " + waitingMax
                            + " transactions wait for one: try again later, or give the cluster more coroutines"));
        } else {
            waiting.add(session);
        }
    }

    /** Ends what has waited for its client for too long, or has run out of time. */
    void reap() {
        long now = worker.nanoTime();
        for (Seated session : seated) {
            session.reap(now);
        }
        Iterator<Seated> each = waiting.iterator();
        while (each.hasNext()) {
            Seated session = each.next();
            session.reap(now);
            if (session.isOver()) {
                each.remove();
            }
        }
    }

    /** Refuses who comes or waits; lets the free coroutines go at once, and the others when their sessions have ended. */
    void drain() {
        refusal = new Ending(
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

    /** Lets the coroutines go, and whoever sits on one or waits for one. */
    void close() {
        drain();
        seated.forEach(session -> session.end(refusal));
    }
}
