package dev.rcc.protocols.locks.queue;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockLimits;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockRound;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.RequestedLock;

/** A coroutine's locks in queues at their nodes: one call for each to take it, and one to release it. */
final class QueueManager extends LockRound<QueueManager.Queued> {
    /** Room for a lock's request and its reply. */
    private static final int MESSAGE_BYTES = QueueMessage.REQUEST_BYTES + QueueMessage.REPLY_BYTES;

    private static final int TICKET_BITS = Long.numberOfTrailingZeros(LockToken.MAX_TICKET + 1);

    /** A lock of the round. */
    static final class Queued extends RequestedLock {
        /** The request, and behind it the reply. */
        private final long message;

        private boolean isHeld;
        private boolean isUpgraded;
        /** The number of the grant at its node. */
        private long number;

        Queued(long message) {
            this.message = message;
        }

        @Override
        public boolean isHeld() {
            return isHeld;
        }
    }

    private final LockSite site;
    private final Endpoint endpoint;
    private final Worker worker;
    private final Memory memory;
    private final BufferSlice buffer;
    private final Completion completion;
    private final LockCounters counters;
    private final long timeoutNanos;
    /** How many of the round's locks are held; the locks behind them were added since. */
    private int granted;

    private long postNanos;
    /** The configuration in which the round began. */
    private long epoch;

    QueueManager(LockSite site, long timeoutNanos, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        super(new LockLimits(true, Integer.MAX_VALUE));
        this.site = site;
        this.endpoint = site.endpoint();
        this.worker = coroutine.worker();
        this.memory = buffer.memory();
        this.buffer = buffer;
        this.completion = completion;
        this.counters = site.counters();
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    protected Queued newLock() {
        return new Queued(buffer.keep(MESSAGE_BYTES));
    }

    /** {@inheritDoc} A lock has had room for its message since it was created. */
    @Override
    protected void reserve(long address) {}

    @Override
    protected void want(Queued lock, int slots) {
        if (count() == 0) {
            epoch = site.configEpoch().getAsLong();
        }
        lock.isHeld = false;
        lock.isUpgraded = false;
    }

    @Override
    public void post() {
        post(timeoutNanos);
    }

    private void post(long patience) {
        if (begin()) {
            postNanos = worker.nanoTime();
            for (int i = granted; i < count(); i++) {
                call(lock(i), QueueMessage.LOCK, patience);
            }
        }
    }

    private void call(Queued lock, int what, long patience) {
        long request = lock.message;
        memory.putLong(request + QueueMessage.WHAT, what);
        memory.putLong(request + QueueMessage.ADDRESS, lock.address);
        memory.putLong(request + QueueMessage.MODE, lock.mode.code());
        memory.putLong(request + QueueMessage.PATIENCE, patience);
        memory.putLong(request + QueueMessage.EPOCH, epoch);
        memory.putLong(request + QueueMessage.REQUEST_BYTES + QueueMessage.GRANTED, 0);
        counters.messages++;
        endpoint.call(
                RemoteAddress.node(lock.address),
                QueueMessage.RPC_ID,
                request,
                QueueMessage.REQUEST_BYTES,
                request + QueueMessage.REQUEST_BYTES,
                QueueMessage.REPLY_BYTES,
                completion);
    }

    /** {@inheritDoc} The node counts the time from the request's arrival; a request that was posted before waits until the time-out. */
    @Override
    public LockOutcome await(long waitNanos) {
        post(Math.min(waitNanos, timeoutNanos));
        boolean answered = completion.await();
        boolean isComplete = answered;
        for (int i = granted; i < count(); i++) {
            Queued lock = lock(i);
            boolean hasAnswered = answered || !completion.hasFailed(RemoteAddress.node(lock.address));
            lock.isHeld = hasAnswered && takeIn(lock);
            isComplete &= lock.isHeld;
        }
        if (isComplete) {
            counters.grants += count() - granted;
            granted = count();
            return granted();
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

    private boolean takeIn(Queued lock) {
        long reply = lock.message + QueueMessage.REQUEST_BYTES;
        lock.number = memory.getLong(reply + QueueMessage.NUMBER);
        return memory.getLong(reply + QueueMessage.GRANTED) == 1;
    }

    @Override
    public LockOutcome upgrade(int number, long waitNanos) {
        Queued lock = heldForUpdate(number);
        if (lock.isUpgraded) {
            return LockOutcome.GRANTED;
        }
        call(lock, QueueMessage.UPGRADE, Math.min(waitNanos, timeoutNanos));
        boolean answered = completion.await();
        if (answered && takeIn(lock)) {
            lock.isUpgraded = true;
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

    @Override
    public long token(int lock) {
        long number = held(lock).number;
        return LockToken.of(epoch, number >>> TICKET_BITS, number & LockToken.MAX_TICKET);
    }

    @Override
    public void release() {
        for (int i = 0; i < count(); i++) {
            Queued lock = lock(i);
            if (lock.isHeld) {
                call(lock, QueueMessage.RELEASE, 0);
                lock.isHeld = false;
            }
        }
        if (completion.outstanding() > 0 && !completion.await()) {
            site.unsettled().run();
        }
        granted = 0;
        end();
    }
}
