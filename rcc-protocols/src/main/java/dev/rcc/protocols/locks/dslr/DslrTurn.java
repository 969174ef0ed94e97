package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;

/** The turn of a ticket, by the words of its lock. */
enum DslrTurn {
    /** The ticket's turn has not come yet. */
    WAIT,
    /** The ticket's holder has the lock. */
    GRANTED,
    /** A reset has counted the ticket as gone. */
    VOID,
    /** A reset is half done: the requester is to finish it, and to look again. */
    INCOMPLETE,
    /** The turn has passed the ticket without a reset: a lock was handed back too late, or twice. All tickets are to be made void. */
    OVERTAKEN;

    /**
     * Decides. Both words are of one READ, in which the counters are not younger than the fence.
     *
     * <p>The order of the checks matters. The fence makes a ticket void, never the turn in the counters, as shared locks are
     * handed back in any order. Only a valid ticket is granted, as the counters of a reset may fit a ticket that is counted as
     * gone (dslr, Algorithm 2, uses the counters for both).
     */
    static DslrTurn of(DslrLayout layout, DslrTicket ticket, long counters, long fence) {
        if (layout.isIncomplete(counters, fence)) {
            return INCOMPLETE;
        }
        if (!isValid(layout, ticket, counters, fence)) {
            return VOID;
        }
        long shared = layout.served(counters, LockMode.SHARED);
        long exclusive = layout.served(counters, LockMode.EXCLUSIVE);
        if (exclusive > ticket.exclusive
                || isUpdatePast(layout, ticket, counters)
                || (ticket.mode != LockMode.SHARED && shared > ticket.shared)) {
            return OVERTAKEN; // the tickets that have passed it had to wait for it
        }
        boolean mayRead = exclusive == ticket.exclusive && layout.served(counters, LockMode.UPDATE) >= ticket.update;
        return mayRead && (!isAlone(ticket) || shared == ticket.shared) ? GRANTED : WAIT;
    }

    /** Whether updates behind the ticket are done. Those have a shared lock beside them, and may be done before it. */
    private static boolean isUpdatePast(DslrLayout layout, DslrTicket ticket, long counters) {
        return ticket.mode != LockMode.SHARED && layout.served(counters, LockMode.UPDATE) > ticket.update;
    }

    /** Whether a holder with this ticket has nobody beside it. */
    static boolean isAlone(DslrTicket ticket) {
        return ticket.mode == LockMode.EXCLUSIVE
                || (ticket.mode == LockMode.UPDATE
                        && (ticket.isUpgraded || ticket.state == DslrTicket.State.UPGRADING));
    }

    /** Whether no reset has counted the ticket as gone. */
    static boolean isValid(DslrLayout layout, DslrTicket ticket, long counters, long fence) {
        return DslrLayout.era(layout.generation(fence)) == DslrLayout.era(ticket.generation)
                && ticket.own() >= layout.resetTo(fence, ticket.mode)
                && ticket.own() + ticket.slots <= layout.next(counters, ticket.mode); // else it predates a zeroing
    }

    /**
     * Whether a FETCH_ADD that handed a lock back found counters as they are while the lock is held. If not, it came after a reset, and has let
     * another requester in too early.
     */
    static boolean wasHeld(DslrLayout layout, DslrTicket ticket, long found) {
        boolean asGranted = layout.served(found, LockMode.EXCLUSIVE) == ticket.exclusive
                && layout.served(found, LockMode.UPDATE) >= ticket.update
                && !isUpdatePast(layout, ticket, found)
                && (!isAlone(ticket) || layout.served(found, LockMode.SHARED) == ticket.shared);
        return asGranted
                && layout.served(found, ticket.mode) + ticket.slots <= layout.next(found, ticket.mode)
                && ticket.own() + ticket.slots <= layout.next(found, ticket.mode);
    }
}
