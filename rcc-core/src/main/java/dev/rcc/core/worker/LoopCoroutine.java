package dev.rcc.core.worker;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coroutine of an {@link EventLoop}, in one of two forms with the same meaning. {@link Mounted} is a virtual thread
 * whose scheduler is the loop: a switch costs about a hundred nanoseconds. {@link HandedOver}, for a JVM that does not
 * allow that, is an ordinary virtual thread that runs only while the loop's thread waits for it: correct, but each
 * switch crosses threads.
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

    /** The loop is the virtual thread's scheduler. */
    static final class Mounted extends LoopCoroutine implements SlicedThread.Carrier {
        private final SlicedThread thread;
        private final Runnable turn = this::takeTurn;

        Mounted(EventLoop loop, int id, String name, Consumer<Coroutine> body) {
            super(loop, id);
            this.thread = new SlicedThread(name, this, () -> runBody(body));
        }

        private void takeTurn() {
            thread.run();
        }

        @Override
        public void pause() {
            thread.pause();
        }

        @Override
        protected void suspend() {
            thread.suspend();
        }

        @Override
        protected void resume() {
            thread.resume();
        }

        @Override
        public void ready() {
            loop.ready(turn);
        }

        @Override
        public boolean isStopping() {
            return loop.isStopping();
        }

        @Override
        public boolean hasEnded() {
            return loop.hasEnded();
        }

        @Override
        public void leftBlocked() {
            loop.leaveBlocked(this);
        }

        /** The loop has ended while this coroutine waits for a lock: when it gets the lock, it goes on to its next wait. Called on any thread. */
        void goOnWithoutLoop() {
            thread.goOnWithoutCarrier();
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
