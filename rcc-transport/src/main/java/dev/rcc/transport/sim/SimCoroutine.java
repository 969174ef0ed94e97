package dev.rcc.transport.sim;

import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.SlicedThread;
import dev.rcc.core.worker.Worker;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coroutine of a {@link SimWorker}: a virtual thread whose slices are items of the worker, run by the simulation's thread. When a slice
 * waits for a lock of the JVM, such as a logger's that another simulation holds, that thread waits too. Virtual time is frozen meanwhile,
 * and the run does not change.
 */
final class SimCoroutine extends Coroutine {
    private static final Logger LOG = LoggerFactory.getLogger(SimCoroutine.class);

    private final SimWorker worker;
    private final SlicedThread thread;
    private boolean sleeping;
    private boolean computing;

    SimCoroutine(SimWorker worker, int id, Consumer<Coroutine> body) {
        super(id);
        this.worker = worker;
        this.thread = new SlicedThread(
                "rcc-node" + worker.node() + "-coroutine" + id, () -> worker.ready(this), () -> runBody(body));
    }

    /** Runs the coroutine until it suspends itself. */
    void runSlice() {
        thread.run();
    }

    void start() {
        thread.start();
    }

    private void runBody(Consumer<Coroutine> body) {
        try {
            body.accept(this);
        } catch (RuntimeException | Error e) {
            LOG.error("event=coroutine_failed coroutine={} node={}", id(), worker.node(), e);
        }
    }

    @Override
    public Worker worker() {
        return worker;
    }

    @Override
    public void pause() {
        thread.pause();
    }

    @Override
    public void sleep(long nanos) {
        if (nanos <= 0) {
            pause();
            return;
        }
        sleeping = true;
        long deadline = worker.localNanos() + Math.min(nanos, Long.MAX_VALUE / 2);
        worker.simulation().at(deadline, this::wake);
        while (sleeping) {
            suspend();
        }
    }

    private void wake() {
        sleeping = false;
        if (!worker.isClosed()) {
            resume();
        }
    }

    /** Waits until {@link #computed}; the worker is busy meanwhile. */
    void awaitComputed() {
        computing = true;
        while (computing) {
            suspend();
        }
    }

    void computed() {
        computing = false;
        resume();
    }

    /** Whether the caller runs on this coroutine. */
    boolean isCurrent() {
        return thread.isCurrent();
    }

    @Override
    protected void suspend() {
        thread.suspend();
    }

    @Override
    protected void resume() {
        thread.resume();
    }
}
