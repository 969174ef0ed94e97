package dev.rcc.protocols.locking;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/**
 * What can be chosen about two-phase locking, whatever its rules. The defaults are what runs best; the other values are what RCC's authors have
 * measured (rcc, 4.2 and 4.3).
 *
 * @param reads the mode in which a record is locked that is only read: shared or exclusive
 * @param isOneByOne whether records are locked and fetched one after the other, in a round trip each, and not all that are known at once
 */
public record LockingOptions(LockMode reads, boolean isOneByOne) {
    /** Reads share their locks, and one round trip locks all that is known. */
    public static final LockingOptions DEFAULT = new LockingOptions(LockMode.SHARED, false);

    private static final String SHARED = "shared";
    private static final String EXCLUSIVE = "exclusive";
    private static final String TOGETHER = "together";
    private static final String ONE_BY_ONE = "one-by-one";

    /** What users can choose about the protocol of this name, with which the keys begin. */
    public static List<Option> options(String protocol) {
        return List.of(reads(protocol), fetches(protocol));
    }

    /** As users have chosen for the protocol of this name. */
    public static LockingOptions of(String protocol, OptionValues values) {
        return new LockingOptions(
                values.text(reads(protocol)).equals(EXCLUSIVE) ? LockMode.EXCLUSIVE : LockMode.SHARED,
                values.text(fetches(protocol)).equals(ONE_BY_ONE));
    }

    private static Option reads(String protocol) {
        return Option.choice(
                        protocol + ".reads",
                        SHARED,
                        List.of(SHARED, EXCLUSIVE),
                        "how a record is locked that is only read; exclusive is RCC's")
                .withLaterSamples(SHARED, SHARED, EXCLUSIVE);
    }

    private static Option fetches(String protocol) {
        return Option.choice(
                        protocol + ".fetches",
                        TOGETHER,
                        List.of(TOGETHER, ONE_BY_ONE),
                        "whether one round trip locks all records that are known, or each takes its own, as in RCC")
                .withLaterSamples(TOGETHER, TOGETHER, ONE_BY_ONE);
    }
}
