package dev.rcc.protocols.mvcc;

import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.ReadSet;
import java.util.Arrays;

/**
 * A {@link Reading} for each entry of an attempt's read set, and the parts that the forms of reading share: the adjustment of the
 * clock, and the limits of retries and waits. Reused from attempt to attempt; allocates nothing once it has met the largest attempt.
 */
final class Readings {
    /** How long a reader waits for an earlier writer before it looks again. */
    private static final long WAIT_NANOS = 5_000;
    /** How often other transactions may come in between. */
    private static final int MAX_RETRIES = 64;

    private final Transaction txn;
    private final ReadSet reads;
    private final MvccOptions options;
    private Reading[] readings = {};
    private int size;
    private boolean waiting;

    Readings(Transaction txn, ReadSet reads, MvccOptions options) {
        this.txn = txn;
        this.reads = reads;
        this.options = options;
    }

    void clear() {
        size = 0;
        waiting = false;
    }

    /** Makes entries for the accesses that have none yet, or the first {@code limit} of them, and returns the number of the first. */
    int admitNew(int limit) {
        int first = reads.admitNew(limit);
        if (reads.size() > readings.length) {
            int old = readings.length;
            readings = Arrays.copyOf(readings, Math.max(16, 2 * reads.size()));
            for (int i = old; i < readings.length; i++) {
                readings[i] = new Reading();
            }
        }
        for (size = first; size < reads.size(); size++) {
            readings[size].reset(reads.entry(size));
        }
        return first;
    }

    int size() {
        return size;
    }

    Reading get(int i) {
        assert i < size : i;
        return readings[i];
    }

    int historySlots() {
        return options.versions() - 1;
    }

    /** Moves the coroutine's clock past a timestamp that it has met. */
    void observe(long timestamp) {
        if (options.adjustsClocks()) {
            txn.clock().observe(timestamp);
        }
    }

    /** Another transaction came in between: returns whether to try again. */
    boolean mayTryAgain(Reading reading) {
        return ++reading.retries <= MAX_RETRIES;
    }

    /** There is an earlier writer: returns whether to look again, after {@link #waitIfNeeded}. */
    boolean mayWait(Reading reading) {
        waiting = true;
        return ++reading.waits <= options.pendingWaits();
    }

    /** Waits if some reading has to. No transaction waits for a lock, so no transaction waits for the waiter. */
    void waitIfNeeded() {
        if (waiting) {
            txn.coroutine().sleep(WAIT_NANOS);
        }
        waiting = false;
    }

    /** Whether the transaction comes before {@code timestamp}. */
    boolean isBefore(long timestamp) {
        return Timestamp.isBefore(txn.id(), timestamp);
    }

    /** Whether the lock word shows a writer that comes before the transaction. */
    boolean isPending(long lockWord) {
        return MvccLayout.isPending(lockWord, txn.id());
    }

    /** What a reader makes of an {@code rts}. */
    long raised(long rts) {
        return Timestamp.max(rts, txn.id());
    }

    /**
     * Whether a CAS that expected {@code reading.expectedRts} and has found {@code found} leaves an {@code rts} that is not before
     * the transaction; if not, the next CAS expects the value that was found.
     */
    boolean isRaised(Reading reading, long found) {
        observe(found);
        if (found == reading.expectedRts || !Timestamp.isBefore(found, txn.id())) {
            return true;
        }
        reading.expectedRts = found;
        return false;
    }
}
