package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockSpace;
import java.util.ArrayDeque;
import java.util.List;

/** The queues of the locks that a worker keeps for its node. */
final class QueueServer {
    /** How late a time-out may be noticed. */
    private static final long LATE_NANOS_MAX = 100_000;
    /** The number in the reply to a release or a refused request. */
    private static final long NO_NUMBER = 0;

    private final LockSite site;
    private final List<QueueServer> siblings;
    private final int workers;
    private final LockQueues queues;
    private final ArrayDeque<QueueRequest> free = new ArrayDeque<>();
    private final Alarm alarm;
    /** The number of the last grant; the first is 1. */
    private long grants;
    /** The configuration of the queues. */
    private long epoch;

    private long overdueNanos;
    private long leftNanos;

    /**
     * Serves a worker.
     *
     * @param siblings the servers of all workers of the node, this one included once all are there
     */
    QueueServer(LockSite site, List<QueueServer> siblings, int workers, int readersPast) {
        this.site = site;
        this.siblings = siblings;
        this.workers = workers;
        this.queues = new LockQueues(readersPast);
        this.alarm = new Alarm(site.worker(), site.serviceCoroutine(), LATE_NANOS_MAX, this::endOverdue);
        site.endpoint().handle(QueueMessage.RPC_ID, this::receive);
    }

    // ---- on the worker that a request has reached ------------------------------------------------------------------

    private void receive(RpcRequest call) {
        site.counters().messages++;
        QueueRequest request = free.isEmpty() ? new QueueRequest(this) : free.removeLast();
        request.takeIn(call);
        long lock = RemoteAddress.offset(request.address) / LockSpace.LOCK_BYTES;
        request.handTo(siblings.get((int) (lock % workers)));
    }

    /** Takes back a request that was answered, to reuse it. */
    void giveBack(QueueRequest request) {
        free.addLast(request);
    }

    /** Runs a task on this worker; called on any worker of the node. */
    void execute(Runnable task) {
        site.worker().execute(task);
    }

    // ---- on the worker that keeps the queue ------------------------------------------------------------------------

    /** Takes a request into the queue of its lock. */
    void serve(QueueRequest request) {
        begin(Math.max(request.epoch, site.configEpoch().getAsLong()));
        boolean isRelease = request.what == QueueMessage.RELEASE;
        if (request.epoch < epoch) {
            request.answer(isRelease, NO_NUMBER);
            return;
        }
        LockQueue queue = queues.of(request.address);
        long now = site.worker().nanoTime();
        request.deadlineNanos = now + request.patienceNanos;
        if (isRelease) {
            queue.release(request.mode);
            request.answer(true, NO_NUMBER);
        } else if (request.what == QueueMessage.UPGRADE) {
            queue.upgrade(request);
        } else {
            queue.add(request);
        }
        grant(queue);
        setAlarm(queue.nanosLeft(now));
        queues.settle(queue);
    }

    /**
     * Drops the locks and requests of an older configuration: their transactions have ended, and a release that has not
     * come will not come. A request from a node that is in the next configuration already may be the first sign of it.
     */
    private void begin(long newEpoch) {
        if (newEpoch > epoch) {
            epoch = newEpoch;
            queues.forEach(QueueServer::refuseAll);
        }
    }

    private static void refuseAll(LockQueue queue) {
        for (QueueRequest next = queue.takeAny(); next != null; next = queue.takeAny()) {
            next.answer(false, NO_NUMBER);
        }
    }

    private void grant(LockQueue queue) {
        for (QueueRequest next = queue.grantNext(); next != null; next = queue.grantNext()) {
            next.answer(true, ++grants);
        }
    }

    private void endOverdue(Coroutine coroutine) {
        begin(site.configEpoch().getAsLong());
        overdueNanos = site.worker().nanoTime();
        leftNanos = Long.MAX_VALUE;
        queues.forEach(this::endOverdue);
        setAlarm(leftNanos);
    }

    private void endOverdue(LockQueue queue) {
        for (QueueRequest next = queue.takeOverdue(overdueNanos);
                next != null;
                next = queue.takeOverdue(overdueNanos)) {
            next.answer(false, NO_NUMBER);
        }
        grant(queue);
        leftNanos = Math.min(leftNanos, queue.nanosLeft(overdueNanos));
    }

    private void setAlarm(long nanosLeft) {
        if (nanosLeft != Long.MAX_VALUE) {
            alarm.in(Math.max(1, nanosLeft));
        }
    }
}
