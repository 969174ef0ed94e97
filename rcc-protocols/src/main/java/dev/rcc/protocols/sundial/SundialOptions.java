package dev.rcc.protocols.sundial;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.LockTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * The options of SUNDIAL.
 *
 * @param conflicts the rule for two transactions that want to write the same record
 * @param lockTime when written records are locked
 * @param renewsEarly whether the leases of the reads are renewed before the procedure executes, if its writes are locked by then: a lease that cannot
 *     be renewed costs less then. RCC's authors have measured YCSB so (their public code)
 * @param trips the round trips that a transaction could do without
 */
public record SundialOptions(WriteConflict conflicts, LockTime lockTime, boolean renewsEarly, RoundTrips trips) {
    /** Wait-die, as in its paper; locks when transactions commit, and renews leases then. */
    public static final SundialOptions DEFAULT =
            new SundialOptions(WriteConflict.WAIT_DIE, LockTime.COMMIT, false, RoundTrips.FEWEST);

    private static final String EXECUTE = "execute";

    /** Where the hunt's first draws leave the default, with wait-die, it draws a value later. */
    private static final Option LOCKS =
            LockTime.option(Sundial.NAME, "access", "commit").withLaterSamples("commit", "adaptive", "access");

    private static final Option RENEWS = Option.either(
            Sundial.NAME + ".renews",
            "commit",
            EXECUTE,
            "when leases are renewed: when the transaction commits, or before its procedure executes (only if records"
                    + " are locked when they are accessed)");

    /** The options that users can set. */
    static final List<Option> OPTIONS = Stream.concat(
                    Stream.of(WriteConflict.OPTION, LOCKS, RENEWS), RoundTrips.options(Sundial.NAME).stream())
            .toList();

    /** The values that users have chosen. */
    static SundialOptions of(OptionValues values) {
        return new SundialOptions(
                WriteConflict.of(values),
                LockTime.of(values, LOCKS),
                values.text(RENEWS).equals(EXECUTE),
                RoundTrips.of(Sundial.NAME, values));
    }
}
