package dev.rcc.protocols.calvin;

import dev.rcc.core.store.KeyHash;
import java.util.Arrays;

/**
 * One worker's lock scheduler: a queue for every lock that is wanted, in the order in which participations are
 * admitted, which is the global order. A request is granted when no request is before it in its queue, or when it is shared
 * and all requests before it are shared and granted. So conflicting requests are granted in the global order, and
 * transactions never wait in a circle.
 *
 * <p>Locks are identified by 64-bit hashes. Two locks of one hash exclude each other more than they need to, without other
 * harm. Everything is reused; nothing is allocated once the greatest number has been reached.
 */
final class LockTable {
    private static final int INITIAL_BUCKETS = 256;

    private Lock[] buckets = new Lock[INITIAL_BUCKETS];
    private int lockCount;
    private Lock free;
    private Participation readyHead;
    private Participation readyTail;

    /** A lock that a transaction wants. */
    static final class Lock {
        private long id;
        private LockRequest head;
        private LockRequest tail;
        private int orphans;
        private Lock nextInBucket;
    }

    /** Queues a request of the participation that is being admitted, or widens its request for the same lock. */
    void request(Participation participation, long lockId, boolean exclusive) {
        Lock lock = lock(lockId);
        LockRequest tail = lock.tail;
        if (tail != null && tail.participation == participation) {
            tail.exclusive |= exclusive; // nothing of this participation is granted before admit()
            return;
        }
        LockRequest request = participation.newRequest();
        request.lock = lock;
        request.exclusive = exclusive;
        request.granted = false;
        request.previous = tail;
        request.next = null;
        if (tail == null) {
            lock.head = request;
        } else {
            tail.next = request;
        }
        lock.tail = request;
        participation.missing++;
    }

    /** Admits a participation whose requests are all queued: grants the requests that no other request blocks. */
    void admit(Participation participation) {
        boolean refused = false;
        for (int i = 0; i < participation.requestCount; i++) {
            LockRequest request = participation.requests[i];
            LockRequest before = request.previous;
            if (before == null || (before.granted && !before.exclusive && !request.exclusive)) {
                request.granted = true;
                participation.missing--;
            } else {
                refused |= request.lock.orphans > 0;
            }
        }
        if (refused) {
            refuse(participation);
        } else if (participation.missing == 0) {
            becomeReady(participation, Participation.State.READY);
        }
    }

    /** Drops all locks and places in queues of a participation. */
    void release(Participation participation) {
        for (int i = 0; i < participation.requestCount; i++) {
            LockRequest request = participation.requests[i];
            Lock lock = request.lock;
            if (participation.orphan) {
                lock.orphans--;
            }
            boolean wasGranted = request.granted;
            unlink(request);
            request.lock = null;
            if (lock.head == null) {
                remove(lock);
            } else if (!wasGranted || !lock.head.granted) { // else all sharers that can join have joined
                grant(lock);
            }
        }
        participation.requestCount = 0;
    }

    /** Makes a holding participation keep its locks until recovery: refuses the participations that wait for one of them, now and later. */
    void orphan(Participation participation) {
        participation.orphan = true;
        for (int i = 0; i < participation.requestCount; i++) {
            participation.requests[i].lock.orphans++;
        }
        for (int i = 0; i < participation.requestCount; i++) {
            Lock lock = participation.requests[i].lock;
            LockRequest waiting = firstWaiting(lock);
            while (waiting != null) {
                refuse(waiting.participation); // which takes it out of this queue and may let others through
                waiting = firstWaiting(lock);
            }
        }
    }

    /** The participation that has been ready for the longest time, or null. */
    Participation firstReady() {
        return readyHead;
    }

    /** Removes and returns the participation that has been ready for the longest time. */
    Participation removeReady() {
        Participation first = readyHead;
        readyHead = first.nextReady;
        if (readyHead == null) {
            readyTail = null;
        }
        first.nextReady = null;
        return first;
    }

    /** Number of locks that are held or waited for. */
    int size() {
        return lockCount;
    }

    private void refuse(Participation participation) {
        release(participation);
        becomeReady(participation, Participation.State.REFUSED);
    }

    private void becomeReady(Participation participation, Participation.State state) {
        participation.state = state;
        if (readyTail == null) {
            readyHead = participation;
        } else {
            readyTail.nextReady = participation;
        }
        readyTail = participation;
    }

    private static LockRequest firstWaiting(Lock lock) {
        LockRequest request = lock.head;
        while (request != null && request.granted) {
            request = request.next;
        }
        return request;
    }

    private static void unlink(LockRequest request) {
        Lock lock = request.lock;
        if (request.previous == null) {
            lock.head = request.next;
        } else {
            request.previous.next = request.next;
        }
        if (request.next == null) {
            lock.tail = request.previous;
        } else {
            request.next.previous = request.previous;
        }
        request.previous = null;
        request.next = null;
    }

    /** Grants the head of the queue, and the requests behind it that can share with it. */
    private void grant(Lock lock) {
        LockRequest request = lock.head;
        grant(request);
        while (!request.exclusive && request.next != null && !request.next.exclusive) {
            request = request.next;
            grant(request);
        }
    }

    private void grant(LockRequest request) {
        if (!request.granted) {
            request.granted = true;
            if (--request.participation.missing == 0) {
                becomeReady(request.participation, Participation.State.READY);
            }
        }
    }

    // ---- the locks by their ids ------------------------------------------------------------------------------------

    private Lock lock(long id) {
        int bucket = bucket(id);
        for (Lock lock = buckets[bucket]; lock != null; lock = lock.nextInBucket) {
            if (lock.id == id) {
                return lock;
            }
        }
        if (lockCount == buckets.length) {
            grow();
            bucket = bucket(id);
        }
        Lock lock = free == null ? new Lock() : free;
        free = lock.nextInBucket;
        lock.id = id;
        lock.nextInBucket = buckets[bucket];
        buckets[bucket] = lock;
        lockCount++;
        return lock;
    }

    private void remove(Lock lock) {
        int bucket = bucket(lock.id);
        Lock before = null;
        for (Lock at = buckets[bucket]; at != lock; at = at.nextInBucket) {
            before = at;
        }
        if (before == null) {
            buckets[bucket] = lock.nextInBucket;
        } else {
            before.nextInBucket = lock.nextInBucket;
        }
        assert lock.orphans == 0 : lock.orphans;
        lock.nextInBucket = free;
        free = lock;
        lockCount--;
    }

    private void grow() {
        Lock[] old = buckets;
        buckets = Arrays.copyOf(new Lock[0], 2 * old.length);
        for (Lock head : old) {
            Lock lock = head;
            while (lock != null) {
                Lock next = lock.nextInBucket;
                int bucket = bucket(lock.id);
                lock.nextInBucket = buckets[bucket];
                buckets[bucket] = lock;
                lock = next;
            }
        }
    }

    private int bucket(long id) {
        return (int) KeyHash.mix(id) & (buckets.length - 1);
    }
}
