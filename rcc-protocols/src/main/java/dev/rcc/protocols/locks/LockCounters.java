package dev.rcc.protocols.locks;

/** The counters of a worker's lock managers since the worker began. Used on that worker; another thread may read the sums when it rests. */
public final class LockCounters {
    /** Locks that were granted. */
    public long grants;
    /** Locks that were granted after a wait. */
    public long waits;
    /** Rounds that failed because a lock was lost. */
    public long lost;
    /** Rounds that were not granted in time. */
    public long timeouts;
    /** Queues that were moved on past holders that seemed dead, deadlocked or overtaken. */
    public long resets;
    /** Counters that were set to zero before they could overflow. */
    public long zeroings;
    /** Releases that came after a reset, or that may have. */
    public long lateReleases;
    /** READs. */
    public long reads;
    /** WRITEs. */
    public long writes;
    /** CASs and FETCH_ADDs. */
    public long atomics;
    /** Messages of two-sided schemes: calls and their replies. */
    public long messages;

    /** Adds another worker's counters. */
    public void add(LockCounters other) {
        grants += other.grants;
        waits += other.waits;
        lost += other.lost;
        timeouts += other.timeouts;
        resets += other.resets;
        zeroings += other.zeroings;
        lateReleases += other.lateReleases;
        reads += other.reads;
        writes += other.writes;
        atomics += other.atomics;
        messages += other.messages;
    }
}
