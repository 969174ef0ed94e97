package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import java.util.stream.LongStream;

/**
 * Seeds that count up from a first one. Immutable.
 *
 * @param first the first seed
 * @param count number of seeds, at least 1
 */
record SeedRange(long first, long count) {
    /**
     * The seeds of a command.
     *
     * @param seed the option of the first seed
     * @param counter the option of the number of seeds
     * @throws IllegalArgumentException when the last seed would be greater than the greatest seed; the message has the greatest first seed
     */
    static SeedRange of(Option seed, long first, Option counter, long count) {
        long greatest = Long.MAX_VALUE - (count - 1);
        if (first > greatest) {
            throw new IllegalArgumentException(seed + ": got '" + first + "', allowed: at most " + greatest + ", as "
                    + counter + " is " + count + " and no seed is greater than " + Long.MAX_VALUE);
        }
        return new SeedRange(first, count);
    }

    long last() {
        return first + (count - 1);
    }

    /** All seeds, in ascending order. */
    LongStream stream() {
        return LongStream.rangeClosed(first, last());
    }
}
