package dev.rcc.client;

import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Utf8;
import dev.rcc.client.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The locks of a namespace of the cluster. A lock is fair: clients get it in the order of their requests. It is held for at most its lease. For
 * any thread.
 *
 * <p>A lock belongs to the connection on which it was granted. If that connection ends, its holder can use the lock until the end of the lease, and
 * no other client gets it before.
 */
public final class Locks {
    private static final String NAME = "a lock's name";
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RccClient client;
    private final Cluster cluster;
    private final String namespace;

    Locks(RccClient client, Cluster cluster, String namespace) {
        this.client = client;
        this.cluster = cluster;
        this.namespace = Objects.requireNonNull(namespace, "namespace");
    }

    /**
     * Waits for a lock, with {@link LockOptions#DEFAULT}.
     *
     * @param name the lock's name, 1 to 64 bytes of UTF-8; every name has its own lock
     * @param mode the mode to hold the lock in
     * @return the lock, which the caller closes
     * @throws LockException when the lock was not granted in time
     */
    public HeldLock lock(String name, LockMode mode) {
        return lock(name, mode, LockOptions.DEFAULT);
    }

    /**
     * Waits for a lock.
     *
     * @param name the lock's name, 1 to 64 bytes of UTF-8; every name has its own lock
     * @param mode the mode to hold the lock in
     * @param options how long to wait for the lock, and how long to hold it
     * @return the lock, which the caller closes
     * @throws LockException when the lock was not granted in time
     * @throws BadRequestException when the cluster has no such namespace, or the lease is longer than the namespace allows
     * @throws PermissionException when the user lacks the role lock on the namespace
     * @throws UnavailableException when no gateway, or not the lock's node, could be reached in time
     * @throws DeadlineExceededException when the gateway does not answer in time, or the thread is interrupted
     * @throws IllegalArgumentException when the name is empty, too long or has half of a surrogate pair
     */
    public HeldLock lock(String name, LockMode mode, LockOptions options) {
        checkName(name);
        Deadline last = Deadline.in(options.waitTime());
        Deadline answer =
                Deadline.in(options.waitTime().plus(client.options().call().deadline()));
        while (true) {
            try {
                Cluster.Place place = cluster.place(null, answer);
                return ask(place.link(), name, mode, options, last, answer);
            } catch (UnavailableException e) {
                if (e.code() != ErrorCode.UNAVAILABLE || last.isOver() || !last.sleep(AGAIN_NANOS)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Acquires a lock if it is free, without waiting for other holders to release it.
     *
     * @param name the lock's name, as for {@link #lock(String, LockMode, LockOptions)}
     * @param mode the mode to hold the lock in
     * @return the lock, which the caller closes; empty if it is not free
     */
    public Optional<HeldLock> tryLock(String name, LockMode mode) {
        return tryLock(name, mode, LockOptions.DEFAULT.wait(Duration.ZERO));
    }

    /**
     * Acquires a lock if it becomes free in time. Throws the exceptions of {@link #lock(String, LockMode, LockOptions)}, except for a
     * {@link LockException}.
     *
     * @param name the lock's name, as for {@link #lock(String, LockMode, LockOptions)}
     * @param mode the mode to hold the lock in
     * @param options how long to wait for the lock, and how long to hold it
     * @return the lock, which the caller closes; empty if it was not granted in time
     */
    public Optional<HeldLock> tryLock(String name, LockMode mode, LockOptions options) {
        try {
            return Optional.of(lock(name, mode, options));
        } catch (LockException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits for a lock on a virtual thread of its own, as {@link #lock(String, LockMode, LockOptions)}.
     *
     * @param name the lock's name
     * @param mode the mode to hold the lock in
     * @param options how long to wait for the lock, and how long to hold it
     * @return a future with the lock, or with the exception that {@code lock} throws; cancelling it does not give the lock up
     */
    public CompletableFuture<HeldLock> lockAsync(String name, LockMode mode, LockOptions options) {
        return CompletableFuture.supplyAsync(() -> lock(name, mode, options), client.async());
    }

    /**
     * Tries to acquire a lock on a virtual thread of its own, as {@link #tryLock(String, LockMode, LockOptions)}.
     *
     * @param name the lock's name
     * @param mode the mode to hold the lock in
     * @param options how long to wait for the lock, and how long to hold it
     * @return a future with the result of {@code tryLock}, or with the exception that it throws; cancelling it does not give the lock up
     */
    public CompletableFuture<Optional<HeldLock>> tryLockAsync(String name, LockMode mode, LockOptions options) {
        return CompletableFuture.supplyAsync(() -> tryLock(name, mode, options), client.async());
    }

    /**
     * Asks each gateway which locks of the namespace its clients hold and wait for.
     *
     * @return the locks, gateway by gateway; of each gateway only as many as its answer, which is one frame, has room for: with short names
     *     some 10,000
     * @throws PermissionException when the user lacks the role lock on the namespace
     * @throws BadRequestException when the cluster has no such namespace
     * @throws UnavailableException when one of the gateways cannot be reached
     */
    public List<LockDescription> describe() {
        Deadline deadline = Deadline.in(client.options().call().deadline());
        List<LockDescription> found = new ArrayList<>();
        for (Cluster.Place place : cluster.everywhere(deadline)) {
            checkVersion(place.link());
            Message.Locks some =
                    (Message.Locks) deadline.await(place.link().call(new Message.DescribeLocks(namespace), true));
            for (Message.LockInfo each : some.locks()) {
                found.add(new LockDescription(
                        place.endpoint().toString(),
                        each.name(),
                        LockMode.of(each.mode()),
                        each.held(),
                        each.token(),
                        Duration.ofMillis(each.leaseLeftMillis()),
                        each.user(),
                        each.client()));
            }
        }
        return found;
    }

    private HeldLock ask(Link link, String name, LockMode mode, LockOptions options, Deadline last, Deadline answer) {
        checkVersion(link);
        int number = link.nextLock();
        HeldLock lock = new HeldLock(client, link, number, namespace, name, mode);
        link.whenLockLost(number, lock::lose);
        int wait = Math.clamp(TimeUnit.NANOSECONDS.toMillis(last.remainingNanos()), 0, Integer.MAX_VALUE);
        try {
            lock.granted((Message.Granted) answer.await(link.call(
                    new Message.Lock(number, namespace, name, mode.wire(), wait, millis(options.leaseTime())), true)));
            return lock;
        } catch (RuntimeException e) {
            if (e instanceof RccException answered && !answered.isFromGateway()) {
                link.unlock(number); // it may still be granted
            } else {
                link.forgetLock(number);
            }
            throw e;
        }
    }

    /** A duration in whole milliseconds, rounded up. */
    static int millis(Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, duration.plusNanos(999_999).toMillis());
    }

    /** Checks that a gateway serves locks. */
    static void checkVersion(Link link) {
        link.checkVersion("locks take", Wire.LOCKS_VERSION);
    }

    /** Checks that UTF-8 can express a name. If not, it would be sent as another lock's name. */
    static void checkText(String name) {
        Utf8.check(NAME, name);
    }

    private static void checkName(String name) {
        int bytes = Utf8.bytes(NAME, name).length;
        if (bytes < 1 || bytes > Wire.LOCK_NAME_BYTES_MAX) {
            throw new IllegalArgumentException(
                    NAME + " has 1 to " + Wire.LOCK_NAME_BYTES_MAX + " bytes of UTF-8, got " + bytes);
        }
    }
}
