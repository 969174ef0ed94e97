package dev.rcc.protocols.mvcc;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.protocols.optimistic.LockTime;
import java.util.List;

/**
 * The options of MVCC.
 *
 * @param versions how many versions of each record are kept, the current one included, 1 to {@link #MAX_VERSIONS}: fewer
 *     save memory, more save late readers from aborting (rcc, 4.4)
 * @param adjustsClocks whether a coroutine moves its clock past each later timestamp that it meets (rcc, 4.4)
 * @param pendingWaits how often a reader waits for an earlier writer that has not finished, some microseconds each, before
 *     it aborts, 0 to {@link #MAX_PENDING_WAITS}; 0 to abort at once
 * @param lockTime when written records are locked
 */
public record MvccOptions(int versions, boolean adjustsClocks, int pendingWaits, LockTime lockTime) {
    /** Most versions of a record. */
    public static final int MAX_VERSIONS = TupleLayout.MAX_HISTORY_SLOTS + 1;
    /** Most waits for an earlier writer. */
    public static final int MAX_PENDING_WAITS = 1_000_000;
    /** Four versions, as in the paper; clocks are adjusted; a reader waits a while; locks are taken when transactions commit. */
    public static final MvccOptions DEFAULT = new MvccOptions(4, true, 20);

    private static final String YES = "yes";

    private static final Option VERSIONS = Option.integer(
                    "mvcc.versions",
                    DEFAULT.versions,
                    1,
                    MAX_VERSIONS,
                    "versions",
                    "versions of a record that are kept")
            .withSamples("1", "2", "4", "7");
    private static final Option CLOCKS = Option.choice(
                    "mvcc.adjust-clocks",
                    YES,
                    List.of(YES, "no"),
                    "whether a coroutine's clock advances past later timestamps that it reads")
            .withSamples(YES, "no");
    private static final Option PENDING = Option.integer(
                    "mvcc.pending-waits",
                    DEFAULT.pendingWaits,
                    0,
                    MAX_PENDING_WAITS,
                    "waits",
                    "how often a reader waits for an earlier writer before it aborts")
            .withSamples("0", "1", "20");
    private static final Option LOCKS = LockTime.option("mvcc", "access", "access", "commit", "adaptive");

    /** The options that users can set. */
    static final List<Option> OPTIONS = List.of(VERSIONS, CLOCKS, PENDING, LOCKS);

    /** The values that users have chosen. */
    static MvccOptions of(OptionValues values) {
        return new MvccOptions(
                values.intValue(VERSIONS),
                values.text(CLOCKS).equals(YES),
                values.intValue(PENDING),
                LockTime.of(values, LOCKS));
    }

    /** Options with locks that are taken when transactions commit. */
    public MvccOptions(int versions, boolean adjustsClocks, int pendingWaits) {
        this(versions, adjustsClocks, pendingWaits, LockTime.COMMIT);
    }

    /** Checks the ranges. */
    public MvccOptions {
        check("versions", versions, 1, MAX_VERSIONS);
        check("pendingWaits", pendingWaits, 0, MAX_PENDING_WAITS);
    }

    private static void check(String what, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException("mvcc: " + what + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
