package dev.rcc.protocols.locks.words;

import dev.rcc.core.memory.Memory;
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
import dev.rcc.protocols.locks.LockVerbs;
import dev.rcc.protocols.locks.RequestedLock;

/** A coroutine's locks of one word each, tried again and again until they are held. */
abstract class RetryManager extends LockRound<RetryManager.Try> {
    /** A lock on its way. */
    static final class Try extends RequestedLock {
        /** The place of the word found, in the buffers. */
        final long result;
        /** The assumed value of the word. */
        long expected;
        /** The value that the word is to have, or has. */
        long desired;
        /** Whether a FETCH_ADD has counted the requester in. */
        boolean isCounted;

        boolean isHeld;
        int failures;
        long nextNanos;

        Try(long result) {
            this.result = result;
        }

        @Override
        public boolean isHeld() {
            return isHeld;
        }
    }

    final Worker worker;
    final RetryTerms terms;
    final LockVerbs verbs;
    private final LockSite site;
    private final Coroutine coroutine;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private long beganNanos;

    RetryManager(LockSite site, RetryTerms terms, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        super(LockLimits.NO_UPDATES);
        this.site = site;
        this.terms = terms;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.counters = site.counters();
        this.buffer = buffer;
        this.verbs = LockVerbs.of(site, completion, buffer);
    }

    /** Appends the request that tries to take a lock. */
    abstract void append(Try lock);

    /** Examines the word found. Returns whether the lock is held; if not, the next try is planned. */
    abstract boolean takeIn(Try lock, long found);

    /** Appends the request that undoes a try, whether the lock is held or not. Returns whether there is anything to undo. */
    abstract boolean appendRelease(Try lock);

    @Override
    protected final Try newLock() {
        return new Try(buffer.keep(Memory.WORD_BYTES));
    }

    @Override
    protected final void reserve(long address) {
        verbs.reserve(address);
    }

    @Override
    protected final void want(Try lock, int slots) {
        lock.expected = 0;
        lock.isCounted = false;
        lock.isHeld = false;
        lock.failures = 0;
        lock.nextNanos = worker.nanoTime();
    }

    @Override
    public final void post() {
        if (begin()) {
            beganNanos = worker.nanoTime();
            appendDue(beganNanos);
            verbs.post();
        }
    }

    /** Appends the READs last: an atomic behind a READ would wait for it. */
    private void appendDue(long now) {
        appendDue(now, false);
        appendDue(now, true);
    }

    private void appendDue(long now, boolean thoseThatRead) {
        for (int i = 0; i < count(); i++) {
            if (!lock(i).isHeld && lock(i).nextNanos - now <= 0 && isRead(lock(i)) == thoseThatRead) {
                append(lock(i));
            }
        }
    }

    /** Whether the next try is a mere READ. */
    boolean isRead(Try lock) {
        return false;
    }

    @Override
    public final LockOutcome await(long waitNanos) {
        long deadline = worker.nanoTime() + waitNanos;
        post();
        long postedNanos = beganNanos;
        while (true) {
            boolean answered = verbs.await();
            long next = Long.MAX_VALUE;
            boolean isComplete = true;
            for (int i = 0; i < count(); i++) {
                boolean isAnswered = answered || !verbs.hasFailed(lock(i).address);
                if (isAnswered && !lock(i).isHeld && lock(i).nextNanos - postedNanos <= 0) {
                    take(lock(i));
                }
                if (!lock(i).isHeld) {
                    isComplete = false;
                    next = Math.min(next, lock(i).nextNanos - postedNanos);
                }
            }
            if (!answered) {
                site.unsettled().run();
                return fail(LockOutcome.UNREACHABLE);
            }
            if (isComplete) {
                return isHeldForLong() ? granted() : lose();
            }
            long now = worker.nanoTime();
            if (now - beganNanos >= terms.timeoutNanos()) {
                return lose();
            }
            if (now - deadline >= 0) {
                counters.timeouts++;
                return fail(LockOutcome.TIMED_OUT);
            }
            long pause = Math.min(next - (now - postedNanos), deadline - now);
            if (pause > 0) {
                coroutine.sleep(pause);
            } else {
                coroutine.pause();
            }
            postedNanos = worker.nanoTime();
            appendDue(postedNanos);
        }
    }

    /** Whether the round may be granted though its first locks were held while it waited for the last. */
    boolean isHeldForLong() {
        return isWithinLease();
    }

    private void take(Try lock) {
        lock.nextNanos = worker.nanoTime() + terms.retryNanos(lock.failures + 1);
        lock.isHeld = takeIn(lock, verbs.word(lock.result));
        if (lock.isHeld) {
            counters.grants++;
            counters.waits += lock.failures > 0 ? 1 : 0;
        }
        lock.failures++;
    }

    private LockOutcome lose() {
        counters.lost++;
        return fail(LockOutcome.LOST);
    }

    /** {@inheritDoc} There are no tokens: a past holder that slept too long can't be distinguished from the present holder. */
    @Override
    public final long token(int lock) {
        held(lock);
        return LockToken.NONE;
    }

    @Override
    public final void release() {
        boolean isAny = false;
        for (int i = 0; i < count(); i++) {
            isAny |= appendRelease(lock(i));
        }
        if (isAny && !verbs.await()) {
            site.unsettled().run();
        }
        verbs.endReservations();
        end();
    }
}
