package dev.rcc.protocols.locks.queue;

import java.util.function.Consumer;

/** The queues of locks that have holders or waiters, by address. Used on one worker; allocates nothing once there were as many before. */
final class LockQueues {
    private static final int INITIAL_BUCKETS = 64;
    /** 2^64 divided by the golden ratio: neighbouring addresses go to buckets far apart. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int readersPast;
    private LockQueue[] buckets = new LockQueue[INITIAL_BUCKETS];
    private LockQueue free;
    private int count;

    LockQueues(int readersPast) {
        this.readersPast = readersPast;
    }

    /** The queue of a lock, an empty one if there is none. */
    LockQueue of(long address) {
        for (LockQueue each = buckets[bucket(address)]; each != null; each = each.next) {
            if (each.address == address) {
                return each;
            }
        }
        if (count == buckets.length) {
            grow();
        }
        count++;
        LockQueue queue = free == null ? new LockQueue(readersPast) : free;
        free = queue == free ? free.next : null;
        queue.address = address;
        link(queue);
        return queue;
    }

    private int bucket(long address) {
        return (int) ((address * SPREAD) >>> Long.numberOfLeadingZeros(buckets.length - 1L));
    }

    private void link(LockQueue queue) {
        int bucket = bucket(queue.address);
        queue.next = buckets[bucket];
        buckets[bucket] = queue;
    }

    private void grow() {
        LockQueue[] old = buckets;
        buckets = new LockQueue[2 * old.length];
        for (LockQueue first : old) {
            for (LockQueue each = first; each != null; ) {
                LockQueue next = each.next;
                link(each);
                each = next;
            }
        }
    }

    /** Removes a queue that has changed, if no request holds or waits for its lock any more. */
    void settle(LockQueue queue) {
        if (!queue.isIdle()) {
            return;
        }
        int bucket = bucket(queue.address);
        if (buckets[bucket] == queue) {
            buckets[bucket] = queue.next;
        } else {
            LockQueue before = buckets[bucket];
            while (before.next != queue) {
                before = before.next;
            }
            before.next = queue.next;
        }
        queue.next = free;
        free = queue;
        count--;
    }

    /** Applies an action to each queue, which may become empty by it. */
    void forEach(Consumer<LockQueue> action) {
        for (LockQueue first : buckets) {
            for (LockQueue each = first; each != null; ) {
                LockQueue next = each.next;
                action.accept(each);
                settle(each);
                each = next;
            }
        }
    }
}
