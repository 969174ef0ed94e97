package dev.rcc.protocols.locking;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.protocols.common.RoundTrips;
import java.util.List;

/**
 * The options of two-phase locking, under any rules. The defaults run best; the other values are those that RCC's authors have measured (rcc, 4.1
 * to 4.3, and their public code).
 *
 * @param reads the mode in which a record that is only read is locked: shared or exclusive
 * @param isReadApart whether a one-sided READ of a record is posted when its lock is held, and not in one doorbell batch with the CAS that locks it
 * @param trips the round trips that a transaction could do without
 */
public record LockingOptions(LockMode reads, boolean isReadApart, RoundTrips trips) {
    /** Reads share their locks, one round trip locks all known records, and one logs. */
    public static final LockingOptions DEFAULT = new LockingOptions(LockMode.SHARED, false, RoundTrips.FEWEST);

    private static final String SHARED = "shared";
    private static final String EXCLUSIVE = "exclusive";
    private static final String BATCHED = "batched";
    private static final String SINGLE = "single";

    /** The options of the protocol of this name, with which their keys begin. */
    public static List<Option> options(String protocol) {
        return List.of(reads(protocol), RoundTrips.fetches(protocol), doorbell(protocol), RoundTrips.log(protocol));
    }

    /** The values that users have chosen for the protocol of this name. */
    public static LockingOptions of(String protocol, OptionValues values) {
        return new LockingOptions(
                values.text(reads(protocol)).equals(EXCLUSIVE) ? LockMode.EXCLUSIVE : LockMode.SHARED,
                values.text(doorbell(protocol)).equals(SINGLE),
                RoundTrips.of(protocol, values));
    }

    private static Option reads(String protocol) {
        return Option.either(
                protocol + ".reads",
                SHARED,
                EXCLUSIVE,
                "lock mode of records that are only read; RCC's code uses exclusive");
    }

    private static Option doorbell(String protocol) {
        return Option.either(
                protocol + ".doorbell",
                BATCHED,
                SINGLE,
                "whether one-sided locking posts the CAS and the READ of a record at once, as in RCC, or the READ when the"
                        + " lock is held");
    }
}
