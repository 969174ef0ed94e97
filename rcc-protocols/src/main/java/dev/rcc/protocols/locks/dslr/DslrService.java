package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left over of a worker's tickets, in the worker's service coroutine: the turn of a ticket that was given up is waited for and passed
 * on, and counters that have come to their limit are set to zero when all before are done. Both are bounded: after two leases without a
 * change, those before count as dead.
 */
final class DslrService {
    private final LockSite site;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final boolean isGuarded;
    private final Alarm alarm;
    private final List<DslrTicket> pending = new ArrayList<>();
    private final List<DslrTicket> free = new ArrayList<>();
    /** Made on the coroutine. */
    private DslrWords words;
    /** Before the words were read that are looked at. */
    private long readNanos;

    DslrService(LockSite site, DslrTerms terms, DslrLayout layout, boolean isGuarded) {
        this.site = site;
        this.terms = terms;
        this.layout = layout;
        this.isGuarded = isGuarded;
        this.alarm = new Alarm(site.worker(), site.serviceCoroutine(), Math.max(1, terms.leaseNanos() / 4), this::run);
    }

    /** Takes over a ticket that is not wanted any more, or that has ended and is the one which its counters came to their limit with. */
    void take(DslrTicket ticket) {
        DslrTicket copy = free.isEmpty() ? new DslrTicket() : free.removeLast();
        copy.copyFrom(ticket);
        long now = site.worker().nanoTime();
        copy.seenNanos = now;
        copy.nextNanos = now;
        copy.failures = 0;
        pending.add(copy);
        alarm.in(0);
    }

    /** Whether nothing is left over. */
    boolean isIdle() {
        return pending.isEmpty();
    }

    private void run(Coroutine coroutine) {
        if (words == null) {
            words = new DslrWords(
                    coroutine,
                    LockVerbs.of(site, coroutine, site.serviceBuffer()),
                    layout,
                    terms,
                    site.counters(),
                    isGuarded,
                    site.serviceBuffer());
        }
        long next = Long.MAX_VALUE;
        for (int i = 0; i < pending.size(); ) { // grows while this waits
            DslrTicket ticket = pending.get(i);
            if (ticket.nextNanos - now() <= 0 && isDone(ticket)) {
                free.add(ticket);
                pending.set(i, pending.getLast());
                pending.removeLast();
            } else {
                next = Math.min(next, ticket.nextNanos - now());
                i++;
            }
        }
        if (!pending.isEmpty()) {
            alarm.in(Math.max(1, next));
        }
    }

    private long now() {
        return site.worker().nanoTime();
    }

    private boolean isDone(DslrTicket ticket) {
        readNanos = now();
        if (!words.complete(ticket.address)) {
            return retryUnreached(ticket);
        }
        ticket.failures = 0;
        return switch (ticket.state) {
            case ENDED -> isZeroed(ticket);
            case PERHAPS_HANDED_BACK -> isSettled(ticket);
            default -> isPassedOn(ticket);
        };
    }

    /**
     * What has failed takes no effect any more. If there was a reset, the FETCH_ADD may have come after it. If there was none, an exclusive
     * lock shows whether it was handed back; a shared one does not, and if it was not, its lease ends.
     */
    private boolean isSettled(DslrTicket ticket) {
        if (!DslrTurn.isValid(layout, ticket, words.counters(), words.fence())) {
            words.resetAll(ticket.address);
        } else if (ticket.mode != LockMode.SHARED && layout.served(words.counters(), ticket.mode) == ticket.own()) {
            ticket.state = DslrTicket.State.HELD;
            return isPassedOn(ticket);
        }
        ticket.state = DslrTicket.State.ENDED;
        return !ticket.crosses;
    }

    /** A node that stays away is gone, with its locks, and those of its next incarnation are others. */
    private boolean retryUnreached(DslrTicket ticket) {
        ticket.failures++;
        ticket.nextNanos = now() + terms.patienceNanos(1);
        return ticket.failures > 2;
    }

    private boolean isPassedOn(DslrTicket ticket) {
        long counters = words.counters();
        switch (DslrTurn.of(layout, ticket, counters, words.fence())) {
            case GRANTED -> {
                if (!words.handBack(ticket, 1)) {
                    ticket.nextNanos = now() + words.backoffNanos(++ticket.failures);
                    return false;
                }
            }
            case OVERTAKEN -> words.resetAll(ticket.address);
            case WAIT, INCOMPLETE -> {
                ticket.grantNanos = readNanos;
                if (isStuck(ticket, layout.before(counters, ticket.shared, ticket.exclusive, ticket.update))) {
                    words.resetBehind(ticket); // it is void at the next look, or somebody else was first
                }
                return false;
            }
            case VOID -> {}
        }
        ticket.state = DslrTicket.State.ENDED;
        return !ticket.crosses;
    }

    private boolean isZeroed(DslrTicket ticket) {
        long counters = words.counters();
        long fence = words.fence();
        if (DslrLayout.era(layout.generation(fence)) != DslrLayout.era(ticket.generation) || !layout.isFull(counters)) {
            return true;
        }
        long left = layout.before(
                counters,
                ticket.behind(LockMode.SHARED),
                ticket.behind(LockMode.EXCLUSIVE),
                ticket.behind(LockMode.UPDATE));
        if (left == 0 || isStuck(ticket, left)) {
            words.zero(ticket.address);
        }
        return false; // looked at again, if it was not done
    }

    /** Whether nothing has changed for so long that those before count as dead. Plans the next look. */
    private boolean isStuck(DslrTicket ticket, long slotsBefore) {
        long now = now();
        long served = layout.served(words.counters());
        if (served != ticket.seen) {
            ticket.seen = served;
            ticket.seenNanos = now;
        }
        ticket.nextNanos = now + Math.max(1_000, terms.pollNanos(slotsBefore));
        return now - ticket.seenNanos >= terms.patienceNanos(slotsBefore);
    }
}
