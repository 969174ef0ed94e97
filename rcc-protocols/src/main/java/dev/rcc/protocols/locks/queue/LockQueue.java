package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Who holds a lock, and who waits for it. Used on one worker. */
final class LockQueue {
    /** A request that waits for its answer. */
    static final class Waiter {
        final RpcRequest request;
        /** Of the worker that has to answer. */
        final LockSite site;

        final LockMode mode;
        final long deadlineNanos;
        private int overtaken;

        Waiter(RpcRequest request, LockSite site, LockMode mode, long deadlineNanos) {
            this.request = request;
            this.site = site;
            this.mode = mode;
            this.deadlineNanos = deadlineNanos;
        }
    }

    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private final int readersPast;
    private int sharers;
    private boolean isUpdated;
    private boolean isExclusive;
    /** An update lock's holder who wants the lock alone. */
    private Waiter upgrading;

    private long grants;

    LockQueue(int readersPast) {
        this.readersPast = readersPast;
    }

    /** Grants have numbers, from 1, which grow. */
    long grants() {
        return grants;
    }

    /** Joins the queue; {@link #grantNext} then tells whether it is its turn. */
    void add(Waiter waiter) {
        Waiter head = waiting.peek();
        boolean mayPass = head != null
                && waiter.mode == LockMode.SHARED
                && sharers > 0
                && upgrading == null
                && !isUpdated
                && head.mode != LockMode.SHARED
                && head.overtaken < readersPast;
        if (mayPass) {
            for (Waiter passed : waiting) { // all of them: the head may leave, and the next one is head then
                passed.overtaken++;
            }
            waiting.addFirst(waiter);
        } else {
            waiting.add(waiter);
        }
    }

    void upgrade(Waiter waiter) {
        upgrading = waiter;
    }

    void release(LockMode mode) {
        switch (mode) {
            case SHARED -> sharers--;
            case UPDATE -> {
                isUpdated = false;
                isExclusive = false;
            }
            case EXCLUSIVE -> isExclusive = false;
        }
    }

    /** Takes the next request whose turn it is, which holds the lock then; null if there is none. */
    Waiter grantNext() {
        if (upgrading != null && sharers == 0) {
            Waiter next = upgrading;
            upgrading = null;
            isExclusive = true;
            grants++;
            return next;
        }
        Waiter head = waiting.peek();
        if (head == null || !isFreeFor(head.mode)) {
            return null;
        }
        waiting.remove();
        switch (head.mode) {
            case SHARED -> sharers++;
            case UPDATE -> isUpdated = true;
            case EXCLUSIVE -> isExclusive = true;
        }
        grants++;
        return head;
    }

    private boolean isFreeFor(LockMode mode) {
        return !isExclusive && !isUpdated && (mode != LockMode.EXCLUSIVE || sharers == 0);
    }

    /** Takes out who has waited for too long. */
    List<Waiter> takeOverdue(long nowNanos) {
        List<Waiter> overdue = new ArrayList<>();
        for (Iterator<Waiter> all = waiting.iterator(); all.hasNext(); ) {
            Waiter each = all.next();
            if (nowNanos - each.deadlineNanos >= 0) {
                all.remove();
                overdue.add(each);
            }
        }
        if (upgrading != null && nowNanos - upgrading.deadlineNanos >= 0) {
            overdue.add(upgrading);
            upgrading = null;
        }
        return overdue;
    }

    /** When somebody will have waited for too long; {@link Long#MAX_VALUE} if nobody waits. */
    long nanosLeft(long nowNanos) {
        long left = upgrading == null ? Long.MAX_VALUE : upgrading.deadlineNanos - nowNanos;
        for (Waiter each : waiting) {
            left = Math.min(left, each.deadlineNanos - nowNanos);
        }
        return left;
    }
}
