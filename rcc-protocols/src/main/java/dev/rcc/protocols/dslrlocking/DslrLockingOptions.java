package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import java.util.List;

/**
 * The protocol's options.
 *
 * @param manager the lock manager of the lock stage
 * @param terms the terms of the tickets; other managers take their times from them
 * @param trustsLeases whether a transaction commits by its tickets alone, as in the paper: not safe
 */
record DslrLockingOptions(Manager manager, DslrTerms terms, boolean trustsLeases) {
    private static final double MILLI = 1_000_000;
    private static final double MICRO = 1_000;
    private static final String YES = "yes";
    private static final String NO = "no";

    /** The paper's values; transactions are guarded. */
    static final DslrLockingOptions DEFAULT = new DslrLockingOptions(Manager.DSLR, DslrTerms.DEFAULT, false);

    private static final Option LEASE = Option.decimal(
                    "dslr.lease-ms",
                    DEFAULT.terms.leaseNanos() / MILLI,
                    0.01,
                    60_000,
                    "milliseconds",
                    "how long a ticket may hold its lock; after two leases without a change its holder counts as dead")
            .withSamples("1", "10", "10");
    private static final Option POLLING = Option.decimal(
                    "dslr.poll-us",
                    DEFAULT.terms.pollNanos() / MICRO,
                    0,
                    10_000,
                    "microseconds",
                    "polling interval of a waiter, for each ticket ahead of its own")
            .withSamples("1", "5", "20");
    private static final Option COUNT_MAX = Option.integer(
                    "dslr.count-max",
                    1 << 15,
                    1,
                    1 << 15,
                    "tickets",
                    "number of tickets after which a lock's counters are set to zero")
            .withSamples("64", "1024", "32768", "32768");
    private static final Option TRUST = Option.choice(
            "dslr.trust-leases",
            NO,
            List.of(YES, NO),
            "whether transactions commit by their tickets alone, as in the paper; NOT SAFE if a pause outlasts a lease");

    private static final Option MANAGER = Option.choice(
                    "dslr.manager",
                    DEFAULT.manager,
                    Manager.values(),
                    "the lock manager of the lock stage: DSLR's tickets, or a lock manager with which the paper"
                            + " compares them")
            .withLaterSamples(
                    "dslr",
                    "dslr",
                    "dslr",
                    "dslr",
                    "dslr",
                    "traditional",
                    "traditional-ro",
                    "drtm",
                    "retry-on-fail",
                    "n-cosed");

    /** The options that users can choose. */
    static final List<Option> OPTIONS = List.of(LEASE, POLLING, COUNT_MAX, TRUST, MANAGER);

    /** The options with the values that users have chosen. */
    static DslrLockingOptions of(OptionValues values) {
        long lease = (long) (values.decimal(LEASE) * MILLI);
        DslrTerms terms = DslrTerms.DEFAULT
                .withLease(lease)
                .withPolling(Math.min((long) (values.decimal(POLLING) * MICRO), lease / 4))
                .withCountMax(values.intValue(COUNT_MAX));
        return new DslrLockingOptions(
                values.choice(MANAGER, Manager.values()),
                terms,
                values.text(TRUST).equals(YES));
    }
}
