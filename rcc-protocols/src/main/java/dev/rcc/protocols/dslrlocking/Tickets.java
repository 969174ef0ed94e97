package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locks.LockManager;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import java.util.Arrays;

/**
 * The tickets of an attempt, one for each tuple and leaf. Allocates nothing once it has had as many tickets before.
 *
 * <p>Transactions that draw their tickets in different orders can be in a deadlock, which ends after two leases (dslr, 4.7). When they are tried
 * again, they can be in the same deadlock again. So an attempt waits for long only where a deadlock is impossible: it holds nothing yet, or draws
 * in order. Where it can be in a deadlock it soon gives up. The next attempt of the transaction begins with tickets of all tuples and leaves that
 * the last one has wanted. It draws them in the order of their addresses, each when the turn of the one before has come.
 */
final class Tickets {
    /** How many leases an attempt waits for its turn: each holder before it counts as dead after two. */
    static final int LEASES = 20;
    /** The part of a lease that an attempt waits where it can be in a deadlock: one in so many. */
    private static final int LEASE_SHARE = 16;

    private final Transaction txn;
    private final LockManager locks;
    private final long waitNanos;
    private final long briefWaitNanos;
    private long[] addresses = new long[16];
    private LockMode[] modes = new LockMode[16];
    /** Whether this attempt has wanted the ticket. */
    private boolean[] isUsed = new boolean[16];

    private int wanted;
    private int drawn;
    private boolean isAgain;
    private boolean isBrief;
    /** Whether the turn has come of all tickets that the attempt began with. */
    private boolean hasBegun;

    Tickets(Transaction txn, LockScheme.Locks scheme, BufferSlice buffer, DslrTerms terms) {
        this.txn = txn;
        this.locks = scheme.manager(txn.coroutine(), txn.completion(), buffer);
        this.waitNanos = LEASES * terms.leaseNanos();
        this.briefWaitNanos = terms.leaseNanos() / LEASE_SHARE;
    }

    /**
     * Begins an attempt.
     *
     * @param again whether the last attempt was of the same transaction
     */
    void begin(boolean again) {
        isAgain = again;
        int kept = 0;
        for (int i = 0; i < wanted && again; i++) {
            if ((isUsed[i] || !hasBegun) && isAtItsPrimary(addresses[i])) {
                addresses[kept] = addresses[i];
                modes[kept] = modes[i];
                isUsed[kept++] = false;
            }
        }
        wanted = kept;
        hasBegun = false;
    }

    /** Whether a tuple or leaf is at its primary of the present configuration. */
    private boolean isAtItsPrimary(long address) {
        int region = RemoteAddress.region(address);
        int partition = txn.catalog().tableOfRegion(region).partitionOfRegion(region);
        return txn.catalog().placement().primary(partition) == RemoteAddress.node(address);
    }

    /** A ticket is wanted of a tuple or leaf. If a shared one is drawn already, it stays that: what is written is guarded in any case. */
    void want(long address, LockMode mode) {
        for (int i = 0; i < wanted; i++) {
            if (addresses[i] == address) {
                modes[i] = mode == LockMode.EXCLUSIVE ? mode : modes[i];
                isUsed[i] = true;
                return;
            }
        }
        if (wanted == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * wanted);
            modes = Arrays.copyOf(modes, 2 * wanted);
            isUsed = Arrays.copyOf(isUsed, 2 * wanted);
        }
        addresses[wanted] = address;
        isUsed[wanted] = true;
        modes[wanted++] = mode;
    }

    /** Draws all tickets that are wanted, and waits for their turn. If that fails, all tickets are handed back. */
    LockOutcome draw() {
        isBrief = hasBegun || (!isAgain && wanted > 1);
        if (isAgain) {
            sort();
        }
        LockOutcome outcome = LockOutcome.GRANTED;
        while (drawn < wanted && outcome == LockOutcome.GRANTED) {
            int last = isAgain ? drawn + 1 : wanted;
            for (; drawn < last; drawn++) {
                locks.request(addresses[drawn] + DslrLockingLayout.TICKETS, modes[drawn], 1);
            }
            outcome = locks.await(isBrief ? briefWaitNanos : waitNanos);
        }
        hasBegun |= outcome == LockOutcome.GRANTED;
        if (outcome != LockOutcome.GRANTED) {
            drawn = 0;
        }
        return outcome;
    }

    /** Sorts the tickets to be drawn: a few, mostly in order already. */
    private void sort() {
        for (int i = drawn + 1; i < wanted; i++) {
            long address = addresses[i];
            LockMode mode = modes[i];
            boolean used = isUsed[i];
            int place = i;
            for (; place > drawn && addresses[place - 1] > address; place--) {
                addresses[place] = addresses[place - 1];
                modes[place] = modes[place - 1];
                isUsed[place] = isUsed[place - 1];
            }
            addresses[place] = address;
            modes[place] = mode;
            isUsed[place] = used;
        }
    }

    /** Whether the last draw waited only briefly, as it could have been in a deadlock. */
    boolean isBrief() {
        return isBrief;
    }

    /** Whether a ticket of this tuple or leaf is held. */
    boolean cover(long address) {
        for (int i = 0; i < drawn; i++) {
            if (addresses[i] == address) {
                return true;
            }
        }
        return false;
    }

    /** Whether any ticket is held. */
    boolean isAny() {
        return drawn > 0;
    }

    /** Hands all tickets back. */
    void handBack() {
        locks.release();
        drawn = 0;
    }
}
