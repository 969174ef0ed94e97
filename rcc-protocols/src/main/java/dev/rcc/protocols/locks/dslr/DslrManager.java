package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockRound;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;

/** A coroutine's DSLR locks. Paper: dslr, Algorithms 1 to 3, corrected as the package describes. */
final class DslrManager extends LockRound<DslrManager.Drawn> {
    /** A ticket of a round. */
    static final class Drawn extends DslrTicket {
        /** The place of the word that the FETCH_ADD found, and behind it of both words. */
        private final long result;

        Drawn(long result) {
            this.result = result;
        }
    }

    private final LockSite site;
    private final DslrLayout layout;
    private final boolean isGuarded;
    private final Coroutine coroutine;
    private final Worker worker;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private final LockVerbs verbs;
    private final DslrCourse course;

    /** The time at which the last reads were posted. */
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
        super(terms.limits());
        this.site = site;
        this.layout = layout;
        this.isGuarded = isGuarded;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.counters = site.counters();
        this.buffer = buffer;
        this.verbs = LockVerbs.of(site, completion, buffer);
        DslrWords words = new DslrWords(coroutine, verbs, layout, terms, counters, isGuarded, buffer);
        this.course = new DslrCourse(coroutine, verbs, words, layout, terms, service, counters);
    }

    @Override
    protected Drawn newLock() {
        return new Drawn(buffer.keep(DslrWords.RESULT_BYTES));
    }

    @Override
    protected void reserve(long address) {
        verbs.reserve(address);
    }

    @Override
    protected void want(Drawn ticket, int slots) {
        ticket.want(ticket.address, ticket.mode, slots, worker.nanoTime());
    }

    // ---- acquire ---------------------------------------------------------------------------------------------------

    @Override
    public void post() {
        if (begin()) {
            append();
            verbs.post();
        }
    }

    private void append() {
        postNanos = worker.nanoTime();
        for (int i = 0; i < count(); i++) {
            if (isLookedAt(lock(i))) {
                course.ask(lock(i), lock(i).result);
            }
        }
        for (int i = 0; i < count(); i++) {
            if (isLookedAt(lock(i))) {
                course.look(lock(i), lock(i).result);
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
        if (count() == 0) {
            throw new IllegalStateException("no lock was asked for");
        }
        long deadline = worker.nanoTime() + waitNanos;
        return begin() ? look(deadline) : collect(verbs.await(), deadline);
    }

    private LockOutcome look(long deadline) {
        append();
        return collect(verbs.await(), deadline);
    }

    private LockOutcome collect(boolean firstAnswered, long deadline) {
        boolean answered = firstAnswered;
        while (true) {
            if (!answered) {
                return failUnreachable();
            }
            long next = Long.MAX_VALUE;
            boolean isComplete = true;
            boolean isLost = false;
            long postedNanos = postNanos;
            for (int i = 0; i < count(); i++) {
                Drawn ticket = lock(i);
                if (ticket.state == DslrTicket.State.HELD || ticket.state == DslrTicket.State.ENDED) {
                    continue;
                }
                if (ticket.nextNanos - postedNanos <= 0) {
                    course.takeIn(ticket, ticket.result, postNanos);
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
                return granted();
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

    private LockOutcome failUnreachable() {
        for (int i = 0; i < count(); i++) {
            if (lock(i).state == DslrTicket.State.WANTED) {
                drawOrForget(lock(i));
            }
        }
        return fail(LockOutcome.UNREACHABLE);
    }

    /** A ticket whose node has answered was drawn, and is to be passed on. Of another ticket it is unknown whether it was drawn; its lease ends. */
    private void drawOrForget(Drawn ticket) {
        if (verbs.hasFailed(ticket.address)) {
            ticket.state = DslrTicket.State.ENDED;
        } else {
            course.draw(ticket, ticket.result, postNanos);
        }
    }

    // ---- hold ------------------------------------------------------------------------------------------------------

    @Override
    public LockOutcome upgrade(int lock, long waitNanos) {
        DslrTicket ticket = heldForUpdate(lock);
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

    @Override
    public long leaseLeftNanos(int lock) {
        return course.leaseLeftNanos(held(lock));
    }

    @Override
    public boolean check() {
        for (int i = 0; i < count(); i++) {
            if (!lock(i).isHeld()) {
                return false;
            }
            verbs.read(lock(i).address, DslrWords.PAIR, lock(i).result + Memory.WORD_BYTES);
        }
        boolean isValid = verbs.await() && count() > 0;
        for (int i = 0; i < count() && isValid; i++) {
            long pair = lock(i).result + Memory.WORD_BYTES;
            isValid = DslrTurn.isValid(layout, lock(i), verbs.word(pair), verbs.word(pair + Memory.WORD_BYTES));
        }
        return isValid;
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    /** {@inheritDoc} It takes one FETCH_ADD for a lock whose lease is young. */
    @Override
    public void release() {
        long now = worker.nanoTime();
        boolean isEarly = false;
        for (int i = 0; i < count(); i++) {
            lock(i).stopUpgrade();
            if (course.isEarly(lock(i), now)) {
                course.handBack(lock(i), lock(i).result);
                isEarly = true;
            }
        }
        boolean _ = !isEarly || verbs.await();
        for (int i = 0; i < count(); i++) {
            if (course.isEarly(lock(i), now)) {
                course.handedBack(lock(i), verbs.hasFailed(lock(i).address), lock(i).result);
            }
        }
        for (int i = 0; i < count(); i++) {
            course.leave(lock(i));
        }
        verbs.endReservations();
        end();
    }
}
