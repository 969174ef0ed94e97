package dev.rcc.client;

import java.time.Duration;
import java.util.Objects;

/**
 * How long and how often a client tries a transaction or a procedure call. Immutable.
 *
 * @param deadline the time for all attempts together, more than 0 and at most a day
 * @param maxAttempts the most attempts, at least 1
 * @param baseBackoff the longest wait before the second attempt, 0 or more; it doubles with each further attempt
 * @param maxBackoff the longest wait before any attempt, at least {@code baseBackoff} and at most a day
 * @param near a record at whose node the transaction best begins; null for any node
 */
public record CallOptions(Duration deadline, int maxAttempts, Duration baseBackoff, Duration maxBackoff, Near near) {
    /** A deadline of five seconds, 32 attempts, and waits of at most 1 ms at first and 100 ms at last. */
    public static final CallOptions DEFAULT =
            new CallOptions(Duration.ofSeconds(5), 32, Duration.ofMillis(1), Duration.ofMillis(100));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when a number is not allowed; the message has its name and the given value
     */
    public CallOptions {
        Objects.requireNonNull(baseBackoff, "baseBackoff");
        Timeouts.checkPositive("deadline", deadline);
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1, got " + maxAttempts);
        }
        if (baseBackoff.isNegative()
                || maxBackoff.compareTo(baseBackoff) < 0
                || maxBackoff.compareTo(Timeouts.MAX) > 0) {
            throw new IllegalArgumentException(
                    "backoffs must be 0 <= base <= max <= a day, got " + baseBackoff + " and " + maxBackoff);
        }
    }

    /**
     * Creates options for a transaction that may begin at any node.
     *
     * @param deadline the time for all attempts together, more than 0 and at most a day
     * @param maxAttempts the most attempts, at least 1
     * @param baseBackoff the longest wait before the second attempt, 0 or more; it doubles with each further attempt
     * @param maxBackoff the longest wait before any attempt, at least {@code baseBackoff} and at most a day
     */
    public CallOptions(Duration deadline, int maxAttempts, Duration baseBackoff, Duration maxBackoff) {
        this(deadline, maxAttempts, baseBackoff, maxBackoff, null);
    }

    /**
     * {@return these options for a transaction that mostly concerns one record} It begins at the node that has the record, if the client can reach
     * that node's gateway, and then takes fewer trips between nodes. This is a hint: the transaction may touch any records, and has the same effect
     * wherever it begins.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key, not null; the record need not exist
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
     * @param newDeadline the time for all attempts together, more than 0 and at most a day
     */
    public CallOptions withDeadline(Duration newDeadline) {
        return new CallOptions(newDeadline, maxAttempts, baseBackoff, maxBackoff, near);
    }

    /**
     * {@return these options with another number of attempts}
     *
     * @param newMaxAttempts the most attempts, at least 1; with 1 nothing is tried again
     */
    public CallOptions withMaxAttempts(int newMaxAttempts) {
        return new CallOptions(deadline, newMaxAttempts, baseBackoff, maxBackoff, near);
    }

    /**
     * {@return these options with other waits between attempts} Each wait is drawn at random, from 0 to the longest wait that is allowed before that
     * attempt.
     *
     * @param newBase the longest wait before the second attempt, 0 or more
     * @param newMax the longest wait before any attempt, at least {@code newBase} and at most a day
     */
    public CallOptions withBackoff(Duration newBase, Duration newMax) {
        return new CallOptions(deadline, maxAttempts, newBase, newMax, near);
    }
}
