package dev.rcc.protocols.locking;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.Refusal;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/**
 * The operations of Lincheck on a lock word. Each thread is a transaction that shares the lock, holds it alone, and drops it by RPC or by one-sided
 * verbs. A thread that holds no lock tries to drop another thread's exclusive lock.
 *
 * <p>The mode is stress, as Lincheck 3.7's model checker does not see accesses to a MemorySegment.
 */
public abstract class LockWordOperations {
    /** Lincheck's threads: three in parallel, and one each before and after them. */
    public static final int THREADS = 5;

    private static final AbortReasons REASONS = new AbortReasons(ConflictReasons.ALL);

    private final LockedLeaf leaf;
    private final LockMode[] held = new LockMode[THREADS]; // indexed by thread

    /** A lock that is free. */
    protected LockWordOperations(LockedLeaf leaf) {
        this.leaf = leaf;
        leaf.reset();
        Arrays.fill(held, LockMode.NONE);
    }

    @Operation
    public String share(@Param(gen = ThreadIdGen.class) int thread) {
        return held[thread] == LockMode.NONE ? lock(thread, LockMode.SHARED) : "held";
    }

    @Operation
    public String exclude(@Param(gen = ThreadIdGen.class) int thread) {
        return lock(thread, LockMode.EXCLUSIVE);
    }

    @Operation
    public void release(@Param(gen = ThreadIdGen.class) int thread) {
        leaf.unlock(thread, held[thread] == LockMode.NONE ? LockMode.EXCLUSIVE : held[thread]);
        held[thread] = LockMode.NONE;
    }

    @Operation
    public void releaseOneSided(@Param(gen = ThreadIdGen.class) int thread) {
        if (held[thread] != LockMode.NONE) {
            leaf.unlockOneSided(thread, held[thread]);
            held[thread] = LockMode.NONE;
        }
    }

    private String lock(int thread, LockMode mode) {
        int result = leaf.lock(thread, held[thread], mode);
        if (!Refusal.is(result)) {
            held[thread] = mode;
            return "granted";
        }
        AbortReason reason = Refusal.reason(result, REASONS);
        return switch (reason.name()) {
            case "LOCK_CONFLICT" -> "conflict";
            case "WAIT_DIE_DIED" -> "died";
            case "WAIT_TIMEOUT" -> "waited";
            default -> throw new IllegalStateException("refused for " + reason);
        };
    }

    /** Checks the lock word on which {@code operations} operates. */
    protected static void check(
            Class<? extends LockWordOperations> operations, Class<? extends Specification> specification) {
        new StressOptions()
                .iterations(30)
                .invocationsPerIteration(1000)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(specification)
                .check(operations);
    }

    /** The sequential specification of a lock. */
    public abstract static class Specification {
        private static final int NOBODY = -1;

        private final boolean[] shares = new boolean[THREADS];
        private int sharers;
        private int holder = NOBODY;

        public final String share(int thread) {
            if (shares[thread] || holder == thread) {
                return "held";
            }
            if (holder != NOBODY) {
                return refusedBy(holder, thread);
            }
            shares[thread] = true;
            joined(thread, ++sharers == 1);
            return "granted";
        }

        public final String exclude(int thread) {
            if (holder != NOBODY && holder != thread) {
                return refusedBy(holder, thread);
            }
            if (sharers > (shares[thread] ? 1 : 0)) {
                return refusedBySharers(thread);
            }
            release(thread);
            holder = thread;
            return "granted";
        }

        public final void release(int thread) {
            if (shares[thread]) {
                shares[thread] = false;
                sharers--;
            } else if (holder == thread) {
                holder = NOBODY;
            }
        }

        public final void releaseOneSided(int thread) {
            release(thread);
        }

        /** A thread shares the lock, perhaps the first since it was free. */
        protected void joined(int thread, boolean first) {}

        /** The result for a thread while another thread holds the lock. */
        protected abstract String refusedBy(int other, int thread);

        /** The result for a thread while other threads share the lock. */
        protected abstract String refusedBySharers(int thread);
    }
}
