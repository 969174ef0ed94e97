package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockVerbs;

/**
 * The course of a ticket from its drawing to its end, step by step: the requests to the lock's node, and the effects of the answers on the
 * ticket. Its users decide when to take the steps, and for how many tickets at once: a coroutine's {@link DslrManager}, and the
 * {@link DslrDesk}. Paper: dslr, Algorithms 1 to 3, corrected as the package describes. Used on its coroutine only.
 */
final class DslrCourse {
    /** Number of tries to hand a lock back by CAS, before the service coroutine does so. */
    private static final int RELEASE_TRIES = 8;

    private final DslrTerms terms;
    private final DslrLayout layout;
    private final DslrService service;
    private final Worker worker;
    private final LockCounters counters;
    private final LockVerbs verbs;
    private final DslrWords words;

    DslrCourse(
            Coroutine coroutine,
            LockVerbs verbs,
            DslrWords words,
            DslrLayout layout,
            DslrTerms terms,
            DslrService service,
            LockCounters counters) {
        this.terms = terms;
        this.layout = layout;
        this.service = service;
        this.worker = coroutine.worker();
        this.counters = counters;
        this.verbs = verbs;
        this.words = words;
    }

    // ---- acquire ---------------------------------------------------------------------------------------------------

    /** Appends the drawing of a ticket if it is wanted: it costs one FETCH_ADD. */
    void ask(DslrTicket ticket, long result) {
        if (ticket.state == DslrTicket.State.WANTED) {
            verbs.fetchAdd(ticket.address, layout.ticket(ticket.mode, ticket.slots), result);
        }
    }

    /**
     * Appends a look at a ticket's lock, behind {@link #ask} in the same batch. The read dates a ticket that is drawn; a waiter reads the same
     * again. A user that asks for several locks asks for all of them first: an atomic behind a READ would wait for it.
     */
    void look(DslrTicket ticket, long result) {
        verbs.read(ticket.address, DslrWords.PAIR, result + Memory.WORD_BYTES);
    }

    /**
     * Advances a ticket by the answer to {@link #look}.
     *
     * @param postNanos the time at which the look was posted
     */
    void takeIn(DslrTicket ticket, long result, long postNanos) {
        long counted = verbs.word(result + Memory.WORD_BYTES);
        long fence = verbs.word(result + 2L * Memory.WORD_BYTES);
        if (ticket.state == DslrTicket.State.WANTED) {
            draw(ticket, result, postNanos);
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
            awaitTurn(ticket, counted, fence, postNanos);
        }
    }

    /** Sets a ticket from the words that its FETCH_ADD and the read behind it have found. */
    void draw(DslrTicket ticket, long result, long postNanos) {
        long found = verbs.word(result);
        ticket.drawn(layout, found);
        ticket.generation = layout.generation(verbs.word(result + 2L * Memory.WORD_BYTES));
        ticket.grantNanos = postNanos;
        ticket.seen = layout.served(verbs.word(result + Memory.WORD_BYTES));
        ticket.seenNanos = worker.nanoTime();
        ticket.state = layout.isFull(found) ? DslrTicket.State.NO_ROOM : DslrTicket.State.WAITING;
    }

    /**
     * Waits for room, as the ticket was from beyond the limit. The ticket stays in the counters: a requester that sets them to zero does not
     * wait for it. If nothing changes for two of the longest leases, that requester is dead.
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

    private void awaitTurn(DslrTicket ticket, long counted, long fence, long postNanos) {
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
                waited(ticket, postNanos);
                long before = layout.before(counted, ticket.shared, ticket.exclusive, ticket.update);
                ticket.nextNanos = worker.nanoTime() + terms.pollNanos(before);
                if (isStuck(ticket, counted, before)) {
                    resetBehind(ticket, fence);
                }
            }
        }
    }

    /** An upgrade that waits leaves the lease of the lock as it is: for others, the holder has had the lock since it was granted. */
    private static void waited(DslrTicket ticket, long postNanos) {
        if (ticket.state == DslrTicket.State.UPGRADING) {
            ticket.upgradeNanos = postNanos;
        } else {
            ticket.grantNanos = postNanos;
        }
    }

    private void grant(DslrTicket ticket) {
        if (ticket.state == DslrTicket.State.UPGRADING) {
            ticket.isUpgraded = true;
            ticket.grantNanos = ticket.upgradeNanos;
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

    /** Ends a ticket that is void, or handed back. */
    private void end(DslrTicket ticket) {
        ticket.state = DslrTicket.State.ENDED;
        if (ticket.crosses) {
            service.take(ticket);
        }
    }

    // ---- hold ------------------------------------------------------------------------------------------------------

    /** Makes a ticket that holds its lock for an update wait until it holds the lock alone. */
    void upgrade(DslrTicket ticket) {
        ticket.state = DslrTicket.State.UPGRADING;
        ticket.hasWaited = false;
        ticket.upgradeNanos = ticket.grantNanos;
        ticket.seenNanos = worker.nanoTime();
        ticket.nextNanos = ticket.seenNanos;
    }

    /** How long a ticket may hold its lock. */
    long leaseNanos(DslrTicket ticket) {
        return terms.leaseNanos() * ticket.slots;
    }

    /** How much of its lease a ticket has left. */
    long leaseLeftNanos(DslrTicket ticket) {
        return leaseNanos(ticket) - (worker.nanoTime() - ticket.grantNanos);
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    /** Whether a lock can be handed back by FETCH_ADD: one that comes after a reset would let a second holder in. */
    boolean isEarly(DslrTicket ticket, long nowNanos) {
        return ticket.isHeld() && nowNanos - ticket.grantNanos < leaseNanos(ticket) / 2;
    }

    /** Appends what hands back a lock that {@link #isEarly}. */
    void handBack(DslrTicket ticket, long result) {
        verbs.fetchAdd(ticket.address, layout.handBack(ticket.mode, ticket.slots), result);
    }

    /** Ends a ticket after {@link #handBack}; {@code hasFailed} is true if its node has not answered. */
    void handedBack(DslrTicket ticket, boolean hasFailed, long result) {
        if (hasFailed) {
            counters.lateReleases++;
            ticket.state = DslrTicket.State.PERHAPS_HANDED_BACK;
            service.take(ticket);
        } else {
            if (!DslrTurn.wasHeld(layout, ticket, verbs.word(result))) {
                counters.lateReleases++;
                if (words.complete(ticket.address)) {
                    words.resetAll(ticket.address);
                }
            }
            end(ticket);
        }
        ticket.state = DslrTicket.State.ENDED;
    }

    /** Ends a ticket that is not handed back by FETCH_ADD. The service coroutine does the work that cannot be done at once. */
    void leave(DslrTicket ticket) {
        ticket.stopUpgrade();
        switch (ticket.state) {
            case HELD -> {
                counters.lateReleases++;
                if (words.handBack(ticket, RELEASE_TRIES)) {
                    end(ticket);
                } else {
                    service.take(ticket);
                }
            }
            case WAITING -> service.take(ticket);
            case WANTED, NO_ROOM, UPGRADING, PERHAPS_HANDED_BACK, ENDED -> {}
        }
        ticket.state = DslrTicket.State.ENDED;
    }
}
