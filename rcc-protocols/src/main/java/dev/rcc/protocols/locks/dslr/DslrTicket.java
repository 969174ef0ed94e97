package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.protocols.locks.RequestedLock;

/** A ticket of a lock, from the wish for it to its end. Reused. */
class DslrTicket extends RequestedLock {
    /** Where a ticket is on its way. */
    enum State {
        /** A ticket is to be drawn. */
        WANTED,
        /** The last one was void, and the counters are to be read until there is room. */
        NO_ROOM,
        /** It waits for its turn. */
        WAITING,
        /** It holds the lock. */
        HELD,
        /** It holds the lock for an update, and waits until it has it alone. */
        UPGRADING,
        /** It was handed back, or not: the node has not answered. */
        PERHAPS_HANDED_BACK,
        /** It has ended, or was void. */
        ENDED
    }

    int slots;
    State state;
    /** Whether it is an update lock that has the lock alone. */
    boolean isUpgraded;
    /** Whether it waited. */
    boolean hasWaited;

    /** The numbers that the FETCH_ADD found, the ticket's place. */
    long shared;

    long exclusive;
    long update;
    /** The fence's, when the ticket was last seen to be valid. */
    long generation;
    /** Whether this ticket is the one that the counters reach their limit with. */
    boolean crosses;

    /** The counters as last seen, what moves of them, and since when it has not. */
    long seen;

    long seenNanos;
    /** When to look again. */
    long nextNanos;
    /** When its turn had not come yet, as last seen; then, from when its lease counts: nobody has seen it hold the lock before that. */
    long grantNanos;

    int failures;

    void want(long newAddress, LockMode newMode, int newSlots, long nowNanos) {
        address = newAddress;
        mode = newMode;
        slots = newSlots;
        state = State.WANTED;
        isUpgraded = false;
        hasWaited = false;
        crosses = false;
        failures = 0;
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
        failures = other.failures;
    }

    /** Takes in the counters that the FETCH_ADD found. */
    void drawn(DslrLayout layout, long counters) {
        shared = layout.next(counters, LockMode.SHARED);
        exclusive = layout.next(counters, LockMode.EXCLUSIVE);
        update = layout.next(counters, LockMode.UPDATE);
        crosses = !layout.isFull(counters) && own() + slots >= layout.countMax();
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

    /** The number behind this ticket, among the tickets of a mode: where the turn is once it and all before it are done. */
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
