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
 * The requests of a trial, and the memory that their locks guard: for each lock, the greatest tokens that have used it. Used by the
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

        /** The requested mode. */
        public LockMode mode() {
            return mode;
        }

        /** The lock was granted. */
        public void granted(long nanos, long newToken, long leaseLeftNanos) {
            outcome = LockOutcome.GRANTED;
            leaseNanos = leaseLeftNanos;
            grantNanos = nanos;
            token = newToken;
        }

        /** The lock was not granted, and will not be. */
        public void failed(LockOutcome how) {
            outcome = how;
        }

        /** The update lock was upgraded: it is held alone. */
        public void upgraded(long nanos, long newToken, long leaseLeftNanos) {
            leaseNanos = leaseLeftNanos;
            upgradeNanos = nanos;
            token = newToken;
        }

        /** Whether it has a token: it was granted by a manager with tokens. */
        public boolean hasToken() {
            return token >= 0;
        }

        /** Whether the lock is held alone. */
        public boolean mayWrite() {
            return mode == LockMode.EXCLUSIVE || upgradeNanos != LockHistory.NEVER;
        }

        /** The release of the lock begins. */
        public void ended(long nanos) {
            endNanos = nanos;
        }

        /** A check right after the grant found the lock lost. */
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

    /** The data that a lock guards: it rejects a token that is smaller than a conflicting one that it has accepted. */
    private static final class Guarded {
        private long greatest = -1;
        private long greatestWriter = -1;
    }

    /** Records a request for a lock. */
    public Entry request(int requester, int round, long lock, LockMode mode, long nanos) {
        Entry entry = new Entry(requester, round, lock, mode, nanos);
        entries.add(entry);
        return entry;
    }

    /** Uses the guarded data of a lock, at once. */
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

    /** Number of granted requests. */
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
