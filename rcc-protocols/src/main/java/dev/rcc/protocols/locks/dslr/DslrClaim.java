package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;

/**
 * A request for one lock at a {@link DslrDesk}, until it has ended. Used on the desk's worker only.
 *
 * <pre>
 *  WAITING -- granted --> HELD -- release, or the end of the lease --> ENDED
 *  WAITING -- given up, timed out, lost, unreachable -------------> ENDED
 * </pre>
 *
 * A claim that has ended for its user may still have a ticket; the desk waits for the ticket's turn and passes it on.
 */
public final class DslrClaim {
    /** Receives the events of a claim. Called on the desk's worker; it may use the desk, and must not wait. */
    public interface Listener {
        /** The lock is held. */
        void granted(DslrClaim claim);

        /**
         * An upgrade has ended.
         *
         * @param isAlone whether the lock is held alone now; if not, it is still held for an update, as the time was over
         */
        void upgraded(DslrClaim claim, boolean isAlone);

        /**
         * The lock is not held, or not any more, though its user has neither released it nor given it up.
         *
         * @param why the reason, never {@link LockOutcome#GRANTED}
         */
        void ended(DslrClaim claim, LockOutcome why);
    }

    final DslrTicket ticket = new DslrTicket();
    final Listener listener;
    private final DslrLane lane;
    private final long epoch;

    /** The time at which its user's wait ends, for the lock or for its upgrade. */
    long deadlineNanos;
    /** The time at which the lane is to look at it. */
    long dueNanos;
    /** Its place in {@link DueClaims}. */
    int place = DueClaims.NOWHERE;
    /** Its stage among the claims of its lock. */
    DslrLane.Stage stage;
    /** The request that was posted for it in this round of the lane. */
    DslrLane.Posted posted = DslrLane.Posted.NOTHING;
    /** How often in a row its node has not answered. */
    int unanswered;
    /** Whether its user has released it or given it up, or was notified of its end. */
    boolean isOver;

    DslrClaim(DslrLane lane, Listener listener, long epoch) {
        this.lane = lane;
        this.listener = listener;
        this.epoch = epoch;
    }

    /** The mode in which the lock is requested or held. */
    public LockMode mode() {
        return ticket.mode;
    }

    /** Whether the lock is held, as far as its requester can know: its lease has not run out by the local clock. */
    public boolean isHeld() {
        return !isOver && ticket.isHeld() && leaseLeftNanos() > 0;
    }

    /** Whether the lock is an update lock that was upgraded. */
    public boolean isUpgraded() {
        return ticket.isUpgraded;
    }

    /** Whether the claim has ended for its user. */
    public boolean isOver() {
        return isOver;
    }

    /** The fencing token of a lock that is held. */
    public long token() {
        return ticket.token(epoch);
    }

    /** The time that the lease of a held lock has left, in nanoseconds; 0 or less when it is over. */
    public long leaseLeftNanos() {
        return lane.leaseLeftNanos(ticket);
    }

    /**
     * Makes a held update lock exclusive, once the sharers before it have released it. A wait does not prolong the lease: if the lease ends
     * first, the lock is lost.
     *
     * @param waitNanos the longest wait, from now on
     * @return false if it is not held, or not for an update, or another upgrade of it waits: the listener is not called then
     */
    public boolean upgrade(long waitNanos) {
        return lane.upgrade(this, waitNanos);
    }

    /** Releases the lock, or gives it up; the listener is not called any more. A claim that has ended before stays ended. */
    public void release() {
        if (!isOver) {
            isOver = true;
            lane.hurry(this);
        }
    }
}
