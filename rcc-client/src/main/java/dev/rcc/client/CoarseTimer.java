package dev.rcc.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A timer that is cancelled before its time, nearly always. To start and to cancel one of the JDK's timers wakes the thread that keeps them. These wake
 * no thread: while there are any, one thread looks at all of them every 10 ms. So a timer is late by at most that, and by the time to look at all. It is
 * no virtual thread, as all carriers may be held by threads that wait.
 */
final class CoarseTimer {
    private static final long TICK_NANOS = Duration.ofMillis(10).toNanos();
    /** The thread that looks ends when there has been no timer for this long. */
    static final Duration LOOKER_IDLE = Duration.ofSeconds(1);

    private static final Set<CoarseTimer> TIMERS = ConcurrentHashMap.newKeySet();
    /** Whether there is a thread that looks. */
    private static final AtomicBoolean LOOKING = new AtomicBoolean();

    private final long nanos;
    private final Runnable action;

    private CoarseTimer(long nanos, Runnable action) {
        this.nanos = nanos;
        this.action = action;
    }

    /**
     * Starts a timer.
     *
     * @param nanos the moment, by {@link System#nanoTime}
     * @param action is run after the moment, once or more often until the timer is cancelled. It is short, and neither waits nor fails.
     */
    static CoarseTimer start(long nanos, Runnable action) {
        CoarseTimer timer = new CoarseTimer(nanos, action);
        TIMERS.add(timer);
        try {
            ensureLooking();
        } catch (Error e) { // the system has no room for another thread
            LOOKING.set(false);
            timer.cancel();
            throw e;
        }
        return timer;
    }

    void cancel() {
        TIMERS.remove(this);
    }

    private static void ensureLooking() {
        if (!LOOKING.get() && LOOKING.compareAndSet(false, true)) {
            Thread.ofPlatform()
                    .daemon()
                    .name("rcc-client-timers")
                    .inheritInheritableThreadLocals(false)
                    .start(CoarseTimer::look);
        }
    }

    private static void look() {
        do {
            lookWhileUsed();
            LOOKING.set(false);
            // a timer that was started meanwhile may have found this thread still looking
        } while (!TIMERS.isEmpty() && LOOKING.compareAndSet(false, true));
    }

    private static void lookWhileUsed() {
        long usedNanos = System.nanoTime();
        while (System.nanoTime() - usedNanos < LOOKER_IDLE.toNanos()) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            try {
                if (lookOnce(now)) {
                    usedNanos = now;
                }
            } catch (Error e) { // memory may have run out: without this thread, callers would wait for ever
                usedNanos = now;
            }
        }
    }

    /** Runs the actions of the timers whose moment has come. Returns whether there are any timers. */
    private static boolean lookOnce(long now) {
        boolean areAny = false;
        for (CoarseTimer timer : TIMERS) {
            areAny = true;
            if (timer.nanos - now <= 0) {
                timer.action.run();
            }
        }
        return areAny;
    }
}
