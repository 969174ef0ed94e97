package dev.rcc.bench.locks.check;

import dev.rcc.bench.locks.check.LockHistory.Pass;
import dev.rcc.bench.locks.check.LockHistory.Request;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What requesters of a trial have done, and the memory that their locks guard: of each lock, the greatest tokens that have used it. Used by the
 * simulation's thread.
 */
public final class LockRecorder {
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Long, Guarded> guarded = new HashMap<>();

    /** A request on its way. */
    public static final class Entry {
        private final int requester;
        private final int round;
        private final long lock;
        private final LockMode mode;
        private long leaseNanos;
        private final long requestNanos;
        private long grantNanos = LockHistory.NEVER;
        private long upgradeNanos = LockHistory.NEVER;
        private long endNanos = LockHistory.NEVER;
        private LockOutcome outcome;
        private long token = -1;
        private boolean wasLost;
        private final List<Pass> passes = new ArrayList<>();

        private Entry(int requester, int round, long lock, LockMode mode, long requestNanos) {
            this.requester = requester;
            this.round = round;
            this.lock = lock;
            this.mode = mode;
            this.requestNanos = requestNanos;
        }

        /** The lock's number. */
        public long lock() {
            return lock;
        }

        /** What the lock is wanted for. */
        public LockMode mode() {
            return mode;
        }

        /** The lock is held. */
        public void granted(long nanos, long newToken, long leaseLeftNanos) {
            outcome = LockOutcome.GRANTED;
            leaseNanos = leaseLeftNanos;
            grantNanos = nanos;
            token = newToken;
        }

        /** It is not, and will not be. */
        public void failed(LockOutcome how) {
            outcome = how;
        }

        /** It is held alone. */
        public void upgraded(long nanos, long newToken, long leaseLeftNanos) {
            leaseNanos = leaseLeftNanos;
            upgradeNanos = nanos;
            token = newToken;
        }

        /** Whether its manager gives out tokens. */
        public boolean hasToken() {
            return token >= 0;
        }

        /** Whether it is held alone. */
        public boolean mayWrite() {
            return mode == LockMode.EXCLUSIVE || upgradeNanos != LockHistory.NEVER;
        }

        /** Its release begins. */
        public void ended(long nanos) {
            endNanos = nanos;
        }

        /** It turned out to be lost when it was granted. */
        public void lost() {
            wasLost = true;
        }

        private Request request() {
            return new Request(
                    requester,
                    round,
                    lock,
                    mode,
                    leaseNanos,
                    requestNanos,
                    grantNanos,
                    upgradeNanos,
                    endNanos,
                    outcome,
                    token,
                    wasLost,
                    passes);
        }
    }

    /** What a lock guards: it lets no token pass that is smaller than one that has passed and conflicts. */
    private static final class Guarded {
        private long greatest = -1;
        private long greatestWriter = -1;
    }

    /** A lock is asked for. */
    public Entry request(int requester, int round, long lock, LockMode mode, long nanos) {
        Entry entry = new Entry(requester, round, lock, mode, nanos);
        entries.add(entry);
        return entry;
    }

    /** Uses what a lock guards, at once. */
    public void use(Entry entry, boolean isWrite, long nanos) {
        Guarded memory = guarded.computeIfAbsent(entry.lock, _ -> new Guarded());
        long limit = isWrite ? memory.greatest : memory.greatestWriter;
        boolean isAccepted = entry.token >= limit;
        if (isAccepted) {
            memory.greatest = Math.max(memory.greatest, entry.token);
            memory.greatestWriter = isWrite ? Math.max(memory.greatestWriter, entry.token) : memory.greatestWriter;
        }
        entry.passes.add(new Pass(nanos, isWrite, isAccepted));
    }

    /** How many were granted. */
    public int granted() {
        return (int) entries.stream()
                .filter(entry -> entry.grantNanos != LockHistory.NEVER)
                .count();
    }

    /** All requests so far. */
    public List<Request> requests() {
        return entries.stream().map(Entry::request).toList();
    }
}
