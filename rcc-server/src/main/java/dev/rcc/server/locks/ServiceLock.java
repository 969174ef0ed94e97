package dev.rcc.server.locks;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.dslr.DslrClaim;
import java.util.concurrent.TimeUnit;

/**
 * One lock that was asked for by its name, from then until it has ended. Used on its worker only.
 *
 * <pre>
 *  SEEKING -- its home has found it --> CLAIMED -- granted --> CLAIMED, held
 *  CLAIMED -- its home has moved, or its ticket was void, and it is not held --> SEEKING
 *  any -- released, lost, or the time is over --> ENDED
 * </pre>
 */
public final class ServiceLock implements DslrClaim.Listener {
    /** Why a lock has ended without being released or given up. */
    public enum End {
        /** It was not granted in time. */
        NOT_GRANTED,
        /** It was held, and is no longer: its lease is over, or its home was replaced. */
        LOST,
        /** Its home could not be reached in time. */
        UNAVAILABLE,
        /** The namespace has no room for another name. */
        FULL,
        /** The cluster has had more configurations than there are tokens for. */
        SPENT
    }

    /** Is notified of a lock's changes, not before {@link WorkerLocks#ask} has returned. Called on the lock's worker; must not wait. */
    public interface Listener {
        /** It is held. */
        void granted(ServiceLock lock);

        /** An upgrade has ended; if the lock is not held alone now, it is still held for an update. */
        void upgraded(ServiceLock lock, boolean isAlone);

        /** It has ended. */
        void ended(ServiceLock lock, End why);
    }

    private static final long FIRST_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The state of a lock. */
    private enum State {
        SEEKING,
        CLAIMED,
        ENDED
    }

    private final WorkerLocks locks;
    private final LockName name;
    private final LockMode mode;
    private final int slots;
    private final Listener listener;
    private final long deadlineNanos;
    private State state = State.SEEKING;
    /** When to ask its home again, while it is sought and its home is not being asked. */
    private long seekNanos;
    /** Whether its home is being asked, and how often it was. */
    private boolean isAsked;

    private int questions;
    /** Why it would end now, if its time were over. */
    private End obstacle = End.NOT_GRANTED;

    private WorkerLocks.Place place;
    private DslrClaim claim;
    private boolean isGranted;

    ServiceLock(WorkerLocks locks, LockName name, LockMode mode, int slots, long deadlineNanos, Listener listener) {
        this.locks = locks;
        this.name = name;
        this.mode = mode;
        this.slots = slots;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    LockName name() {
        return name;
    }

    /** Its name in its namespace. */
    public String text() {
        return name.text();
    }

    /** The number of its namespace. */
    public int namespace() {
        return name.namespace();
    }

    /** The mode in which it is asked for, or held. */
    public LockMode mode() {
        return mode;
    }

    /** Whether it is held, as far as this node knows. */
    public boolean isHeld() {
        return state == State.CLAIMED && isGranted && claim.isHeld();
    }

    /** Whether it is an update lock that was upgraded. */
    public boolean isUpgraded() {
        return claim != null && claim.isUpgraded();
    }

    /** Its token, while it is held. */
    public long token() {
        return claim.token();
    }

    /** The time left of its lease, while it is held, in nanoseconds. */
    public long leaseLeftNanos() {
        return claim.leaseLeftNanos();
    }

    /**
     * Upgrades an update lock, so that it is held alone. If its lease ends while the upgrade waits, the lock is lost.
     *
     * @return false if it is not held for an update, or an upgrade is under way
     */
    public boolean upgrade(long waitNanos) {
        return isHeld() && claim.upgrade(waitNanos);
    }

    /** Releases it, or gives it up; its listener is not called any more. */
    public void release() {
        if (state != State.ENDED) {
            leave(State.ENDED);
        }
    }

    // ---- its states -----------------------------------------------------------------------------------------------

    boolean isSought() {
        return state == State.SEEKING;
    }

    boolean isAsked() {
        return isAsked;
    }

    void asked() {
        isAsked = true;
        questions++;
    }

    void answered() {
        isAsked = false;
    }

    /** Whether its home is to be asked again. */
    boolean isDue(long nowNanos) {
        return seekNanos - nowNanos <= 0;
    }

    /** When it is to be looked at again, while its home is not being asked. */
    long lookNanos() {
        return seekNanos - deadlineNanos < 0 ? seekNanos : deadlineNanos;
    }

    /** Whether its time is over. Even a lock with no time to wait is given time for the first answer of its home. */
    boolean isOverdue(long nowNanos) {
        long grace = isAsked && questions == 1 ? FIRST_ANSWER_NANOS : 0;
        return nowNanos - deadlineNanos >= grace;
    }

    /** The node that it was claimed at, or -1. */
    int node() {
        return state == State.CLAIMED ? RemoteAddress.node(place.address()) : -1;
    }

    /** Its home has found it. */
    void found(WorkerLocks.Place newPlace) {
        state = State.CLAIMED;
        place = newPlace;
        claim = locks.claim(this, newPlace);
    }

    /** Its home cannot be asked, or has not found it. */
    void notFound(End why, long againNanos) {
        obstacle = why;
        seekNanos = againNanos;
    }

    /** Ends it because of the last obstacle. */
    void timeOut() {
        locks.counters().timeouts += obstacle == End.NOT_GRANTED ? 1 : 0;
        end(obstacle);
    }

    /** Another node is its home from now on. */
    void moved() {
        if (state != State.CLAIMED) {
            return;
        }
        if (isGranted) {
            end(End.LOST);
        } else {
            leave(State.SEEKING);
            locks.seek(this);
        }
    }

    /** Ends it, as its user may not rely on it any more. */
    public void lose() {
        if (state != State.ENDED) {
            end(isGranted ? End.LOST : End.UNAVAILABLE);
        }
    }

    void end(End why) {
        leave(State.ENDED);
        listener.ended(this, why);
    }

    private void leave(State next) {
        if (claim != null) {
            claim.release();
        }
        state = next;
        if (next == State.ENDED) {
            locks.forget(this);
        }
    }

    long waitNanos(long nowNanos) {
        return Math.max(0, deadlineNanos - nowNanos);
    }

    int slots() {
        return slots;
    }

    // ---- from the desk ---------------------------------------------------------------------------------------------

    @Override
    public void granted(DslrClaim granted) {
        if (granted != claim || state != State.CLAIMED) {
            return;
        }
        if (locks.mayGrant()) {
            isGranted = true;
            listener.granted(this);
        } else {
            end(End.UNAVAILABLE);
        }
    }

    @Override
    public void upgraded(DslrClaim upgraded, boolean isAlone) {
        if (upgraded == claim && state == State.CLAIMED) {
            listener.upgraded(this, isAlone);
        }
    }

    /** A ticket that became void before its turn is followed by another ticket, as long as its user waits. */
    @Override
    public void ended(DslrClaim ended, LockOutcome why) {
        if (ended != claim || state != State.CLAIMED) {
            return;
        }
        if (isGranted) {
            end(End.LOST);
        } else if (why == LockOutcome.TIMED_OUT) {
            end(End.NOT_GRANTED);
        } else {
            obstacle = End.NOT_GRANTED;
            leave(State.SEEKING);
            locks.seekAgain(this, why == LockOutcome.UNREACHABLE);
        }
    }
}
