package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
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
    /** Tries to hand a lock back by CAS before the service coroutine does. */
    private static final int RELEASE_TRIES = 8;

    private final LockSite site;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final boolean isGuarded;
    private final DslrService service;
    private final Coroutine coroutine;
    private final Worker worker;
    private final LockCounters counters;
    private final BufferSlice buffer;
    private final LockVerbs verbs;
    private final DslrWords words;

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
            BufferSlice buffer) {
        this.site = site;
        this.terms = terms;
        this.layout = layout;
        this.isGuarded = isGuarded;
        this.service = service;
        this.coroutine = coroutine;
        this.worker = coroutine.worker();
        this.counters = site.counters();
        this.buffer = buffer;
        this.verbs = LockVerbs.of(site, coroutine, buffer);
        this.words = new DslrWords(coroutine, verbs, layout, terms, counters, isGuarded, buffer);
        grow();
    }

    private void grow() {
        int old = tickets.length;
        int capacity = Math.max(INITIAL_TICKETS, 2 * old);
        tickets = Arrays.copyOf(tickets, capacity);
        results = Arrays.copyOf(results, capacity);
        for (int i = old; i < capacity; i++) {
            tickets[i] = new DslrTicket();
            results[i] = buffer.keep(DslrWords.RESULT_BYTES);
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

    /** A ticket costs one FETCH_ADD. The read behind it dates the ticket; who waits reads the same again. */
    private void append() {
        postNanos = worker.nanoTime();
        for (int i = 0; i < count; i++) {
            DslrTicket ticket = tickets[i];
            if (isLookedAt(ticket)) {
                if (ticket.state == DslrTicket.State.WANTED) {
                    verbs.fetchAdd(ticket.address, layout.ticket(ticket.mode, ticket.slots), results[i]);
                }
                verbs.read(ticket.address, DslrWords.PAIR, results[i] + Memory.WORD_BYTES);
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
                    takeIn(ticket, results[i]);
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

    /** Looks at what was read of a lock. */
    private void takeIn(DslrTicket ticket, long result) {
        long counted = verbs.word(result + Memory.WORD_BYTES);
        long fence = verbs.word(result + 2L * Memory.WORD_BYTES);
        if (ticket.state == DslrTicket.State.WANTED) {
            draw(ticket, verbs.word(result), counted, fence);
        }
        if (layout.isIncomplete(counted, fence)) {
            if (!words.complete(ticket.address)) {
                ticket.nextNanos = worker.nanoTime() + terms.pollNanos(1);
                return; // the next look fails
            }
            counted = words.counters();
            fence = words.fence();
        }
        if (ticket.state == DslrTicket.State.NO_ROOM) {
            awaitRoom(ticket, counted, fence);
        } else {
            awaitTurn(ticket, counted, fence);
        }
    }

    private void draw(DslrTicket ticket, long found, long counted, long fence) {
        ticket.drawn(layout, found);
        ticket.generation = layout.generation(fence);
        ticket.grantNanos = postNanos;
        ticket.seen = layout.served(counted);
        ticket.seenNanos = worker.nanoTime();
        ticket.state = layout.isFull(found) ? DslrTicket.State.NO_ROOM : DslrTicket.State.WAITING;
    }

    /**
     * The ticket was from beyond the limit. It is left where it is: those who set the counters to zero do not wait for it. If nothing
     * happens for the longest lease there is, they are dead.
     */
    private void awaitRoom(DslrTicket ticket, long counted, long fence) {
        if (!layout.isFull(counted)) {
            ticket.state = DslrTicket.State.WANTED;
            ticket.nextNanos = worker.nanoTime();
            return;
        }
        ticket.hasWaited = true;
        if (layout.generation(fence) != ticket.generation) {
            ticket.generation = layout.generation(fence);
            ticket.seenNanos = worker.nanoTime(); // the same counters in another era are a change, too
        }
        if (isStuck(ticket, counted, terms.slotsMax())) {
            boolean _ = words.read(ticket.address);
            if (words.fence() == fence && layout.served(words.counters()) == layout.served(counted)) {
                words.zero(ticket.address);
            }
        }
        ticket.nextNanos = worker.nanoTime() + words.backoffNanos(++ticket.failures);
    }

    private void awaitTurn(DslrTicket ticket, long counted, long fence) {
        switch (DslrTurn.of(layout, ticket, counted, fence)) {
            case GRANTED -> {
                ticket.generation = layout.generation(fence);
                grant(ticket);
            }
            case VOID -> end(ticket);
            case OVERTAKEN -> {
                boolean _ = words.complete(ticket.address);
                if (DslrTurn.of(layout, ticket, words.counters(), words.fence()) == DslrTurn.OVERTAKEN) {
                    words.resetAll(ticket.address);
                }
                end(ticket);
            }
            case WAIT, INCOMPLETE -> {
                ticket.generation = layout.generation(fence);
                ticket.hasWaited = true;
                ticket.grantNanos = postNanos;
                long before = layout.before(counted, ticket.shared, ticket.exclusive, ticket.update);
                ticket.nextNanos = worker.nanoTime() + terms.pollNanos(before);
                if (isStuck(ticket, counted, before)) {
                    resetBehind(ticket, fence);
                }
            }
        }
    }

    private void grant(DslrTicket ticket) {
        if (ticket.state == DslrTicket.State.UPGRADING) {
            ticket.isUpgraded = true;
        } else {
            counters.grants++;
        }
        counters.waits += ticket.hasWaited ? 1 : 0;
        ticket.state = DslrTicket.State.HELD;
    }

    private void resetBehind(DslrTicket ticket, long fence) {
        if (words.complete(ticket.address)
                && words.fence() == fence
                && layout.served(words.counters()) == ticket.seen) {
            words.resetBehind(ticket);
            if (!DslrTurn.isValid(layout, ticket, words.counters(), words.fence())) {
                end(ticket);
            }
        }
    }

    private boolean isStuck(DslrTicket ticket, long counted, long slotsBefore) {
        long served = layout.served(counted);
        long now = worker.nanoTime();
        if (served != ticket.seen) {
            ticket.seen = served;
            ticket.seenNanos = now;
        }
        return now - ticket.seenNanos >= terms.patienceNanos(slotsBefore);
    }

    /** The ticket is void, or handed back. */
    private void end(DslrTicket ticket) {
        ticket.state = DslrTicket.State.ENDED;
        if (ticket.crosses) {
            service.take(ticket);
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
            draw(
                    ticket,
                    verbs.word(result),
                    verbs.word(result + Memory.WORD_BYTES),
                    verbs.word(result + 2L * Memory.WORD_BYTES));
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
        ticket.state = DslrTicket.State.UPGRADING;
        ticket.hasWaited = false;
        ticket.seenNanos = worker.nanoTime();
        ticket.nextNanos = worker.nanoTime();
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
        DslrTicket ticket = held(lock);
        return leaseNanos(ticket) - (worker.nanoTime() - ticket.grantNanos);
    }

    private long leaseNanos(DslrTicket ticket) {
        return terms.leaseNanos() * ticket.slots;
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

    /** One FETCH_ADD a lock, if its lease is young: one that comes after a reset would let a second holder in. */
    @Override
    public void release() {
        long now = worker.nanoTime();
        boolean isEarly = false;
        for (int i = 0; i < count; i++) {
            DslrTicket ticket = tickets[i];
            if (ticket.isHeld() && now - ticket.grantNanos < leaseNanos(ticket) / 2) {
                verbs.fetchAdd(ticket.address, layout.handBack(ticket.mode, ticket.slots), results[i]);
                isEarly = true;
            }
        }
        boolean _ = !isEarly || verbs.await();
        for (int i = 0; i < count; i++) {
            DslrTicket ticket = tickets[i];
            if (ticket.isHeld() && now - ticket.grantNanos < leaseNanos(ticket) / 2) {
                handedBack(ticket, verbs.hasFailed(ticket.address), results[i]);
                ticket.state = DslrTicket.State.ENDED;
            }
        }
        for (int i = 0; i < count; i++) {
            leave(tickets[i]);
        }
        count = 0;
        isPosted = false;
    }

    private void handedBack(DslrTicket ticket, boolean hasFailed, long result) {
        if (hasFailed) {
            counters.lateReleases++;
            ticket.state = DslrTicket.State.PERHAPS_HANDED_BACK;
            service.take(ticket);
            return;
        }
        if (!DslrTurn.wasHeld(layout, ticket, verbs.word(result))) {
            counters.lateReleases++;
            if (words.complete(ticket.address)) {
                words.resetAll(ticket.address);
            }
        }
        if (ticket.crosses) {
            service.take(ended(ticket));
        }
    }

    private static DslrTicket ended(DslrTicket ticket) {
        ticket.state = DslrTicket.State.ENDED;
        return ticket;
    }

    /** Ends what is not handed back by FETCH_ADD. */
    private void leave(DslrTicket ticket) {
        switch (ticket.state) {
            case HELD, UPGRADING -> {
                counters.lateReleases++;
                if (words.handBack(held(ticket), RELEASE_TRIES)) {
                    end(ticket);
                } else {
                    service.take(ticket);
                }
            }
            case WAITING -> service.take(ticket);
            case WANTED, NO_ROOM, PERHAPS_HANDED_BACK, ENDED -> {}
        }
        ticket.state = DslrTicket.State.ENDED;
    }

    /** A lock that was not upgraded is handed back as what it is. */
    private static DslrTicket held(DslrTicket ticket) {
        ticket.state = DslrTicket.State.HELD;
        return ticket;
    }
}
