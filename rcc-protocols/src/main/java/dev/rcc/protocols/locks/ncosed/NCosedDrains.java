package dev.rcc.protocols.locks.ncosed;

import dev.rcc.protocols.locks.LockSite;
import java.util.HashMap;
import java.util.Map;

/**
 * The locks of a worker's node that exclusive requesters have found shared: those who share them leave here, as the word names the exclusive one. Used on that
 * worker only.
 */
final class NCosedDrains {
    /** A lock that is to be left. */
    private static final class Drain {
        /** Sharers that have to leave, less those that have; negative as long as it is not known how many have to. */
        private long left;

        private NCosedMessage.Caller waiter;
    }

    private final LockSite site;
    private final Map<Long, Drain> drains = new HashMap<>();

    NCosedDrains(LockSite site) {
        this.site = site;
    }

    /** An exclusive requester waits until so many have left. There is one at a time: the next one's sharers get the lock from this one. */
    void await(long address, long sharers, NCosedMessage.Caller caller) {
        Drain drain = drains.computeIfAbsent(address, _ -> new Drain());
        assert drain.waiter == null : "two wait for the sharers of a lock";
        drain.waiter = caller;
        count(address, drain, sharers);
    }

    /** A sharer leaves, perhaps before anybody waits for it. */
    void leave(long address) {
        count(address, drains.computeIfAbsent(address, _ -> new Drain()), -1);
    }

    /** Nobody waits for any of them any more. */
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
