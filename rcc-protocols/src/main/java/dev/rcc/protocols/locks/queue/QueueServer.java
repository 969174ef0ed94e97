package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.queue.LockQueue.Waiter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The queues of the locks that a worker keeps for its node. */
final class QueueServer {
    /** How late a time-out may be noticed. */
    private static final long LATE_NANOS_MAX = 100_000;

    private static final int TICKET_BITS = 17;

    private final LockSite site;
    private final List<QueueServer> siblings;
    private final int workers;
    private final int readersPast;
    private final Map<Long, LockQueue> queues = new HashMap<>();
    private final Alarm alarm;

    /**
     * Serves a worker.
     *
     * @param siblings of all workers of the node, this one included once all are there
     */
    QueueServer(LockSite site, List<QueueServer> siblings, int workers, int readersPast) {
        this.site = site;
        this.siblings = siblings;
        this.workers = workers;
        this.readersPast = readersPast;
        this.alarm = new Alarm(site.worker(), site.serviceCoroutine(), LATE_NANOS_MAX, this::endOverdue);
        site.endpoint().handle(QueueMessage.RPC_ID, this::serve);
    }

    private void serve(RpcRequest request) {
        Memory from = request.payload();
        long offset = request.payloadOffset();
        int what = (int) from.getLong(offset + QueueMessage.WHAT);
        long address = from.getLong(offset + QueueMessage.ADDRESS);
        LockMode mode = LockMode.ofCode((int) from.getLong(offset + QueueMessage.MODE));
        long patience = from.getLong(offset + QueueMessage.PATIENCE);
        site.counters().messages++;
        QueueServer home = siblings.get((int) (RemoteAddress.offset(address) / 16 % workers));
        if (home == this) {
            serve(what, address, mode, patience, request, site);
        } else {
            home.site.worker().execute(() -> home.serve(what, address, mode, patience, request, site));
        }
    }

    private void serve(int what, long address, LockMode mode, long patience, RpcRequest request, LockSite from) {
        LockQueue queue = queues.computeIfAbsent(address, _ -> new LockQueue(readersPast));
        Waiter waiter = new Waiter(request, from, mode, site.worker().nanoTime() + patience);
        switch (what) {
            case QueueMessage.LOCK -> queue.add(waiter);
            case QueueMessage.UPGRADE -> queue.upgrade(waiter);
            default -> {
                queue.release(mode);
                answer(waiter, true, LockToken.NONE);
            }
        }
        grant(queue);
        long left = queue.nanosLeft(site.worker().nanoTime());
        if (left != Long.MAX_VALUE) {
            alarm.in(Math.max(1, left));
        }
    }

    private void grant(LockQueue queue) {
        for (Waiter next = queue.grantNext(); next != null; next = queue.grantNext()) {
            long number = queue.grants();
            answer(
                    next,
                    true,
                    LockToken.of(
                            site.configEpoch().getAsLong(), number >>> TICKET_BITS, number & LockToken.MAX_TICKET));
        }
    }

    private void answer(Waiter waiter, boolean isGranted, long token) {
        if (waiter.site.worker().index() == site.worker().index()) {
            reply(waiter.request, isGranted, token);
        } else {
            waiter.site.worker().execute(() -> reply(waiter.request, isGranted, token));
        }
    }

    private static void reply(RpcRequest request, boolean isGranted, long token) {
        request.response().putLong(request.responseOffset() + QueueMessage.GRANTED, isGranted ? 1 : 0);
        request.response().putLong(request.responseOffset() + QueueMessage.TOKEN, token);
        request.reply(QueueMessage.REPLY_BYTES);
    }

    private void endOverdue(Coroutine coroutine) {
        long now = site.worker().nanoTime();
        long left = Long.MAX_VALUE;
        for (LockQueue queue : queues.values()) {
            queue.takeOverdue(now).forEach(waiter -> answer(waiter, false, LockToken.NONE));
            grant(queue);
            left = Math.min(left, queue.nanosLeft(now));
        }
        if (left != Long.MAX_VALUE) {
            alarm.in(Math.max(1, left));
        }
    }
}
