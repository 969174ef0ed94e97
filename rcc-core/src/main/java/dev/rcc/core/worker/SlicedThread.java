package dev.rcc.core.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that RCC's own scheduler runs in slices on one thread, its carrier. A slice ends where the virtual thread suspends itself. If it
 * waits for something else, as for a lock that another thread has, the carrier waits along: the carrier may need that lock next, and no other carrier
 * can run the virtual thread that gets the lock first. So nothing outside of the scheduler changes the order of slices.
 *
 * <p>{@link #pause} and {@link #suspend} are for the virtual thread itself; everything else except {@link #goOnWithoutCarrier} is for the carrier.
 */
public final class SlicedThread {
    /** The carrier, as the thread uses it. */
    public interface Carrier {
        /** The thread can go on: {@link SlicedThread#run} is to be called, once, when its turn has come. */
        void ready();

        /** Whether the carrier does not wait any longer for a blocked thread. */
        default boolean isStopping() {
            return false;
        }

        /** Whether the carrier has ended: then the thread that unblocks the sliced one calls {@link SlicedThread#goOnWithoutCarrier}. */
        default boolean hasEnded() {
            return false;
        }

        /** The carrier stops while the thread is blocked. Called on the carrier. */
        default void leftBlocked() {}
    }

    /** Runs the virtual threads that this one starts: they have the scheduler of the thread that starts them. */
    private static final Executor ELSEWHERE = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("rcc-virtual-", 0).factory());

    private final Carrier carrier;
    private final Thread thread;
    /** Whether the thread is at a wait of its own, not running or blocked on the way to it. */
    private boolean suspended = true;
    /** Whether it is at {@link #suspend}, and {@link #resume} has to make it ready. */
    private boolean awaitsResume;
    /** Whether it was resumed while it was not at {@link #suspend}. */
    private boolean resumed;
    /** The task that runs the thread up to its next wait, always the same; null before it starts. */
    private Runnable slice;
    /** Whether the thread may go on from a wait that is not its own. */
    private final AtomicBoolean unblocked = new AtomicBoolean();
    /**
     * The thread that runs the slice, and waits along while this one is blocked. The thread that unblocks this one sees the value that was set before
     * the slice.
     */
    private Thread carrierThread;

    /** A thread that has not started. Only if {@link VirtualThreads#canSchedule}. */
    public SlicedThread(String name, Carrier carrier, Runnable body) {
        this.carrier = carrier;
        this.thread = VirtualThreads.unstarted(this::schedule, name, () -> {
            try {
                body.run();
            } finally {
                suspended = true; // permanently
            }
        });
    }

    /** Makes it ready for the first time. */
    public void start() {
        thread.start();
    }

    /** Whether the caller runs on this thread. */
    public boolean isCurrent() {
        return thread.equals(Thread.currentThread());
    }

    /** Ends the slice; it is ready for the next one at once. */
    @SuppressWarnings("ThreadPriorityCheck") // its scheduler is RCC's own, whose queue is fair
    public void pause() {
        suspended = true;
        Thread.yield();
        suspended = false;
    }

    /**
     * Ends the slice, until {@link #resume}; it may also go on without a reason. It yields and does not park: the scheduler, which gets the slice at
     * once, keeps it until the thread is resumed. Parking would cost some atomic operations more, since any thread may unpark a parked one.
     */
    @SuppressWarnings("ThreadPriorityCheck") // its scheduler is RCC's own
    public void suspend() {
        if (resumed) {
            resumed = false;
            return;
        }
        awaitsResume = true;
        suspended = true;
        Thread.yield();
        suspended = false;
        awaitsResume = false;
    }

    /** Makes it ready, if it is suspended; if not, its next {@link #suspend} returns at once. */
    public void resume() {
        if (awaitsResume) {
            awaitsResume = false;
            carrier.ready();
        } else {
            resumed = true;
        }
    }

    private void schedule(Runnable next) {
        if (slice == null) {
            slice = next;
        }
        if (!next.equals(slice)) {
            ELSEWHERE.execute(next);
        } else if (suspended) {
            if (!awaitsResume) {
                carrier.ready();
            }
        } else {
            unblock();
        }
    }

    /** Runs a slice. */
    public void run() {
        carrierThread = Thread.currentThread();
        suspended = false;
        slice.run();
        while (!suspended) {
            if (!awaitUnblocked()) {
                carrier.leftBlocked();
                return;
            }
            slice.run();
        }
    }

    /** False if the carrier stops before. */
    private boolean awaitUnblocked() {
        boolean may = unblocked.getAndSet(false);
        while (!may && !carrier.isStopping()) {
            LockSupport.park(this);
            may = unblocked.getAndSet(false);
        }
        return may;
    }

    private void unblock() {
        // Set before the carrier's end is read, as the carrier ends before it reads this: one sees the other.
        unblocked.set(true);
        LockSupport.unpark(carrierThread);
        if (carrier.hasEnded()) {
            goOnWithoutCarrier();
        }
    }

    /**
     * The thread goes on to its next wait, and releases the lock that it has waited for: other threads in the process may need it. Called on any
     * thread.
     */
    public void goOnWithoutCarrier() {
        if (unblocked.getAndSet(false)) {
            Thread.ofPlatform()
                    .daemon()
                    .name(carrierThread.getName() + "-ended")
                    .start(slice);
        }
    }
}
