package dev.rcc.protocols.locking;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/**
 * What can be chosen about two-phase locking, whatever its rules. The defaults are what runs best; the other values are what RCC's authors have
 * measured (rcc, 4.1 to 4.3, and their public code).
 *
 * @param reads the mode in which a record is locked that is only read: shared or exclusive
 * @param isOneByOne whether records are locked and fetched one after the other, in a round trip each, and not all that are known at once
 * @param isReadApart whether a one-sided READ of a record is posted when its lock is held, and not in one doorbell batch with the CAS that locks it
 * @param isLogAcknowledged whether backups acknowledge the log by an RPC, once it is there
 */
public record LockingOptions(LockMode reads, boolean isOneByOne, boolean isReadApart, boolean isLogAcknowledged) {
    /** Reads share their locks, one round trip locks all that is known, and one logs. */
    public static final LockingOptions DEFAULT = new LockingOptions(LockMode.SHARED, false, false, false);

    private static final String SHARED = "shared";
    private static final String EXCLUSIVE = "exclusive";
    private static final String TOGETHER = "together";
    private static final String ONE_BY_ONE = "one-by-one";
    private static final String BATCHED = "batched";
    private static final String SINGLE = "single";
    private static final String WRITTEN = "written";
    private static final String ACKNOWLEDGED = "acknowledged";

    /** What users can choose about the protocol of this name, with which the keys begin. */
    public static List<Option> options(String protocol) {
        return List.of(reads(protocol), fetches(protocol), doorbell(protocol), log(protocol));
    }

    /** As users have chosen for the protocol of this name. */
    public static LockingOptions of(String protocol, OptionValues values) {
        return new LockingOptions(
                values.text(reads(protocol)).equals(EXCLUSIVE) ? LockMode.EXCLUSIVE : LockMode.SHARED,
                values.text(fetches(protocol)).equals(ONE_BY_ONE),
                values.text(doorbell(protocol)).equals(SINGLE),
                values.text(log(protocol)).equals(ACKNOWLEDGED));
    }

    private static Option reads(String protocol) {
        return choice(
                protocol + ".reads", SHARED, EXCLUSIVE, "how a record is locked that is only read; exclusive is RCC's");
    }

    private static Option fetches(String protocol) {
        return choice(
                protocol + ".fetches",
                TOGETHER,
                ONE_BY_ONE,
                "whether one round trip locks all records that are known, or each takes its own, as in RCC");
    }

    private static Option doorbell(String protocol) {
        return choice(
                protocol + ".doorbell",
                BATCHED,
                SINGLE,
                "whether one-sided locking posts the CAS and the READ of a record at once, as in RCC, or the READ when the"
                        + " lock is held");
    }

    private static Option log(String protocol) {
        return choice(
                protocol + ".log",
                WRITTEN,
                ACKNOWLEDGED,
                "whether a transaction is logged when its backups have it, or when they have also replied to an RPC about"
                        + " it, as in RCC's code");
    }

    /** One of two values, of which a hunt for anomalies draws the usual one twice as often. */
    private static Option choice(String key, String usual, String other, String description) {
        return Option.choice(key, usual, List.of(usual, other), description).withLaterSamples(usual, usual, other);
    }
}
