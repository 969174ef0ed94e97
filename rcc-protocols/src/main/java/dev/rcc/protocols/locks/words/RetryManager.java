package dev.rcc.protocols.locks.words;

import dev.rcc.core.memory.Memory;
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
import dev.rcc.protocols.locks.LockVerbs;
import java.util.Arrays;

/** A coroutine's locks of one word each, tried again and again until they are held. */
abstract class RetryManager implements LockManager {
    private static final int INITIAL_LOCKS = 4;

    /** A lock on its way. Reused. */
    static final class Try {
        long address;
        LockMode mode;
        /** Where the word found goes. */
        long result;
        /** What the word is taken to be. */
        long expected;
        /** What it is to become, or has become. */
        long desired;
        /** Whether a FETCH_ADD has counted it in. */
        boolean isCounted;

        boolean isHeld;
        int failures;
        long nextNanos;
    }

    final Worker worker;
    final RetryTerms terms;
    final LockVerbs verbs;
    private final LockSite site;
    private final Coroutine coroutine;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private Try[] tries = {};
    private int count;
    private boolean isPosted;
    private long beganNanos;

    RetryManager(LockSite site, RetryTerms terms, Coroutine coroutine, Completion completion, BufferSlice buffer) {
        this.site = site;
        this.terms = terms;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.counters = site.counters();
        this.buffer = buffer;
        this.verbs = LockVerbs.of(site, completion, buffer);
        grow();
    }

    private void grow() {
        int old = tries.length;
        int capacity = Math.max(INITIAL_LOCKS, 2 * old);
        long result = buffer.keep((capacity - old) * Memory.WORD_BYTES);
        tries = Arrays.copyOf(tries, capacity);
        for (int i = old; i < capacity; i++) {
            tries[i] = new Try();
            tries[i].result = result;
            result += Memory.WORD_BYTES;
        }
    }

    /** Appends what tries to take a lock. */
    abstract void append(Try lock);

    /** Looks at what was found. Returns whether the lock is held; if not, the next try is planned. */
    abstract boolean takeIn(Try lock, long found);

    /** Appends what gives back what a try has taken, held or not. Returns whether there is anything to give back. */
    abstract boolean appendRelease(Try lock);

    @Override
    public final int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("a round of locks has begun: await it before it grows");
        }
        if (mode == LockMode.UPDATE) {
            throw new IllegalArgumentException("got an update lock, allowed: shared and exclusive ones");
        }
        if (slots < 1) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: at least 1");
        }
        for (int i = 0; i < count; i++) {
            if (tries[i].address == address) {
                throw new IllegalArgumentException("the round has the lock already as number " + i);
            }
        }
        if (count == tries.length) {
            grow();
        }
        verbs.reserve(address);
        Try lock = tries[count];
        lock.address = address;
        lock.mode = mode;
        lock.expected = 0;
        lock.isCounted = false;
        lock.isHeld = false;
        lock.failures = 0;
        lock.nextNanos = worker.nanoTime();
        return count++;
    }

    @Override
    public final void post() {
        if (!isPosted) {
            isPosted = true;
            beganNanos = worker.nanoTime();
            appendDue(beganNanos);
            verbs.post();
        }
    }

    /** An atomic behind a READ would wait for it. */
    private void appendDue(long now) {
        appendDue(now, false);
        appendDue(now, true);
    }

    private void appendDue(long now, boolean thoseThatRead) {
        for (int i = 0; i < count; i++) {
            if (!tries[i].isHeld && tries[i].nextNanos - now <= 0 && isRead(tries[i]) == thoseThatRead) {
                append(tries[i]);
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
            for (int i = 0; i < count; i++) {
                boolean isAnswered = answered || !verbs.hasFailed(tries[i].address);
                if (isAnswered && !tries[i].isHeld && tries[i].nextNanos - postedNanos <= 0) {
                    take(tries[i]);
                }
                if (!tries[i].isHeld) {
                    isComplete = false;
                    next = Math.min(next, tries[i].nextNanos - postedNanos);
                }
            }
            if (!answered) {
                site.unsettled().run();
                return fail(LockOutcome.UNREACHABLE);
            }
            if (isComplete) {
                isPosted = false; // the round may grow
                return isHeldForLong() ? LockOutcome.GRANTED : lose();
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

    /** Whether the round may be granted though others were waited for after the first of its locks. */
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

    private LockOutcome fail(LockOutcome outcome) {
        release();
        return outcome;
    }

    @Override
    public final LockOutcome upgrade(int lock, long waitNanos) {
        throw new IllegalArgumentException(
                "lock " + lock + " is held " + held(lock).mode + ", allowed: an update lock, to be upgraded");
    }

    final Try held(int lock) {
        if (lock < 0 || lock >= count || !tries[lock].isHeld) {
            throw new IllegalArgumentException("no lock with the number " + lock + " is held");
        }
        return tries[lock];
    }

    /** {@inheritDoc} There are none: who slept too long can't be told from who holds the lock. */
    @Override
    public final long token(int lock) {
        held(lock);
        return LockToken.NONE;
    }

    @Override
    public long leaseLeftNanos(int lock) {
        held(lock);
        return Long.MAX_VALUE / 2;
    }

    @Override
    public final boolean isWithinLease() {
        for (int i = 0; i < count; i++) {
            if (!tries[i].isHeld || leaseLeftNanos(i) <= 0) {
                return false;
            }
        }
        return count > 0;
    }

    @Override
    public final boolean check() {
        return isWithinLease();
    }

    @Override
    public final void release() {
        boolean isAny = false;
        for (int i = 0; i < count; i++) {
            isAny |= appendRelease(tries[i]);
        }
        if (isAny && !verbs.await()) {
            site.unsettled().run();
        }
        verbs.endReservations();
        count = 0;
        isPosted = false;
    }
}
