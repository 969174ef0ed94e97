package dev.rcc.server.durability;

import java.util.concurrent.atomic.AtomicLong;

/** The costs of a node's durability so far. May be read on any thread. */
public final class DurabilityCounters {
    private final AtomicLong forces = new AtomicLong();
    private final AtomicLong forceNanos = new AtomicLong();
    private final AtomicLong walBytes = new AtomicLong();
    private final AtomicLong snapshots = new AtomicLong();
    private final AtomicLong failedSnapshots = new AtomicLong();
    private final AtomicLong snapshotBytes = new AtomicLong();
    private final AtomicLong snapshotNanos = new AtomicLong();

    /** How often the log was forced to disk. */
    public long forces() {
        return forces.get();
    }

    /** Time that forcing the log has taken, in nanoseconds. */
    public long forceNanos() {
        return forceNanos.get();
    }

    /** Bytes written to the log. */
    public long walBytes() {
        return walBytes.get();
    }

    /** Snapshots that were completed. */
    public long snapshots() {
        return snapshots.get();
    }

    /** Snapshots that failed; the log stays as it is. */
    public long failedSnapshots() {
        return failedSnapshots.get();
    }

    /** Bytes written to snapshots. */
    public long snapshotBytes() {
        return snapshotBytes.get();
    }

    /** Time that snapshots have taken, in nanoseconds. */
    public long snapshotNanos() {
        return snapshotNanos.get();
    }

    void forced(long bytes, long nanos) {
        forces.incrementAndGet();
        walBytes.addAndGet(bytes);
        forceNanos.addAndGet(nanos);
    }

    void snapshotFailed() {
        failedSnapshots.incrementAndGet();
    }

    void snapshot(long bytes, long nanos) {
        snapshots.incrementAndGet();
        snapshotBytes.addAndGet(bytes);
        snapshotNanos.addAndGet(nanos);
    }
}
