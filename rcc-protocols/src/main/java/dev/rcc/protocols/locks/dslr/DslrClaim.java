package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;

/**
 * One lock that was asked for at a {@link DslrDesk}, until it has ended. Used on the desk's worker only.
 *
 * <pre>
 *  WAITING -- granted --> HELD -- release, or the end of the lease --> ENDED
 *  WAITING -- given up, timed out, lost, unreachable -------------> ENDED
 * </pre>
 *
 * What has ended for its user may have a ticket yet, whose turn the desk waits for and passes on.
 */
public final class DslrClaim {
    /** Hears what becomes of a claim. Called on the desk's worker; it may use the desk, and must not wait. */
    public interface Listener {
        /** The lock is held. */
        void granted(DslrClaim claim);

        /**
         * An upgrade has ended.
         *
         * @param isAlone whether the lock is held alone now; if not, it is held for an update yet, as the time was over
         */
        void upgraded(DslrClaim claim, boolean isAlone);

        /**
         * The lock is not held, or not any more, though its user has neither released it nor given it up.
         *
         * @param why not {@link LockOutcome#GRANTED}
         */
        void ended(DslrClaim claim, LockOutcome why);
    }

    final DslrTicket ticket = new DslrTicket();
    final Listener listener;
    private final DslrLane lane;
    private final long epoch;

    /** Until when its user waits, for the lock or for its upgrade. */
    long deadlineNanos;
    /** When the lane is to look at it. */
    long dueNanos;
    /** Where it is among those that are due. */
    int place = DueClaims.NOWHERE;
    /** Where it stands among the claims of its lock. */
    DslrLane.Stage stage;
    /** What was posted for it in this round of the lane. */
    DslrLane.Posted posted = DslrLane.Posted.NOTHING;
    /** How often in a row its node has not answered. */
    int unanswered;
    /** Whether its user has no interest in it any more, or was told that it has ended. */
    boolean isOver;

    DslrClaim(DslrLane lane, Listener listener, long epoch) {
        this.lane = lane;
        this.listener = listener;
        this.epoch = epoch;
    }

    /** What the lock is asked for, or held for. */
    public LockMode mode() {
        return ticket.mode;
    }

    /** Whether the lock is held, as far as its requester can know: its lease has not run out by the clock here. */
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

    /** How long the lease of a lock that is held goes on, in nanoseconds; 0 or less when it is over. */
    public long leaseLeftNanos() {
        return lane.leaseLeftNanos(ticket);
    }

    /**
     * Has an update lock that is held to itself, once those before it that share it have released it.
     *
     * @param waitNanos how long at most, from now on
     * @return false if it is not held, or not for an update, or another upgrade of it waits: the listener hears nothing then
     */
    public boolean upgrade(long waitNanos) {
        return lane.upgrade(this, waitNanos);
    }

    /** Releases the lock, or gives it up; the listener hears no more of it. What has ended before stays so. */
    public void release() {
        if (!isOver) {
            isOver = true;
            lane.hurry(this);
        }
    }
}
