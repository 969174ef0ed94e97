package dev.rcc.core.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coroutine of an {@link EventLoop}, in one of two forms with the same meaning. {@link Mounted} is a virtual thread
 * whose scheduler is the loop: a switch costs about a hundred nanoseconds. {@link HandedOver}, for a JVM that keeps
 * that door shut, is an ordinary virtual thread that runs only while the loop's thread waits for it: correct, but
 * each switch crosses threads.
 */
abstract class LoopCoroutine extends Coroutine {
    private static final Logger LOG = LoggerFactory.getLogger(LoopCoroutine.class);

    /** Deadlines are compared by difference, so they must not lie more than half of all time apart. */
    private static final long MAX_SLEEP_NANOS = Long.MAX_VALUE / 2;

    final EventLoop loop;
    private boolean sleeping;

    LoopCoroutine(EventLoop loop, int id) {
        super(id);
        this.loop = loop;
    }

    /** Starts a coroutine. Called on the loop. */
    static void start(EventLoop loop, int id, String name, Consumer<Coroutine> body) {
        if (loop.mountsCoroutines()) {
            new Mounted(loop, id, name, body).thread.start();
        } else {
            new HandedOver(loop, id, name, body).resume();
        }
    }

    @Override
    public final Worker worker() {
        return loop;
    }

    @Override
    public final void sleep(long nanos) {
        if (nanos <= 0) {
            pause();
            return;
        }
        sleeping = true;
        loop.wakeAt(loop.nanoTime() + Math.min(nanos, MAX_SLEEP_NANOS), this);
        while (sleeping) {
            suspend();
        }
    }

    /** The deadline of {@link #sleep} has come. Called on the loop. */
    final void wake() {
        sleeping = false;
        resume();
    }

    final void runBody(Consumer<Coroutine> body) {
        try {
            body.accept(this);
        } catch (RuntimeException | Error e) {
            LOG.error("event=coroutine_failed coroutine={} node={}", id(), loop.node(), e);
        }
    }

    /**
     * The loop is the virtual thread's scheduler. A slice ends where the coroutine suspends itself. If it waits for something else, as for
     * a lock, the loop's thread waits along: it may want that lock next, and nobody but it can run the coroutine that gets it first.
     */
    static final class Mounted extends LoopCoroutine {
        /** Runs the virtual threads that coroutines start: they have the scheduler of the thread that starts them. */
        private static final Executor ELSEWHERE = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("rcc-virtual-", 0).factory());

        private final Thread thread;
        private final Runnable turn = this::takeTurn;
        /** Whether the coroutine is at its own wait, and not on its way to it. */
        private boolean suspended = true;
        /** What runs the virtual thread up to its next wait, always the same; null before it starts. */
        private Runnable slice;
        /** Whether the virtual thread may go on from a wait that is none of its own. */
        private final AtomicBoolean unblocked = new AtomicBoolean();

        Mounted(EventLoop loop, int id, String name, Consumer<Coroutine> body) {
            super(loop, id);
            this.thread = VirtualThreads.unstarted(this::schedule, name, () -> {
                try {
                    runBody(body);
                } finally {
                    suspended = true; // for good
                }
            });
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // this thread's scheduler is the loop, whose queue is fair
        public void pause() {
            suspended = true;
            Thread.yield();
            suspended = false;
        }

        @Override
        protected void suspend() {
            suspended = true;
            LockSupport.park();
            suspended = false;
        }

        @Override
        protected void resume() {
            LockSupport.unpark(thread);
        }

        /** As the virtual thread's scheduler. */
        private void schedule(Runnable next) {
            if (slice == null) {
                slice = next;
            }
            if (!next.equals(slice)) {
                ELSEWHERE.execute(next);
            } else if (suspended) {
                loop.ready(turn);
            } else {
                unblock();
            }
        }

        private void takeTurn() {
            suspended = false;
            slice.run();
            while (!suspended) {
                if (!awaitUnblocked()) {
                    loop.leaveBlocked(this);
                    return;
                }
                slice.run();
            }
        }

        /** False if the loop ends before. */
        private boolean awaitUnblocked() {
            boolean may = unblocked.getAndSet(false);
            while (!may && !loop.isStopping()) {
                LockSupport.park(this);
                may = unblocked.getAndSet(false);
            }
            return may;
        }

        private void unblock() {
            unblocked.set(
                    true); // before it looks for the loop's end, as the loop ends before it looks for this: one sees
            // the other
            LockSupport.unpark(loop.thread());
            if (loop.hasEnded()) {
                goOnWithoutLoop();
            }
        }

        /** It gives back what it has waited for, which others in the process may need, and goes on to its next wait. On any thread. */
        void goOnWithoutLoop() {
            if (unblocked.getAndSet(false)) {
                Thread.ofPlatform()
                        .daemon()
                        .name(loop.thread().getName() + "-ended")
                        .start(slice);
            }
        }
    }

    /** The loop's thread hands the turn over and waits until the virtual thread hands it back. */
    private static final class HandedOver extends LoopCoroutine {
        private final Thread thread;
        private final Runnable slice = this::runSlice;
        private volatile boolean running;
        private boolean ready;
        private boolean started;

        HandedOver(EventLoop loop, int id, String name, Consumer<Coroutine> body) {
            super(loop, id);
            this.thread = Thread.ofVirtual().name(name).unstarted(() -> {
                try {
                    runBody(body);
                } finally {
                    handBack();
                }
            });
        }

        @Override
        public void pause() {
            resume();
            suspend();
        }

        @Override
        protected void suspend() {
            handBack();
            while (!running) {
                LockSupport.park(this);
            }
        }

        @Override
        protected void resume() {
            if (!ready) {
                ready = true;
                loop.ready(slice);
            }
        }

        private void runSlice() {
            ready = false;
            running = true;
            if (started) {
                LockSupport.unpark(thread);
            } else {
                started = true;
                thread.start();
            }
            while (running) {
                LockSupport.park(this);
            }
        }

        private void handBack() {
            running = false;
            LockSupport.unpark(loop.thread());
        }
    }
}
