package dev.rcc.protocols.locks.dslr;

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
import dev.rcc.protocols.locks.LockVerbs;
import java.util.Arrays;

/** A coroutine's DSLR locks. Paper: dslr, Algorithms 1 to 3, mended as the package says. */
final class DslrManager implements LockManager {
    private static final int INITIAL_TICKETS = 4;

    private final LockSite site;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final boolean isGuarded;
    private final Coroutine coroutine;
    private final Worker worker;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private final LockVerbs verbs;
    private final DslrCourse course;

    private DslrTicket[] tickets = {};
    /** By ticket: where what the FETCH_ADD found goes, and behind it both words. */
    private long[] results = {};

    private int count;
    private boolean isPosted;
    /** When the reads were posted whose answers are looked at. */
    private long postNanos;

    DslrManager(
            LockSite site,
            DslrTerms terms,
            DslrLayout layout,
            boolean isGuarded,
            DslrService service,
            Coroutine coroutine,
            Completion completion,
            BufferSlice buffer) {
        this.site = site;
        this.terms = terms;
        this.layout = layout;
        this.isGuarded = isGuarded;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.counters = site.counters();
        this.buffer = buffer;
        this.verbs = LockVerbs.of(site, completion, buffer);
        DslrWords words = new DslrWords(coroutine, verbs, layout, terms, counters, isGuarded, buffer);
        this.course = new DslrCourse(coroutine, verbs, words, layout, terms, service, counters);
        grow();
    }

    private void grow() {
        int old = tickets.length;
        int capacity = Math.max(INITIAL_TICKETS, 2 * old);
        long result = buffer.keep((capacity - old) * DslrWords.RESULT_BYTES);
        tickets = Arrays.copyOf(tickets, capacity);
        results = Arrays.copyOf(results, capacity);
        for (int i = old; i < capacity; i++) {
            tickets[i] = new DslrTicket();
            results[i] = result;
            result += DslrWords.RESULT_BYTES;
        }
    }

    @Override
    public int request(long address, LockMode mode, int slots) {
        if (isPosted) {
            throw new IllegalStateException("a round of locks has begun: await it before it grows");
        }
        if (mode == LockMode.UPDATE && !layout.hasUpdates()) {
            throw new IllegalArgumentException(
                    "got an update lock, allowed: shared and exclusive ones, as these locks have no update counters");
        }
        if (slots < 1 || slots > terms.slotsMax()) {
            throw new IllegalArgumentException("slots: got " + slots + ", allowed: 1 to " + terms.slotsMax());
        }
        for (int i = 0; i < count; i++) {
            if (tickets[i].address == address) {
                throw new IllegalArgumentException("the round has the lock already as number " + i);
            }
        }
        if (count == tickets.length) {
            grow();
        }
        verbs.reserve(address);
        tickets[count].want(address, mode, slots, worker.nanoTime());
        return count++;
    }

    // ---- acquire ---------------------------------------------------------------------------------------------------

    @Override
    public void post() {
        if (!isPosted) {
            isPosted = true;
            append();
            verbs.post();
        }
    }

    private void append() {
        postNanos = worker.nanoTime();
        for (int i = 0; i < count; i++) {
            if (isLookedAt(tickets[i])) {
                course.ask(tickets[i], results[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            if (isLookedAt(tickets[i])) {
                course.look(tickets[i], results[i]);
            }
        }
    }

    private boolean isLookedAt(DslrTicket ticket) {
        return ticket.state != DslrTicket.State.HELD
                && ticket.state != DslrTicket.State.ENDED
                && ticket.nextNanos - postNanos <= 0;
    }

    @Override
    public LockOutcome await(long waitNanos) {
        if (count == 0) {
            throw new IllegalStateException("no lock was asked for");
        }
        long deadline = worker.nanoTime() + waitNanos;
        if (isPosted) {
            return collect(verbs.await(), deadline);
        }
        isPosted = true;
        return look(deadline);
    }

    private LockOutcome look(long deadline) {
        append();
        return collect(verbs.await(), deadline);
    }

    private LockOutcome collect(boolean firstAnswered, long deadline) {
        boolean answered = firstAnswered;
        while (true) {
            if (!answered) {
                return fail(LockOutcome.UNREACHABLE);
            }
            long next = Long.MAX_VALUE;
            boolean isComplete = true;
            boolean isLost = false;
            long postedNanos = postNanos;
            for (int i = 0; i < count; i++) {
                DslrTicket ticket = tickets[i];
                if (ticket.state == DslrTicket.State.HELD || ticket.state == DslrTicket.State.ENDED) {
                    continue;
                }
                if (ticket.nextNanos - postedNanos <= 0) {
                    course.takeIn(ticket, results[i], postNanos);
                }
                isLost |= ticket.state == DslrTicket.State.ENDED;
                if (ticket.state != DslrTicket.State.HELD) {
                    isComplete = false;
                    next = Math.min(next, ticket.nextNanos - postedNanos);
                }
            }
            if (isLost || (isComplete && !isGuarded && !isWithinLease())) {
                counters.lost++;
                return fail(LockOutcome.LOST);
            }
            if (isComplete) {
                isPosted = false; // the round may grow
                return LockOutcome.GRANTED;
            }
            long now = worker.nanoTime();
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
            append();
            answered = verbs.await();
        }
    }

    private LockOutcome fail(LockOutcome outcome) {
        if (outcome == LockOutcome.UNREACHABLE) {
            for (int i = 0; i < count; i++) {
                if (tickets[i].state == DslrTicket.State.WANTED) {
                    drawOrForget(tickets[i], results[i]);
                }
            }
        }
        release();
        return outcome;
    }

    /** What was drawn where the node has answered is to be passed on; what was perhaps drawn elsewhere nobody knows, and its lease ends. */
    private void drawOrForget(DslrTicket ticket, long result) {
        if (verbs.hasFailed(ticket.address)) {
            ticket.state = DslrTicket.State.ENDED;
        } else {
            course.draw(ticket, result, postNanos);
        }
    }

    // ---- hold ------------------------------------------------------------------------------------------------------

    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        DslrTicket ticket = held(lock);
        if (ticket.mode != LockMode.UPDATE) {
            throw new IllegalArgumentException(
                    "lock " + lock + " is held " + ticket.mode + ", allowed: an update lock, to be upgraded");
        }
        if (ticket.isUpgraded) {
            return LockOutcome.GRANTED;
        }
        course.upgrade(ticket);
        return look(worker.nanoTime() + waitNanos);
    }

    @Override
    public long token(int lock) {
        return held(lock).token(site.configEpoch().getAsLong());
    }

    private DslrTicket held(int lock) {
        if (lock < 0 || lock >= count || !tickets[lock].isHeld()) {
            throw new IllegalArgumentException("no lock with the number " + lock + " is held");
        }
        return tickets[lock];
    }

    @Override
    public boolean isWithinLease() {
        for (int i = 0; i < count; i++) {
            if (!tickets[i].isHeld() || leaseLeftNanos(i) <= 0) {
                return false;
            }
        }
        return count > 0;
    }

    @Override
    public long leaseLeftNanos(int lock) {
        return course.leaseLeftNanos(held(lock));
    }

    @Override
    public boolean check() {
        for (int i = 0; i < count; i++) {
            if (!tickets[i].isHeld()) {
                return false;
            }
            verbs.read(tickets[i].address, DslrWords.PAIR, results[i] + Memory.WORD_BYTES);
        }
        boolean isValid = verbs.await() && count > 0;
        for (int i = 0; i < count && isValid; i++) {
            isValid = DslrTurn.isValid(
                    layout,
                    tickets[i],
                    verbs.word(results[i] + Memory.WORD_BYTES),
                    verbs.word(results[i] + 2L * Memory.WORD_BYTES));
        }
        return isValid;
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    /** One FETCH_ADD a lock, if its lease is young. */
    @Override
    public void release() {
        long now = worker.nanoTime();
        boolean isEarly = false;
        for (int i = 0; i < count; i++) {
            if (course.isEarly(tickets[i], now)) {
                course.handBack(tickets[i], results[i]);
                isEarly = true;
            }
        }
        boolean _ = !isEarly || verbs.await();
        for (int i = 0; i < count; i++) {
            if (course.isEarly(tickets[i], now)) {
                course.handedBack(tickets[i], verbs.hasFailed(tickets[i].address), results[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            course.leave(tickets[i]);
        }
        verbs.endReservations();
        count = 0;
        isPosted = false;
    }
}
