package dev.rcc.protocols.locks.ncosed;

import dev.rcc.protocols.locks.LockSite;
import java.util.HashMap;
import java.util.Map;

/**
 * The locks of a worker's node that exclusive requesters have found shared. Their sharers leave here, as the word names the exclusive requester by
 * now. Used on that worker only.
 */
final class NCosedDrains {
    /** A lock whose sharers are to leave. */
    private static final class Drain {
        /** Number of sharers that must leave, less the number that have left; negative until the first number is known. */
        private long left;

        private NCosedMessage.Caller waiter;
    }

    private final LockSite site;
    private final Map<Long, Drain> drains = new HashMap<>();

    NCosedDrains(LockSite site) {
        this.site = site;
    }

    /** Answers an exclusive requester once so many sharers have left. One requester waits at a time: the next one's sharers get the lock from it. */
    void await(long address, long sharers, NCosedMessage.Caller caller) {
        Drain drain = drains.computeIfAbsent(address, _ -> new Drain());
        assert drain.waiter == null : "two wait for the sharers of a lock";
        drain.waiter = caller;
        count(address, drain, sharers);
    }

    /** Counts a sharer that leaves, perhaps before an exclusive requester waits for it. */
    void leave(long address) {
        count(address, drains.computeIfAbsent(address, _ -> new Drain()), -1);
    }

    /** Refuses all waiting requesters, and forgets all locks. */
    void forgetAll() {
        for (Drain drain : drains.values()) {
            if (drain.waiter != null) {
                drain.waiter.refuse(site);
            }
        }
        drains.clear();
    }

    private void count(long address, Drain drain, long sharers) {
        drain.left += sharers;
        if (drain.left == 0 && drain.waiter != null) {
            drains.remove(address);
            drain.waiter.answer(site, 0, false);
        }
    }
}
