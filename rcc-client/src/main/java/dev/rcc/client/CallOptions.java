package dev.rcc.client;

import java.time.Duration;
import java.util.Objects;

/**
 * How long and how often a transaction is tried. Immutable.
 *
 * @param deadline time for all attempts together, more than 0 and at most a day
 * @param maxAttempts most attempts, at least 1
 * @param baseBackoff longest wait before the second attempt; it doubles with every other one
 * @param maxBackoff longest wait before any attempt
 * @param near a record at whose node it is best begun; null if any node will do
 */
public record CallOptions(Duration deadline, int maxAttempts, Duration baseBackoff, Duration maxBackoff, Near near) {
    /** Five seconds, 32 attempts, waits of at most 1 ms at first and 100 ms at last. */
    public static final CallOptions DEFAULT =
            new CallOptions(Duration.ofSeconds(5), 32, Duration.ofMillis(1), Duration.ofMillis(100));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when one of them is not allowed, with its name and what was given
     */
    public CallOptions {
        Objects.requireNonNull(baseBackoff, "baseBackoff");
        if (deadline.isNegative() || deadline.isZero() || deadline.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("deadline must be more than 0 and at most a day, got " + deadline);
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1, got " + maxAttempts);
        }
        if (baseBackoff.isNegative() || maxBackoff.compareTo(baseBackoff) < 0) {
            throw new IllegalArgumentException(
                    "backoffs must be 0 <= base <= max, got " + baseBackoff + " and " + maxBackoff);
        }
    }

    /**
     * Options of what may begin at any node.
     *
     * @param deadline time for all attempts together, more than 0 and at most a day
     * @param maxAttempts most attempts, at least 1
     * @param baseBackoff longest wait before the second attempt; it doubles with every other one
     * @param maxBackoff longest wait before any attempt
     */
    public CallOptions(Duration deadline, int maxAttempts, Duration baseBackoff, Duration maxBackoff) {
        this(deadline, maxAttempts, baseBackoff, maxBackoff, null);
    }

    /**
     * {@return these options for what has most to do with one record} It begins at the node that has the record, if the client can reach that
     * node's gateway, and takes fewer trips between nodes then. A hint and no more: it may touch any records, and has the same effect wherever it
     * begins.
     *
     * @param <K> what the program calls a key
     * @param table where the record is
     * @param key the record's key, not null; there need not be a record
     */
    public <K> CallOptions near(Table<K, ?> table, K key) {
        return near(new Near(table.name(), table.keys().encode(key)));
    }

    /** These options near a record. */
    CallOptions near(Near record) {
        return new CallOptions(deadline, maxAttempts, baseBackoff, maxBackoff, record);
    }

    /**
     * {@return these options with another deadline}
     *
     * @param newDeadline time for all attempts together, more than 0 and at most a day
     */
    public CallOptions withDeadline(Duration newDeadline) {
        return new CallOptions(newDeadline, maxAttempts, baseBackoff, maxBackoff, near);
    }

    /**
     * {@return these options with another number of attempts}
     *
     * @param newMaxAttempts most attempts, at least 1; with 1 nothing is tried again
     */
    public CallOptions withMaxAttempts(int newMaxAttempts) {
        return new CallOptions(deadline, newMaxAttempts, baseBackoff, maxBackoff, near);
    }

    /**
     * {@return these options with other waits between attempts} Each wait is drawn at random, from none to the longest that is allowed there.
     *
     * @param newBase longest wait before the second attempt, 0 or more
     * @param newMax longest wait before any attempt, at least {@code newBase}
     */
    public CallOptions withBackoff(Duration newBase, Duration newMax) {
        return new CallOptions(deadline, maxAttempts, newBase, newMax, near);
    }
}
