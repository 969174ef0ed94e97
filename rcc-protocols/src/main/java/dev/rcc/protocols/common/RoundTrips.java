package dev.rcc.protocols.common;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.Transaction;
import java.util.List;

/**
 * Whether a transaction takes round trips that it could do without. RCC's authors have measured protocols that take them (their public code), which is what
 * the other values are for.
 *
 * @param isOneByOne whether records are fetched, and locked if they are locked when they are accessed, one after the other, in a round trip each, and not
 *     all that are known at once
 * @param isLogAcknowledged whether backups acknowledge the log by an RPC, once it is there
 */
public record RoundTrips(boolean isOneByOne, boolean isLogAcknowledged) {
    /** One round trip fetches all that is known, and one logs. */
    public static final RoundTrips FEWEST = new RoundTrips(false, false);

    private static final String TOGETHER = "together";
    private static final String ONE_BY_ONE = "one-by-one";
    private static final String WRITTEN = "written";
    private static final String ACKNOWLEDGED = "acknowledged";

    /** What users can choose about the protocol of this name, with which the keys begin. */
    public static List<Option> options(String protocol) {
        return List.of(fetches(protocol), log(protocol));
    }

    /** As users have chosen for the protocol of this name. */
    public static RoundTrips of(String protocol, OptionValues values) {
        return new RoundTrips(
                values.text(fetches(protocol)).equals(ONE_BY_ONE),
                values.text(log(protocol)).equals(ACKNOWLEDGED));
    }

    /** How many records a round trip fetches at most. */
    public int fetchedAtOnce() {
        return isOneByOne ? 1 : Integer.MAX_VALUE;
    }

    /** The log stage of a coroutine's transaction, which has this number in the protocol. */
    public LogStage logStage(WorkerContext context, Transaction txn, int stage) {
        LogStage log = context.logStage(txn, stage);
        return isLogAcknowledged ? log.acknowledged() : log;
    }

    /** Whether records are fetched one by one, as an option of the protocol of this name. */
    public static Option fetches(String protocol) {
        return Option.either(
                protocol + ".fetches",
                TOGETHER,
                ONE_BY_ONE,
                "whether one round trip fetches all records that are known, or each takes its own, as in RCC's code");
    }

    /** Whether the log is acknowledged, as an option of the protocol of this name. */
    public static Option log(String protocol) {
        return Option.either(
                protocol + ".log",
                WRITTEN,
                ACKNOWLEDGED,
                "whether a transaction is logged when its backups have it, or when they have also replied to an RPC about"
                        + " it, as in RCC's code");
    }
}
