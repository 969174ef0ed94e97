package dev.rcc.client;

import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A lock that was granted. It is held until it is unlocked or its lease is over, whichever is first. It is lost earlier if the cluster reports it as
 * lost, for instance because the lock's node was replaced.
 *
 * <p>A program that sleeps for too long does not notice that its lock is lost. So guard everything that the lock guards by its {@link #token}, too;
 * in the cluster, {@link Transaction#fence(HeldLock)} does so. For any thread.
 */
public final class HeldLock implements AutoCloseable {
    /** The state of a lock. */
    private enum State {
        HELD,
        LOST,
        UNLOCKED
    }

    private final RccClient client;
    private final Link link;
    private final int number;
    private final String namespace;
    private final String name;
    private final LockMode mode;
    private final List<Runnable> listeners = new ArrayList<>();
    private State state = State.HELD;
    private boolean isUpgraded;
    private long token;
    private long endNanos;
    /** The task that looks whether the lease is over, or null. It keeps the lock in memory until it has run or was cancelled. */
    private Future<?> end;

    HeldLock(RccClient client, Link link, int number, String namespace, String name, LockMode mode) {
        this.client = client;
        this.link = link;
        this.number = number;
        this.namespace = namespace;
        this.name = name;
        this.mode = mode;
    }

    /** Starts the lease: the gateway's remaining time, counted from the arrival of its answer. */
    synchronized void granted(Message.Granted granted) {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(granted.leaseLeftMillis());
        token = granted.token();
        endNanos = System.nanoTime() + leftNanos;
        cancelEnd();
        if (state == State.HELD) {
            end = link.schedule(this::endIfOver, leftNanos);
        }
    }

    private void cancelEnd() {
        if (end != null) {
            end.cancel(false);
        }
    }

    private void endIfOver() {
        long left;
        synchronized (this) {
            left = endNanos - System.nanoTime();
        }
        if (left <= 0) {
            lose();
        } // else an upgrade is prolonging the lease, and looks again later
    }

    /** {@return the name of the lock's namespace} */
    public String namespace() {
        return namespace;
    }

    /** {@return the lock's name in its namespace} */
    public String name() {
        return name;
    }

    /** {@return the mode in which the lock was requested} */
    public LockMode mode() {
        return mode;
    }

    /**
     * {@return the fencing token: a number that is greater than the tokens of all earlier holders of the lock} A store that keeps the greatest token
     * that it has seen, and refuses smaller tokens, is safe from holders that have slept too long.
     */
    public synchronized long token() {
        return token;
    }

    /** {@return whether the lock is held, as far as this client knows: it was not unlocked, is not known to be lost, and its lease is not over} */
    public synchronized boolean isHeld() {
        return state == State.HELD && endNanos - System.nanoTime() > 0;
    }

    /** {@return the rest of the lease, by the local clock; zero if the lock is not held} */
    public synchronized Duration leaseLeft() {
        return isHeld() ? Duration.ofNanos(Math.max(0, endNanos - System.nanoTime())) : Duration.ZERO;
    }

    /** {@return whether this is an update lock that was upgraded, and so is held alone} */
    public synchronized boolean isUpgraded() {
        return isUpgraded;
    }

    /**
     * Upgrades an update lock, so that it is held alone: waits until the earlier holders that share it have released it. If that takes too long, the
     * lock is held for an update as before. The wait does not prolong the lease: if the lease ends first, the lock is lost.
     *
     * @param wait how long to wait at most, 0 to a day
     * @throws IllegalArgumentException when the time is out of this range
     * @throws LockException when the lock was not upgraded in time, or is lost
     * @throws BadRequestException when the lock was not requested for an update
     * @throws DeadlineExceededException when the gateway does not answer in time, or the thread is interrupted
     */
    public void upgrade(Duration wait) {
        if (mode != LockMode.UPDATE) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    this + " is held " + mode + ": request it with mode UPDATE to upgrade it",
                    null);
        }
        Timeouts.checkNotNegative("wait", wait);
        checkHeld();
        Deadline deadline = Deadline.in(wait.plus(client.options().call().deadline()));
        upgraded(upgradeBy(deadline, wait));
    }

    /** Takes in the grant of an upgrade. If the lock is no longer held, the grant comes too late: the gateway is to release the lock. */
    void upgraded(Message.Granted granted) {
        synchronized (this) {
            if (state == State.HELD) {
                isUpgraded = true;
                granted(granted);
                return;
            }
        }
        link.unlock(number);
        checkHeld();
    }

    private Message.Granted upgradeBy(Deadline deadline, Duration wait) {
        try {
            return (Message.Granted) deadline.await(link.call(new Message.Upgrade(number, Locks.millis(wait)), true));
        } catch (LockException e) {
            if (e.code() == ErrorCode.LOCK_LOST) {
                lose();
            }
            throw e;
        }
    }

    /**
     * Upgrades the lock on a virtual thread of its own, as {@link #upgrade}.
     *
     * @param wait how long to wait at most, as for {@code upgrade}
     * @return a future that completes when the lock is held alone, or fails with the exception that {@code upgrade} throws
     */
    public CompletableFuture<Void> upgradeAsync(Duration wait) {
        return CompletableFuture.runAsync(() -> upgrade(wait), client.async());
    }

    void checkHeld() {
        if (!isHeld()) {
            throw RccException.of(
                    ErrorCode.LOCK_LOST, this + " is not held any more: do what it guards again under a new one", null);
        }
    }

    /**
     * Adds a listener for the loss of the lock. It runs on a virtual thread when the lock is lost before it is unlocked, at the latest at the end of
     * the lease; at once if the lock is lost already. It never runs if the lock is unlocked first.
     *
     * @param listener the listener
     */
    public void onLost(Runnable listener) {
        synchronized (this) {
            if (state == State.HELD) {
                listeners.add(listener);
                return;
            }
            if (state == State.UNLOCKED) {
                return;
            }
        }
        Thread.startVirtualThread(listener);
    }

    /** The lock is no longer held. */
    void lose() {
        List<Runnable> toRun;
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.LOST;
            cancelEnd();
            toRun = List.copyOf(listeners);
        }
        link.forgetLock(number);
        toRun.forEach(Thread::startVirtualThread);
    }

    /** Releases the lock, without waiting for the cluster. Does nothing if the lock is no longer held. */
    public void unlock() {
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.UNLOCKED;
            cancelEnd();
        }
        link.unlock(number);
    }

    /** Releases the lock, as {@link #unlock}. */
    @Override
    public void close() {
        unlock();
    }

    RccClient client() {
        return client;
    }

    /** {@return the lock's namespace and name, for people} */
    @Override
    public String toString() {
        return "lock " + namespace + "/" + name;
    }
}
