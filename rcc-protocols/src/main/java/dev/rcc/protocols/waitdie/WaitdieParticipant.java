package dev.rcc.protocols.waitdie;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.Refusal;
import dev.rcc.protocols.locking.LockJob;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockRules;
import dev.rcc.protocols.locking.LockingParticipant;

/**
 * The participant with a waiting list (rcc, 4.3). A request that must wait keeps the locks that it has taken. It is answered
 * later, when an RPC drops a lock, or when the event loop finds that a lock word has changed: locks are also dropped
 * one-sided, and by handlers on the node's other workers, which do not use this worker's list.
 *
 * <p>Requests that wait for a lock come before those that arrive later. An older newcomer queues behind them. A younger
 * newcomer dies when the lock would let it in: either it could share the lock with the present holders, or the lock was
 * dropped a moment ago. Otherwise a stream of newcomers would keep the older request waiting. That is fairness, not safety:
 * a transaction that locks one-sided or through another worker does not see the list.
 */
final class WaitdieParticipant extends LockingParticipant {
    /** How long the event loop may sleep while a request waits, as nothing wakes it when a lock is dropped one-sided. */
    private static final long LOOK_AGAIN_NANOS = 20_000;

    private final WaitingList list = new WaitingList();

    /** The waiter whose request is being served again, or null if the request is new. */
    private Waiter trying;

    // The lock for which the request that was served last must wait, and the lock word that makes it wait.
    private Memory memory;
    private long offset;
    private LockMode mode;
    private long word;

    /** Outstanding while the caretaker has nothing to do. */
    private Completion wakeUp;

    private boolean caretakerIdle;

    WaitdieParticipant(WorkerContext context, LockRules rules) {
        super(context, rules);
    }

    @Override
    protected void serve() {
        super.serve();
        context.worker().addPoller(this::poll);
        context.gate().whenFrozen(this::refuseAll);
        context.worker().spawn(context.serviceCoroutine(), this::takeCare);
    }

    @Override
    protected int barred(LockJob job, Memory lockMemory, long lockOffset, LockMode lockMode) {
        if (list.size() == 0) {
            return GRANTED;
        }
        if (list.hasYounger(job.owner(), lockMemory, lockOffset, lockMode)) {
            return await(lockMemory, lockOffset, lockMode, lockMemory.getAcquire(lockOffset));
        }
        boolean isNew = trying == null || !trying.waitsFor(lockMemory, lockOffset);
        return isNew && overtakes(job.owner(), lockMemory, lockOffset, lockMode)
                ? Refusal.of(ConflictReasons.WAIT_DIE_DIED)
                : GRANTED;
    }

    /** Whether a newcomer could take a lock for which an older request waits already. */
    private boolean overtakes(long owner, Memory lockMemory, long lockOffset, LockMode lockMode) {
        return list.hasOlder(owner, lockMemory, lockOffset, lockMode)
                && rules.grant(lockMemory.getAcquire(lockOffset), lockMode, owner) != LockRules.FREE;
    }

    @Override
    protected int refused(LockJob job, Memory lockMemory, long lockOffset, LockMode lockMode, long lockWord) {
        boolean mayClose = lockMode == LockMode.EXCLUSIVE && rules.isShared(lockWord);
        long word = mayClose ? close(job, lockMemory, lockOffset, lockWord) : lockWord;
        AbortReason reason = rules.refusal(word, job.owner());
        return reason == null ? await(lockMemory, lockOffset, lockMode, word) : Refusal.of(reason);
    }

    /** Closes a shared lock if the rules require that. If its word has changed meanwhile, the next try closes it. */
    private long close(LockJob job, Memory lockMemory, long lockOffset, long lockWord) {
        long closed = rules.close(lockWord, job.owner(), context.clock().nanos());
        boolean isClosed =
                closed != lockWord && lockMemory.compareAndExchange(lockOffset, lockWord, closed) == lockWord;
        return isClosed ? closed : lockWord;
    }

    private int await(Memory lockMemory, long lockOffset, LockMode lockMode, long lockWord) {
        if (trying == null && list.isFull()) {
            return Refusal.of(AbortReason.LOCK_CONFLICT);
        }
        memory = lockMemory;
        offset = lockOffset;
        mode = lockMode;
        word = lockWord;
        return WAIT;
    }

    @Override
    protected LockJob suspend(LockJob job) {
        Waiter waiter = list.spare();
        LockJob spare = waiter.job;
        waiter.job = job;
        waiter.owner = job.owner();
        waiter.deadlineNanos = context.worker().nanoTime() + rules.waitNanosMax();
        waitFor(waiter);
        list.add();
        if (caretakerIdle) {
            caretakerIdle = false;
            wakeUp.succeed();
        }
        return spare;
    }

    private void waitFor(Waiter waiter) {
        waiter.memory = memory;
        waiter.offset = offset;
        waiter.mode = mode;
        waiter.word = word;
    }

    /** The link of an attempt may fail while its request waits. Once the attempt has ended, the request gets no lock any more. */
    @Override
    protected void released(long owner) {
        boolean any = false;
        for (int i = 0; i < list.size(); i++) {
            Waiter waiter = list.get(i);
            if (waiter.owner == owner) {
                waiter.waiting = false;
                refuse(waiter.job, ConflictReasons.WAIT_TIMEOUT);
                any = true;
            }
        }
        if (any) {
            list.compact();
        }
        poll();
    }

    /** Tries again all requests whose lock word has changed, and returns the number of requests that were answered. */
    private int poll() {
        if (list.size() == 0) {
            return 0;
        }
        long now = context.worker().nanoTime();
        int answered = 0;
        for (int i = 0; i < list.size(); i++) {
            Waiter waiter = list.get(i);
            // Once a request has left the list, the next may have waited for it rather than for the holder.
            if ((answered > 0 || waiter.memory.getAcquire(waiter.offset) != waiter.word) && tryAgain(waiter)) {
                answered++;
            } else if (now - waiter.deadlineNanos >= 0) {
                waiter.waiting = false;
                refuse(waiter.job, ConflictReasons.WAIT_TIMEOUT);
                answered++;
            }
        }
        if (answered > 0) {
            list.compact();
        }
        return answered;
    }

    /** Refuses all waiting requests: only those of lost coordinators are left, which must not get any lock. */
    private boolean refuseAll() {
        for (int i = 0; i < list.size(); i++) {
            Waiter waiter = list.get(i);
            waiter.waiting = false;
            refuse(waiter.job, ConflictReasons.WAIT_TIMEOUT);
        }
        list.compact();
        return true;
    }

    private boolean tryAgain(Waiter waiter) {
        trying = waiter;
        boolean done = proceed(waiter.job);
        trying = null;
        if (done) {
            waiter.waiting = false;
        } else {
            waitFor(waiter);
        }
        return done;
    }

    /** Keeps the event loop from sleeping long while a request waits. */
    private void takeCare(Coroutine coroutine) {
        wakeUp = new Completion(coroutine);
        while (true) {
            if (list.size() == 0) {
                caretakerIdle = true;
                wakeUp.add();
                wakeUp.await();
            }
            coroutine.sleep(LOOK_AGAIN_NANOS);
        }
    }
}
