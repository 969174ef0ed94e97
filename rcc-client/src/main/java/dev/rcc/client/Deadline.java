package dev.rcc.client;

import io.netty.handler.codec.DecoderException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** A moment until which a thread may wait. */
final class Deadline {
    /** The longest wait. With it, a deadline and later ones can be compared with the present. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final long nanos;

    private Deadline(long nanos) {
        this.nanos = nanos;
    }

    static Deadline in(Duration duration) {
        Duration wait = duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
        return new Deadline(System.nanoTime() + wait.toNanos());
    }

    Deadline earlier(Deadline other) {
        return nanos - other.nanos < 0 ? this : other;
    }

    Deadline later(Duration more) {
        return new Deadline(nanos + more.toNanos());
    }

    long remainingNanos() {
        return nanos - System.nanoTime();
    }

    boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** The remaining time for a message, in milliseconds, at least 1. */
    int remainingMillis() {
        long millis = TimeUnit.NANOSECONDS.toMillis(remainingNanos());
        return (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
    }

    /** Sleeps for a time, but not beyond the deadline. Returns false if the thread was interrupted. */
    boolean sleep(long sleepNanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(0, Math.min(sleepNanos, remainingNanos())));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Takes a lock.
     *
     * @param awaited the reason to wait, as a noun, for the message
     * @throws DeadlineExceededException when the lock was not free in time, or the thread was interrupted
     */
    void lock(Lock lock, String awaited) {
        try {
            if (!lock.tryLock(Math.max(0, remainingNanos()), TimeUnit.NANOSECONDS)) {
                throw exceeded("waited too long for " + awaited, null);
            }
        } catch (InterruptedException e) {
            throw interrupted(awaited, e);
        }
    }

    /**
     * Waits for an answer.
     *
     * @throws DeadlineExceededException when the answer did not arrive in time, or the thread was interrupted
     * @throws RuntimeException the exception with which the answer failed
     */
    <T> T await(CompletableFuture<T> answer) {
        try {
            if (!Thread.currentThread().isVirtual()) {
                return answer.get(Math.max(0, remainingNanos()), TimeUnit.NANOSECONDS);
            }
            parkUntilDone(answer);
            return answer.get();
        } catch (TimeoutException e) {
            throw noAnswer();
        } catch (InterruptedException e) {
            throw interrupted("an answer", e);
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        }
    }

    /** Waits on a virtual thread, for which the JDK would start a timer of its own. */
    @SuppressWarnings("FutureReturnValueIgnored") // the action does not fail
    private void parkUntilDone(CompletableFuture<?> answer) throws InterruptedException, TimeoutException {
        if (answer.isDone()) {
            return;
        }
        Thread waiting = Thread.currentThread();
        CoarseTimer timer = CoarseTimer.start(nanos, () -> LockSupport.unpark(waiting));
        try {
            answer.whenComplete((result, failure) -> LockSupport.unpark(waiting));
            while (!answer.isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (isOver()) {
                    throw new TimeoutException();
                }
                LockSupport.park(answer);
            }
        } finally {
            timer.cancel();
        }
    }

    /**
     * Lets a future of an answer fail with a {@link DeadlineExceededException} if the answer does not arrive in time.
     *
     * @param executor completes the future that is returned, with an answer or with a failure, so that actions that depend on it may wait
     */
    <T> CompletableFuture<T> limit(CompletableFuture<T> answer, Executor executor) {
        CoarseTimer timer = CoarseTimer.start(nanos, () -> answer.completeExceptionally(new TimeoutException()));
        return answer.whenComplete((result, failure) -> timer.cancel())
                .handleAsync(
                        (result, failure) -> {
                            if (failure != null) {
                                throw unchecked(failure);
                            }
                            return result;
                        },
                        executor);
    }

    private static DeadlineExceededException noAnswer() {
        return exceeded("no answer came in time", null);
    }

    private static DeadlineExceededException interrupted(String awaited, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new DeadlineExceededException(
                ErrorCode.DEADLINE_EXCEEDED,
                "the thread was interrupted while it waited for " + awaited + ": end what it does, or begin again",
                cause);
    }

    static DeadlineExceededException exceeded(String what, Throwable cause) {
        return new DeadlineExceededException(
                ErrorCode.DEADLINE_EXCEEDED, what + ": look at the cluster, or allow more time", cause);
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case CompletionException e when e.getCause() != null -> unchecked(e.getCause());
            case RccException e -> e.here();
            case TimeoutException e -> noAnswer();
            case DecoderException e ->
                RccException.of(
                        ErrorCode.UNAVAILABLE,
                        "the peer does not speak RCC's protocol: check the address, the port and the version",
                        e);
            case RuntimeException e -> e; // from a codec
            default ->
                RccException.of(
                        ErrorCode.UNAVAILABLE,
                        "the connection failed: begin again, and look at the gateway's log if it fails again",
                        cause);
        };
    }
}
