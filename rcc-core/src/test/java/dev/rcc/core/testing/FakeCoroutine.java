package dev.rcc.core.testing;

import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import java.util.ArrayList;
import java.util.List;

/** The calling thread in the role of a coroutine: sleeping moves its {@link FakeWorker}'s clock. */
public final class FakeCoroutine extends Coroutine {
    /** The length of each sleep in nanoseconds. */
    public final List<Long> sleeps = new ArrayList<>();
    /** Called each time the coroutine is suspended: the rest of the world goes on. */
    public Runnable whileSuspended = () -> {
        throw new AssertionError("suspended for ever");
    };
    /** Called each time the coroutine sleeps: the rest of the world goes on. */
    public Runnable whileSleeping = () -> {};
    /** The number of times that it was resumed. */
    public int resumes;

    private final FakeWorker worker;

    public FakeCoroutine(int id, FakeWorker worker) {
        super(id);
        this.worker = worker;
    }

    @Override
    public Worker worker() {
        return worker;
    }

    @Override
    public void pause() {}

    @Override
    public void sleep(long nanos) {
        sleeps.add(nanos);
        worker.nanoTime += nanos;
        whileSleeping.run();
    }

    @Override
    protected void suspend() {
        whileSuspended.run();
    }

    @Override
    protected void resume() {
        resumes++;
    }
}
