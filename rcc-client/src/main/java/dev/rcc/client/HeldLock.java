package dev.rcc.client;

import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A lock that was granted. It is held until it is unlocked or its lease is over, whichever is first; or until the cluster says that it is lost,
 * as the node that it lies on was replaced.
 *
 * <p>A program that sleeps for too long does not know that its lock is lost. So what the lock guards is to be guarded by its {@link #token}
 * besides: in the cluster by {@link Transaction#fence(HeldLock)}. May be used on any thread.
 */
public final class HeldLock implements AutoCloseable {
    /** Where a lock is on its way. */
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

    HeldLock(RccClient client, Link link, int number, String namespace, String name, LockMode mode) {
        this.client = client;
        this.link = link;
        this.number = number;
        this.namespace = namespace;
        this.name = name;
        this.mode = mode;
    }

    /** The lease begins, as the gateway has it: counted from the arrival of its answer. */
    void granted(Message.Granted granted) {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(granted.leaseLeftMillis());
        synchronized (this) {
            token = granted.token();
            endNanos = System.nanoTime() + leftNanos;
        }
        link.schedule(this::endIfOver, leftNanos);
    }

    private void endIfOver() {
        long left;
        synchronized (this) {
            left = endNanos - System.nanoTime();
        }
        if (left <= 0) {
            lose();
        } // else its lease was prolonged by an upgrade, which looks again itself
    }

    /** {@return the name of the lock's namespace} */
    public String namespace() {
        return namespace;
    }

    /** {@return the lock's name in its namespace} */
    public String name() {
        return name;
    }

    /** {@return what it was asked for} */
    public LockMode mode() {
        return mode;
    }

    /**
     * {@return the fencing token: a number that is greater than those of all that have held the lock before} Whoever keeps the greatest that has used
     * what the lock guards, and refuses smaller ones, is safe from holders that have slept too long.
     */
    public synchronized long token() {
        return token;
    }

    /** {@return whether the lock is held, as far as can be known here: it was not unlocked, is not known to be lost, and its lease is not over} */
    public synchronized boolean isHeld() {
        return state == State.HELD && endNanos - System.nanoTime() > 0;
    }

    /** {@return how long the lease goes on, by the clock here; nothing, if the lock is not held} */
    public synchronized Duration leaseLeft() {
        return isHeld() ? Duration.ofNanos(Math.max(0, endNanos - System.nanoTime())) : Duration.ZERO;
    }

    /** {@return whether it is an update lock that is held alone} */
    public synchronized boolean isUpgraded() {
        return isUpgraded;
    }

    /**
     * Has an update lock alone: waits until those that share it, and came before, have released it. If that takes too long, it is held for an
     * update as before.
     *
     * @param wait how long at most
     * @throws LockException when it was not upgraded in time, or is lost
     * @throws BadRequestException when it is no update lock
     */
    public void upgrade(Duration wait) {
        if (mode != LockMode.UPDATE) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    this + " is held " + mode + ": ask for it UPDATE if it is to be upgraded",
                    null);
        }
        checkHeld();
        Deadline deadline = Deadline.in(wait.plus(client.options().call().deadline()));
        Message.Granted granted = upgradeBy(deadline, wait);
        synchronized (this) {
            isUpgraded = true;
        }
        granted(granted);
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
     * Upgrades it on a virtual thread of its own, as {@link #upgrade}.
     *
     * @param wait how long at most
     * @return ends when it is held alone, or fails with what {@code upgrade} throws
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
     * Adds something to be done when the lock is lost before it was unlocked: at the latest at the end of its lease. Runs on a virtual thread; at
     * once, if the lock is lost already.
     *
     * @param listener what to do
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

    /** It is not held any more. */
    void lose() {
        List<Runnable> toRun;
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.LOST;
            toRun = List.copyOf(listeners);
        }
        link.forgetLock(number);
        toRun.forEach(Thread::startVirtualThread);
    }

    /** Releases the lock. What is not held any more stays so; does not wait for the cluster. */
    public void unlock() {
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.UNLOCKED;
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

    /** {@return which lock it is} */
    @Override
    public String toString() {
        return "lock " + namespace + "/" + name;
    }
}
