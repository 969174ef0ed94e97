package dev.rcc.bench.paper;

/**
 * A quantity that a run measures.
 *
 * @param name the name in JSON
 * @param unit the unit in reports
 */
public record Quantity(String name, String unit) {
    /** Committed transactions per second. */
    public static final Quantity THROUGHPUT = new Quantity("committed_per_s", "/s");
    /** The mean latency of committed transactions, from the start of their first attempt. */
    public static final Quantity LATENCY_MEAN = new Quantity("latency_mean_us", "us");
    /** The median of this latency. */
    public static final Quantity LATENCY_P50 = new Quantity("latency_p50_us", "us");
    /** The 90th percentile of this latency. */
    public static final Quantity LATENCY_P90 = new Quantity("latency_p90_us", "us");
    /** The 99th percentile of this latency. */
    public static final Quantity LATENCY_P99 = new Quantity("latency_p99_us", "us");
    /** The 99.9th percentile of this latency. */
    public static final Quantity LATENCY_P999 = new Quantity("latency_p999_us", "us");
    /** The share of the attempts that aborted, 0 to 1. */
    public static final Quantity ABORT_RATE = new Quantity("abort_rate", "of the attempts");
    /** Sequential round trips, those of aborted attempts included, for each committed transaction. */
    public static final Quantity ROUND_TRIPS = new Quantity("round_trips_per_txn", "per transaction");

    /**
     * One-sided verbs (READ, WRITE, CAS, FETCH_ADD) for each committed transaction: those of aborted attempts and to the own node
     * included.
     */
    public static final Quantity VERBS = new Quantity("verbs_per_txn", "per transaction");
    /** Calls for each committed transaction: those of aborted attempts and to the own node included. */
    public static final Quantity CALLS = new Quantity("calls_per_txn", "per transaction");
    /**
     * Bytes between nodes for each committed transaction, those of aborted attempts included, as far as the network counts them: {@code
     * sim} counts payloads, {@code tcp} all bytes of its sockets, other networks nothing.
     */
    public static final Quantity BYTES = new Quantity("bytes_per_txn", "bytes per transaction");

    /** Resets: the queue of a lock was advanced past holders that seemed dead, deadlocked or overtaken. */
    public static final Quantity RESETS = new Quantity("resets_per_s", "/s");
    /** Resets of a lock's counters to zero before they could overflow. */
    public static final Quantity ZEROINGS = new Quantity("zeroings_per_s", "/s");
    /** READs, WRITEs, CASs, FETCH_ADDs, calls and their replies for each lock that was granted. */
    public static final Quantity REQUESTS_PER_LOCK = new Quantity("requests_per_lock", "per lock");
    /** CASs and FETCH_ADDs as a share of the number that the NICs could execute, 0 to 1. */
    public static final Quantity ATOMICS_SHARE = new Quantity("atomics_share", "of the NICs' atomics");
    /** All requests as a share of the number of small READs that the NICs could execute, 0 to 1. */
    public static final Quantity NIC_SHARE = new Quantity("nic_share", "of the NICs' requests");
    /** The time-out of a lock manager without resets: the best of several. */
    public static final Quantity TIMEOUT = new Quantity("timeout_us", "us");

    /**
     * The share of the attempts that aborted for a reason, 0 to 1.
     *
     * @param reason the reason as in reports, in lower case with hyphens
     */
    public static Quantity aborts(String reason) {
        return new Quantity("aborts_" + reason.replace('-', '_'), "of the attempts");
    }

    /** The mean time of a stage, if transactions passed through it. */
    public static Quantity stage(String name) {
        return new Quantity("stage_" + name.replace('-', '_') + "_mean_us", "us");
    }
}
