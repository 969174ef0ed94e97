package dev.rcc.protocols.locks.queue;

import dev.rcc.protocols.locks.LockMode;
import java.util.ArrayDeque;
import java.util.Iterator;

/** The holders of a lock and the requests that wait for it. Used on one worker; reused for another lock once no request is in it. */
final class LockQueue {
    private final ArrayDeque<QueueRequest> waiting = new ArrayDeque<>();
    private final int readersPast;
    private int sharers;
    private boolean isUpdated;
    private boolean isExclusive;
    /** The request of an update lock's holder for the exclusive lock. */
    private QueueRequest upgrading;

    /** The lock. */
    long address;
    /** The next one in the same bucket of a {@link LockQueues}. */
    LockQueue next;

    LockQueue(int readersPast) {
        this.readersPast = readersPast;
    }

    /** Adds a request to the queue; {@link #grantNext} returns it when its turn comes. */
    void add(QueueRequest waiter) {
        QueueRequest head = waiting.peek();
        boolean mayPass = head != null
                && waiter.mode == LockMode.SHARED
                && sharers > 0
                && upgrading == null
                && !isUpdated
                && head.mode != LockMode.SHARED
                && head.overtaken < readersPast;
        if (mayPass) {
            for (QueueRequest passed : waiting) { // all of them: the head may leave, and the next one is head then
                passed.overtaken++;
            }
            waiting.addFirst(waiter);
        } else {
            waiting.add(waiter);
        }
    }

    void upgrade(QueueRequest waiter) {
        upgrading = waiter;
    }

    /** Releases a holder's lock. The holder may have got it before its node began anew, with empty queues. */
    void release(LockMode mode) {
        switch (mode) {
            case SHARED -> sharers = Math.max(0, sharers - 1);
            case UPDATE -> {
                isUpdated = false;
                isExclusive = false;
            }
            case EXCLUSIVE -> isExclusive = false;
        }
    }

    /** Takes the next request whose turn it is, which holds the lock then; null if there is none. */
    QueueRequest grantNext() {
        if (upgrading != null && sharers == 0) {
            QueueRequest granted = upgrading;
            upgrading = null;
            isExclusive = true;
            return granted;
        }
        QueueRequest head = waiting.peek();
        if (head == null || !isFreeFor(head.mode)) {
            return null;
        }
        waiting.remove();
        switch (head.mode) {
            case SHARED -> sharers++;
            case UPDATE -> isUpdated = true;
            case EXCLUSIVE -> isExclusive = true;
        }
        return head;
    }

    private boolean isFreeFor(LockMode mode) {
        return !isExclusive && !isUpdated && (mode != LockMode.EXCLUSIVE || sharers == 0);
    }

    /** Whether no request holds the lock or waits for it. */
    boolean isIdle() {
        return sharers == 0 && !isUpdated && !isExclusive && upgrading == null && waiting.isEmpty();
    }

    /** Removes and returns a request that has waited for too long; null if there is none. */
    QueueRequest takeOverdue(long nowNanos) {
        for (Iterator<QueueRequest> all = waiting.iterator(); all.hasNext(); ) {
            QueueRequest each = all.next();
            if (nowNanos - each.deadlineNanos >= 0) {
                all.remove();
                return each;
            }
        }
        if (upgrading != null && nowNanos - upgrading.deadlineNanos >= 0) {
            QueueRequest overdue = upgrading;
            upgrading = null;
            return overdue;
        }
        return null;
    }

    /** Removes and returns a waiting request. Returns null if there is none; then it also drops all holders. */
    QueueRequest takeAny() {
        QueueRequest any = upgrading != null ? upgrading : waiting.poll();
        upgrading = null;
        if (any == null) {
            sharers = 0;
            isUpdated = false;
            isExclusive = false;
        }
        return any;
    }

    /** The time until a request will have waited for too long, in nanoseconds; {@link Long#MAX_VALUE} if none waits. */
    long nanosLeft(long nowNanos) {
        long left = upgrading == null ? Long.MAX_VALUE : upgrading.deadlineNanos - nowNanos;
        if (!waiting.isEmpty()) {
            for (QueueRequest each : waiting) {
                left = Math.min(left, each.deadlineNanos - nowNanos);
            }
        }
        return left;
    }
}
