package dev.rcc.protocols.sundial;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.LockTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * What can be chosen about SUNDIAL.
 *
 * @param conflicts what happens when two transactions want to write the same
 * @param lockTime when what is written is locked
 * @param renewsEarly whether the leases of what was read are renewed before the procedure executes, if what it writes is locked by then: a lease that
 *     cannot be renewed costs less then. RCC's authors have measured YCSB so (their public code)
 * @param trips the round trips that a transaction could do without
 */
public record SundialOptions(WriteConflict conflicts, LockTime lockTime, boolean renewsEarly, RoundTrips trips) {
    /** Wait-die, as in its paper; locks when transactions commit, and renews leases then. */
    public static final SundialOptions DEFAULT =
            new SundialOptions(WriteConflict.WAIT_DIE, LockTime.COMMIT, false, RoundTrips.FEWEST);

    private static final String EXECUTE = "execute";

    private static final Option LOCKS = LockTime.option(Sundial.NAME, "access", "commit");
    private static final Option RENEWS = Option.either(
            Sundial.NAME + ".renews",
            "commit",
            EXECUTE,
            "when leases are renewed: when the transaction commits, or before its procedure executes, where what is"
                    + " written is locked when it is accessed");

    /** What users can choose. */
    static final List<Option> OPTIONS = Stream.concat(
                    Stream.of(WriteConflict.OPTION, LOCKS, RENEWS), RoundTrips.options(Sundial.NAME).stream())
            .toList();

    /** As users have chosen. */
    static SundialOptions of(OptionValues values) {
        return new SundialOptions(
                WriteConflict.of(values),
                LockTime.of(values, LOCKS),
                values.text(RENEWS).equals(EXECUTE),
                RoundTrips.of(Sundial.NAME, values));
    }
}
