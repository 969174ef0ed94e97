package dev.rcc.core.worker;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real worker: a platform thread that, turn after turn, runs the tasks that other threads sent, wakes sleepers, asks its pollers for events and
 * gives every ready coroutine one turn. A turn that finds nothing to do makes the loop spin, then yield the processor, then park until
 * {@link #wakeUp}, the next sleeper or 10 ms, so that more workers than cores degrade gracefully. If the process and its
 * {@linkplain Poller#neighbours neighbours} have more workers than there are processors, the loop does not spin: what it waits for needs the processor.
 * If one of its pollers is a {@link Parker}, the loop sleeps in that, and at once unless the parker {@linkplain Parker#spinsFirst spins first}: a
 * network to sleep in has round trips that are longer than a sleep, and clients on a crowded machine need the processor.
 */
public final class EventLoop implements Worker, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** The loops of this process whose threads run. */
    private static final AtomicInteger LOOPS = new AtomicInteger();

    private static final int SPIN_TURNS = 32;
    private static final int YIELD_TURNS = 64;
    /** The longest time to spin and yield, in however few turns: where turns take long, other threads wait for the processor, or it is a slow one. */
    private static final long IDLE_NANOS_MAX = 200_000;

    private static final long PARK_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);
    /** The same for all workers of a process, so that their clocks agree. */
    private static final long WALL_OFFSET_NANOS =
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();

    private final int node;
    private final int index;
    private final SplittableRandom random;
    private final Thread thread;
    private final MpscUnboundedVarHandleArrayQueue<Runnable> inbox = new MpscUnboundedVarHandleArrayQueue<>(256);
    private final ReadyQueue ready = new ReadyQueue();
    private final Sleepers sleepers = new Sleepers();
    private final boolean mountsCoroutines;
    private final long parkNanosMax;
    private long turnNanos = System.nanoTime();
    private final Object pollersLock = new Object();
    private volatile Poller[] pollers = {};
    private volatile Parker parker;
    private volatile boolean stopping;
    private volatile boolean parked;
    private volatile boolean ended;
    /** The coroutines that waited for a lock when the thread ended; used by that thread alone. */
    private final List<LoopCoroutine.Mounted> blockedAtEnd = new ArrayList<>();

    /** Creates a worker that does nothing before {@link #start}. */
    public EventLoop(int node, int index, long seed) {
        this(node, index, seed, VirtualThreads.canSchedule(), PARK_NANOS_MAX);
    }

    /** For tests: with this form of coroutines, and parking for this long at most. */
    EventLoop(int node, int index, long seed, boolean mountsCoroutines, long parkNanosMax) {
        this.parkNanosMax = parkNanosMax;
        this.mountsCoroutines = mountsCoroutines;
        this.node = node;
        this.index = index;
        this.random = new SplittableRandom(seed ^ ((long) node << 32 | index) * 0x9E3779B97F4A7C15L);
        this.thread = new Thread(this::loop, "rcc-node" + node + "-worker" + index);
        this.thread.setDaemon(true);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /**
     * Stops the loop after its current turn and waits for the thread to end. Coroutines that have not ended never go on from
     * a {@link Coroutine}'s wait: to them, the node has died. A coroutine that waits for a lock goes on when it gets the lock, on a thread of its
     * own, to its next wait: it releases the lock, which other threads in the process may need. Called on any other thread; a second call does
     * nothing.
     */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread); // the thread may wait for a coroutine
        wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallNanos() {
        return turnNanos + WALL_OFFSET_NANOS;
    }

    @Override
    public long random() {
        return random.nextLong();
    }

    @Override
    public void compute(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void spawn(int coroutineId, Consumer<Coroutine> body) {
        String name = "rcc-node" + node + "-coroutine" + coroutineId;
        execute(() -> LoopCoroutine.start(this, coroutineId, name, body));
    }

    @Override
    public void execute(Runnable task) {
        inbox.offer(Objects.requireNonNull(task));
        wakeUp();
    }

    @Override
    public void addPoller(Poller poller) {
        synchronized (pollersLock) {
            if (poller instanceof Parker place) {
                sleepIn(place);
                if (Arrays.asList(pollers).contains(poller)) {
                    return;
                }
            }
            Poller[] longer = new Poller[pollers.length + 1];
            System.arraycopy(pollers, 0, longer, 0, pollers.length);
            longer[pollers.length] = poller;
            pollers = longer;
        }
        wakeUp();
    }

    @Override
    public void sleepIn(Parker place) {
        synchronized (pollersLock) {
            if (parker != null && !parker.equals(place)) {
                throw new IllegalStateException("a worker sleeps in one place only");
            }
            parker = place;
        }
    }

    @Override
    public Parker parker(Supplier<Parker> otherwise) {
        synchronized (pollersLock) {
            if (parker == null) {
                addPoller(otherwise.get());
            }
            return parker;
        }
    }

    @Override
    public void wakeUp() {
        VarHandle.fullFence(); // pairs with the one in park(): the added work, or the announcement, is seen
        if (parked) {
            Parker place = parker;
            if (place != null) {
                place.unpark();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    /** The thread that runs the loop and carries the coroutines. */
    Thread thread() {
        return thread;
    }

    /** Whether the loop is the scheduler of its coroutines' virtual threads. */
    boolean mountsCoroutines() {
        return mountsCoroutines;
    }

    /** Takes a slice of a coroutine to run, in its turn. */
    void ready(Runnable slice) {
        if (thread.equals(Thread.currentThread())) {
            ready.add(slice);
        } else {
            execute(slice);
        }
    }

    /** Whether the thread has ended, or is about to: it begins no further turn. */
    boolean isStopping() {
        return stopping;
    }

    /** Whether the thread has ended. */
    boolean hasEnded() {
        return ended;
    }

    /** The thread ends, and does not wait any longer for a coroutine that waits for a lock. Called on the loop. */
    void leaveBlocked(LoopCoroutine.Mounted coroutine) {
        blockedAtEnd.add(coroutine);
    }

    /** Resumes {@code coroutine} at {@code deadlineNanos} or soon after. */
    void wakeAt(long deadlineNanos, LoopCoroutine coroutine) {
        sleepers.add(deadlineNanos, coroutine);
    }

    private void loop() {
        LOOPS.incrementAndGet();
        try {
            turns();
        } finally {
            LOOPS.decrementAndGet();
        }
        Parker place = parker;
        if (place != null) {
            place.end();
        }
        ended = true;
        blockedAtEnd.forEach(LoopCoroutine.Mounted::goOnWithoutLoop);
    }

    private void turns() {
        int idleTurns = 0;
        long idleSinceNanos = 0;
        while (!stopping) {
            if (turn() > 0) {
                idleTurns = 0;
                continue;
            }
            idleSinceNanos = idleTurns == 0 ? turnNanos : idleSinceNanos;
            boolean isSoon = idleTurns < YIELD_TURNS && turnNanos - idleSinceNanos < IDLE_NANOS_MAX;
            boolean areProcessorsScarce = areProcessorsScarce();
            if (isSoon && spinsFirst(areProcessorsScarce)) {
                idle(idleTurns++, areProcessorsScarce);
            } else if (park() > 0) {
                idleTurns = 0;
            }
        }
    }

    private boolean spinsFirst(boolean areProcessorsScarce) {
        Parker place = parker;
        return place == null || place.spinsFirst(areProcessorsScarce);
    }

    private int turn() {
        int arrived = inbox.size();
        turnNanos = System.nanoTime(); // read after the inbox: no effect is dated before its cause
        int work = runInbox(arrived) + sleepers.wake(turnNanos);
        for (Poller poller : pollers) {
            work += poll(poller);
        }
        return work + runReady();
    }

    /** Runs the tasks that had arrived; tasks that these send wait for the next turn, so pollers are never starved. */
    private int runInbox(int count) {
        for (int i = 0; i < count; i++) {
            run(inbox.poll());
        }
        return count;
    }

    /** Runs the slices that are ready now; slices that become ready meanwhile wait for the next turn, so pollers are never starved. */
    private int runReady() {
        int count = ready.size();
        for (int i = 0; i < count; i++) {
            run(ready.remove());
        }
        return count;
    }

    @SuppressWarnings("ThreadPriorityCheck") // only a courtesy: nothing depends on it
    private static void idle(int idleTurns, boolean areProcessorsScarce) {
        if (idleTurns < SPIN_TURNS && !areProcessorsScarce) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Whether more workers share the processors than there are of these. */
    boolean areProcessorsScarce() {
        int workers = LOOPS.get();
        for (Poller poller : pollers) {
            workers += poller.neighbours();
        }
        return workers > PROCESSORS;
    }

    /**
     * Announces the sleep, has the pollers arm the events that shall end it, looks once more, then sleeps: a thread that adds work afterwards sees
     * the announcement.
     */
    private int park() {
        parked = true;
        VarHandle.fullFence();
        Parker place = parker;
        if (place != null) {
            arm(place); // it may not be among the pollers yet
        }
        for (Poller poller : pollers) {
            arm(poller);
        }
        int work = turn();
        if (work == 0 && !stopping) {
            long nanos = sleepers.isEmpty() ? parkNanosMax : sleepers.nextDeadline() - System.nanoTime();
            if (nanos > 0) {
                sleep(Math.min(nanos, parkNanosMax));
            }
        }
        parked = false;
        return work;
    }

    private void sleep(long nanos) {
        Parker place = parker;
        if (place == null) {
            LockSupport.parkNanos(this, nanos);
            return;
        }
        try {
            place.park(nanos);
        } catch (RuntimeException | Error e) {
            LOG.error("event=poller_failed: it failed to sleep; the worker looks again soon", e);
            LockSupport.parkNanos(this, nanos);
        }
    }

    private static int poll(Poller poller) {
        try {
            return poller.poll();
        } catch (RuntimeException | Error e) {
            LOG.error("event=poller_failed: the worker goes on", e);
            return 1;
        }
    }

    private static void arm(Poller poller) {
        try {
            poller.arm();
        } catch (RuntimeException | Error e) {
            LOG.error("event=poller_failed: it could not be armed; the worker sleeps and looks again soon", e);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("event=task_failed: the worker goes on", e);
        }
    }
}
