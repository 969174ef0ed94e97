package dev.rcc.core.worker;

import java.util.function.Consumer;

/**
 * A coroutine for a task with deadlines: it sleeps until the next one, and waits, at no cost, while there is none. Used on its worker only. Setting a
 * deadline allocates nothing.
 */
public final class Alarm {
    private final Worker worker;
    private final long lateNanosMax;
    private final Consumer<Coroutine> task;
    private boolean set;
    private long deadlineNanos;
    /** Outstanding while no deadline is set. */
    private Completion wakeUp;

    private boolean idle;

    /**
     * Starts the coroutine; no deadline is set. May be called before the worker starts.
     *
     * @param coroutineId the coroutine's id; for a protocol, {@link dev.rcc.core.protocol.WorkerContext#serviceCoroutine}
     * @param lateNanosMax how late the task may be if an earlier deadline is set while the coroutine sleeps, in nanoseconds, at least 1: the
     *     coroutine looks this often then; delays by its worker come on top
     * @param task called when a deadline has come; it may wait, and set the next one
     */
    public Alarm(Worker worker, int coroutineId, long lateNanosMax, Consumer<Coroutine> task) {
        if (lateNanosMax < 1) {
            throw new IllegalArgumentException("an alarm looks at most every nanosecond, got " + lateNanosMax);
        }
        this.worker = worker;
        this.lateNanosMax = lateNanosMax;
        this.task = task;
        worker.spawn(coroutineId, this::run);
    }

    /** Has the task run once {@code nanos} nanoseconds have passed, or earlier if an earlier deadline is set. */
    public void in(long nanos) {
        long deadline = worker.nanoTime() + nanos;
        if (!set || deadline - deadlineNanos < 0) {
            set = true;
            deadlineNanos = deadline;
        }
        if (idle) {
            idle = false;
            wakeUp.succeed();
        }
    }

    private void run(Coroutine coroutine) {
        wakeUp = new Completion(coroutine);
        while (true) {
            if (!set) {
                idle = true;
                wakeUp.add();
                wakeUp.await();
            }
            long left = deadlineNanos - worker.nanoTime();
            if (left > 0) {
                coroutine.sleep(Math.min(left, lateNanosMax));
            } else {
                set = false;
                task.accept(coroutine);
            }
        }
    }
}
