package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockToken;
import java.util.Arrays;

/** A coroutine's locks in queues at their nodes: one call for each to take it, and one to release it. */
final class QueueManager implements LockManager {
    private static final int INITIAL_LOCKS = 4;
    /** Room for what a lock asks, and for the answer. */
    private static final int MESSAGE_BYTES = QueueMessage.REQUEST_BYTES + QueueMessage.REPLY_BYTES;

    private static final int TICKET_BITS = Long.numberOfTrailingZeros(LockToken.MAX_TICKET + 1);

    private final LockSite site;
    private final Endpoint endpoint;
    private final Worker worker;
    private final Memory memory;
    private final BufferSlice buffer;
    private final Completion completion;
    private final LockCounters counters;
    private final long timeoutNanos;
    private long[] addresses = {};
    private LockMode[] modes = {};
    private boolean[] isHeld = {};
    private boolean[] isUpgraded = {};
    /** By lock: which of its node's grants it was. */
    private long[] numbers = {};
    /** By lock: the request, and behind it the reply. */
    private long[] messages = {};

    private int count;
    /** How many of them were held when the round grew. */
    private int granted;

    private boolean isPosted;
    private long postNanos;
    /** The configuration in which the round began. */
    private long epoch;

    QueueManager(LockSite site, long timeoutNanos, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        this.site = site;
        this.endpoint = site.endpoint();
        this.worker = coroutine.worker();
        this.memory = buffer.memory();
        this.buffer = buffer;
        this.completion = completion;
        this.counters = site.counters();
        this.timeoutNanos = timeoutNanos;
    }

    private void grow() {
        int old = addresses.length;
        int capacity = Math.max(INITIAL_LOCKS, 2 * old);
        long message = buffer.keep((capacity - old) * MESSAGE_BYTES);
        addresses = Arrays.copyOf(addresses, capacity);
        modes = Arrays.copyOf(modes, capacity);
        isHeld = Arrays.copyOf(isHeld, capacity);
        isUpgraded = Arrays.copyOf(isUpgraded, capacity);
        numbers = Arrays.copyOf(numbers, capacity);
        messages = Arrays.copyOf(messages, capacity);
        for (int i = old; i < capacity; i++) {
            messages[i] = message;
            message += MESSAGE_BYTES;
        }
    }

    @Override
    public int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("a round of locks has begun: await it before it grows");
        }
        if (slots < 1) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: at least 1");
        }
        for (int i = 0; i < count; i++) {
            if (addresses[i] == address) {
                throw new IllegalArgumentException("the round has the lock already as number " + i);
            }
        }
        if (count == addresses.length) {
            grow();
        }
        if (count == 0) {
            epoch = site.configEpoch().getAsLong();
        }
        addresses[count] = address;
        modes[count] = mode;
        isHeld[count] = false;
        isUpgraded[count] = false;
        return count++;
    }

    @Override
    public void post() {
        post(timeoutNanos);
    }

    private void post(long patience) {
        if (!isPosted) {
            isPosted = true;
            postNanos = worker.nanoTime();
            for (int i = granted; i < count; i++) {
                call(i, QueueMessage.LOCK, patience);
            }
        }
    }

    private void call(int lock, int what, long patience) {
        long request = messages[lock];
        memory.putLong(request + QueueMessage.WHAT, what);
        memory.putLong(request + QueueMessage.ADDRESS, addresses[lock]);
        memory.putLong(request + QueueMessage.MODE, modes[lock].code());
        memory.putLong(request + QueueMessage.PATIENCE, patience);
        memory.putLong(request + QueueMessage.EPOCH, epoch);
        memory.putLong(request + QueueMessage.REQUEST_BYTES + QueueMessage.GRANTED, 0);
        counters.messages++;
        endpoint.call(
                RemoteAddress.node(addresses[lock]),
                QueueMessage.RPC_ID,
                request,
                QueueMessage.REQUEST_BYTES,
                request + QueueMessage.REQUEST_BYTES,
                QueueMessage.REPLY_BYTES,
                completion);
    }

    /** {@inheritDoc} The node counts the time from when it is asked; what was posted before waits for as long as the time-out says. */
    @Override
    public LockOutcome await(long waitNanos) {
        post(Math.min(waitNanos, timeoutNanos));
        boolean answered = completion.await();
        boolean isComplete = answered;
        for (int i = granted; i < count; i++) {
            boolean hasAnswered = answered || !completion.hasFailed(RemoteAddress.node(addresses[i]));
            isHeld[i] = hasAnswered && takeIn(i);
            isComplete &= isHeld[i];
        }
        if (isComplete) {
            counters.grants += count - granted;
            granted = count;
            isPosted = false; // the round may grow
            return LockOutcome.GRANTED;
        }
        release();
        if (!answered) {
            site.unsettled().run();
            return LockOutcome.UNREACHABLE;
        }
        if (worker.nanoTime() - postNanos >= timeoutNanos) {
            counters.lost++;
            return LockOutcome.LOST;
        }
        counters.timeouts++;
        return LockOutcome.TIMED_OUT;
    }

    private boolean takeIn(int lock) {
        long reply = messages[lock] + QueueMessage.REQUEST_BYTES;
        numbers[lock] = memory.getLong(reply + QueueMessage.NUMBER);
        return memory.getLong(reply + QueueMessage.GRANTED) == 1;
    }

    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        if (modes[held(lock)] != LockMode.UPDATE) {
            throw new IllegalArgumentException(
                    "lock " + lock + " is held " + modes[lock] + ", allowed: an update lock, to be upgraded");
        }
        if (isUpgraded[lock]) {
            return LockOutcome.GRANTED;
        }
        call(lock, QueueMessage.UPGRADE, Math.min(waitNanos, timeoutNanos));
        boolean answered = completion.await();
        if (answered && memory.getLong(messages[lock] + QueueMessage.REQUEST_BYTES + QueueMessage.GRANTED) == 1) {
            isUpgraded[lock] = takeIn(lock);
            return LockOutcome.GRANTED;
        }
        release();
        if (!answered) {
            site.unsettled().run();
            return LockOutcome.UNREACHABLE;
        }
        counters.timeouts++;
        return LockOutcome.TIMED_OUT;
    }

    private int held(int lock) {
        if (lock < 0 || lock >= count || !isHeld[lock]) {
            throw new IllegalArgumentException("no lock with the number " + lock + " is held");
        }
        return lock;
    }

    @Override
    public long token(int lock) {
        long number = numbers[held(lock)];
        return LockToken.of(epoch, number >>> TICKET_BITS, number & LockToken.MAX_TICKET);
    }

    /** {@inheritDoc} No lease ends. */
    @Override
    public long leaseLeftNanos(int lock) {
        held(lock);
        return Long.MAX_VALUE / 2;
    }

    @Override
    public boolean isWithinLease() {
        for (int i = 0; i < count; i++) {
            if (!isHeld[i]) {
                return false;
            }
        }
        return count > 0;
    }

    @Override
    public boolean check() {
        return isWithinLease();
    }

    @Override
    public void release() {
        for (int i = 0; i < count; i++) {
            if (isHeld[i]) {
                call(i, QueueMessage.RELEASE, 0);
                isHeld[i] = false;
            }
        }
        if (completion.outstanding() > 0 && !completion.await()) {
            site.unsettled().run();
        }
        count = 0;
        granted = 0;
        isPosted = false;
    }
}
