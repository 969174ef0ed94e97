package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import java.util.ArrayList;
import java.util.List;

/**
 * The remaining work on a worker's tickets, in the worker's service coroutine. It waits for the turn of a ticket that was given up, and passes it
 * on. It sets counters that have reached their limit to zero when all tickets before are done. Both are bounded: after two leases without a
 * change, the holders before count as dead.
 */
final class DslrService {
    private final LockSite site;
    private final DslrTerms terms;
    private final DslrLayout layout;
    private final boolean isGuarded;
    private final Alarm alarm;
    private final List<DslrTicket> pending = new ArrayList<>();
    private final List<DslrTicket> free = new ArrayList<>();
    /** Created on the service coroutine. */
    private DslrWords words;
    /** A time just before the present words were read. */
    private long readNanos;

    DslrService(LockSite site, DslrTerms terms, DslrLayout layout, boolean isGuarded) {
        this.site = site;
        this.terms = terms;
        this.layout = layout;
        this.isGuarded = isGuarded;
        this.alarm = new Alarm(site.worker(), site.serviceCoroutine(), Math.max(1, terms.leaseNanos() / 4), this::run);
    }

    /** Takes over a ticket that is not wanted any more, or an ended ticket with which its counters reached their limit. */
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

    /** The locks of a node are gone: there is nothing more to do for their tickets. */
    void lose(int node) {
        for (DslrTicket ticket : pending) {
            ticket.isGone |= RemoteAddress.node(ticket.address) == node;
        }
    }

    /** Whether no work remains. */
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
            if (ticket.isGone || (ticket.nextNanos - now() <= 0 && isDone(ticket))) {
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
        boolean isComplete = words.complete(ticket.address);
        if (ticket.isGone) {
            return true;
        } else if (!isComplete) {
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
     * Settles a ticket whose FETCH_ADD has failed, which takes no effect any more. If there was a reset, the FETCH_ADD may have come after it. If
     * there was none, the counters show whether an exclusive or update lock was handed back. They do not show that of a shared lock; if it was
     * not handed back, its lease ends.
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

    /** Plans another try, up to a limit: a node that stays away is gone, with its locks. Its next incarnation has other locks. */
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
                    words.resetBehind(ticket); // it is void at the next look, or another requester was first
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
        return false; // the next look shows whether it is done
    }

    /** Whether nothing has changed for so long that the holders before count as dead. Plans the next look. */
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
