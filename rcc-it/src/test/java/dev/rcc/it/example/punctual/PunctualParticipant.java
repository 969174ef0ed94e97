package dev.rcc.it.example.punctual;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.locking.LockJob;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;
import dev.rcc.protocols.locking.LockingParticipant;
import java.util.ArrayList;
import java.util.List;

/**
 * The participant, which keeps requests that wait. It checks them often, since it is not notified when a lock is dropped one-sided. It tries
 * a request again if its lock word has changed, and refuses a request whose deadline has come.
 */
final class PunctualParticipant extends LockingParticipant {
    private static final int WAITERS_MAX = 256;
    private static final long LOOK_NANOS = 5_000;

    /** A request that waits, and the lock word for which it waits. */
    private static final class Waiter {
        LockJob job = new LockJob();
        long untilNanos;
        Memory memory;
        long offset;
        long word;
    }

    private final List<Waiter> waiters = new ArrayList<>();
    private final List<Waiter> spares = new ArrayList<>();
    private Alarm alarm;
    /** Whether the request that is being served is one of the waiters. */
    private boolean again;

    // The lock word for which the request that was served last waits.
    private Memory memory;
    private long offset;
    private long word;

    PunctualParticipant(WorkerContext context, LockRules rules) {
        super(context, rules);
    }

    @Override
    protected void serve() {
        super.serve();
        ((PunctualClock) context.clock()).join(context.nodeState(NodeTime.class));
        new TimeService(context).serve();
        alarm = new Alarm(context.worker(), context.serviceCoroutine(), LOOK_NANOS, this::look);
        context.gate().whenFrozen(this::refuseAll);
    }

    @Override
    protected int refused(LockJob job, Memory lockMemory, long lockOffset, LockMode mode, long lockWord) {
        AbortReason reason = rules.refusal(lockWord, job.owner());
        if (reason != null) {
            return Refusal.of(reason);
        }
        if (!again && waiters.size() == WAITERS_MAX) {
            return Refusal.of(AbortReason.LOCK_CONFLICT);
        }
        memory = lockMemory;
        offset = lockOffset;
        word = lockWord;
        return WAIT;
    }

    @Override
    protected LockJob suspend(LockJob job) {
        Waiter waiter = spares.isEmpty() ? new Waiter() : spares.removeLast();
        LockJob spare = waiter.job;
        long patienceNanos = rules.waitNanosMax();
        long left = PunctualRules.leftNanos(job.owner(), patienceNanos, context.clock());
        waiter.job = job;
        waiter.untilNanos = context.worker().nanoTime() + Math.min(left, patienceNanos);
        waitFor(waiter);
        waiters.add(waiter);
        alarm.in(LOOK_NANOS);
        return spare;
    }

    private void waitFor(Waiter waiter) {
        waiter.memory = memory;
        waiter.offset = offset;
        waiter.word = word;
    }

    /** Refuses the requests of an attempt that has ended because its link failed while they waited. */
    @Override
    protected void released(long owner) {
        for (int i = waiters.size() - 1; i >= 0; i--) {
            if (waiters.get(i).job.owner() == owner) {
                refuse(i);
            }
        }
    }

    /** The nodes change to another configuration and no attempt runs: a request that still waits is a lost coordinator's. */
    private boolean refuseAll() {
        while (!waiters.isEmpty()) {
            refuse(waiters.size() - 1);
        }
        return true;
    }

    private void look(Coroutine coroutine) {
        long now = context.worker().nanoTime();
        for (int i = waiters.size() - 1; i >= 0; i--) {
            Waiter waiter = waiters.get(i);
            if (waiter.memory.getAcquire(waiter.offset) != waiter.word && tryAgain(waiter)) {
                spares.add(waiters.remove(i));
            } else if (now - waiter.untilNanos >= 0) {
                refuse(i);
            }
        }
        if (!waiters.isEmpty()) {
            alarm.in(LOOK_NANOS);
        }
    }

    private boolean tryAgain(Waiter waiter) {
        again = true;
        boolean done = proceed(waiter.job);
        again = false;
        if (!done) {
            waitFor(waiter);
        }
        return done;
    }

    private void refuse(int i) {
        Waiter waiter = waiters.remove(i);
        refuse(waiter.job, Punctual.DEADLINE_PASSED);
        spares.add(waiter);
    }
}
