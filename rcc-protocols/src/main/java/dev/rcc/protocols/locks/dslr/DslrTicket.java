package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.RequestedLock;

/** A ticket of a lock, from the request for it to its end. Reused. */
class DslrTicket extends RequestedLock {
    /** The state of a ticket. */
    enum State {
        /** A ticket is to be drawn. */
        WANTED,
        /** The last ticket was void, and the counters are to be read until there is room. */
        NO_ROOM,
        /** It waits for its turn. */
        WAITING,
        /** It holds the lock. */
        HELD,
        /** It holds the lock for an update, and waits until it holds the lock alone. */
        UPGRADING,
        /** It may have been handed back: the node has not answered. */
        PERHAPS_HANDED_BACK,
        /** It has ended, or was void. */
        ENDED
    }

    int slots;
    State state;
    /** Whether it is an update ticket that holds the lock alone. */
    boolean isUpgraded;
    /** Whether it waited. */
    boolean hasWaited;

    /** The numbers that the FETCH_ADD found, the ticket's place. */
    long shared;

    long exclusive;
    long update;
    /** The generation of the fence when the ticket was last seen to be valid. */
    long generation;
    /** Whether the counters reach their limit with this ticket. */
    boolean crosses;

    /** The part of the counters that moves, as last seen, and the time since which it has not moved. */
    long seen;

    long seenNanos;
    /** The time of the next look. */
    long nextNanos;
    /** The last time at which its turn was seen not to have come. Its lease counts from then: no requester has seen it hold the lock before that. */
    long grantNanos;
    /** The last time at which its upgrade was seen to have to wait: once it is upgraded, its lease counts from then. */
    long upgradeNanos;

    int failures;
    /** Whether its lock is gone, with the memory of its node. */
    boolean isGone;

    void want(long newAddress, LockMode newMode, int newSlots, long nowNanos) {
        address = newAddress;
        mode = newMode;
        slots = newSlots;
        state = State.WANTED;
        isUpgraded = false;
        hasWaited = false;
        crosses = false;
        failures = 0;
        isGone = false;
        nextNanos = nowNanos;
    }

    void copyFrom(DslrTicket other) {
        address = other.address;
        mode = other.mode;
        slots = other.slots;
        state = other.state;
        isUpgraded = other.isUpgraded;
        hasWaited = other.hasWaited;
        shared = other.shared;
        exclusive = other.exclusive;
        update = other.update;
        generation = other.generation;
        crosses = other.crosses;
        seen = other.seen;
        seenNanos = other.seenNanos;
        nextNanos = other.nextNanos;
        grantNanos = other.grantNanos;
        upgradeNanos = other.upgradeNanos;
        failures = other.failures;
        isGone = other.isGone;
    }

    /** Sets the ticket's numbers from the counters that the FETCH_ADD found. */
    void drawn(DslrLayout layout, long counters) {
        shared = layout.next(counters, LockMode.SHARED);
        exclusive = layout.next(counters, LockMode.EXCLUSIVE);
        update = layout.next(counters, LockMode.UPDATE);
        crosses = !layout.isFull(counters) && own() + slots >= layout.countMax();
    }

    /** Ends an upgrade that waits, if there is one: the ticket holds its lock for an update, as before. */
    void stopUpgrade() {
        if (state == State.UPGRADING) {
            state = State.HELD;
        }
    }

    /** Its number among the tickets of its mode. */
    long own() {
        return of(mode);
    }

    long of(LockMode any) {
        return switch (any) {
            case SHARED -> shared;
            case EXCLUSIVE -> exclusive;
            case UPDATE -> update;
        };
    }

    /** The number behind this ticket, among the tickets of a mode: the turn is there once it and all tickets before it are done. */
    long behind(LockMode any) {
        return of(any) + (any == mode ? slots : 0);
    }

    /** Its place among all tickets of its era. */
    long place() {
        return shared + exclusive + update;
    }

    long token(long epoch) {
        return LockToken.of(epoch, generation, place());
    }

    @Override
    public final boolean isHeld() {
        return state == State.HELD || state == State.UPGRADING;
    }
}
