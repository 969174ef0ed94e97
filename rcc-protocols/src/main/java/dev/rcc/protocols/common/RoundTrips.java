package dev.rcc.protocols.common;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.Transaction;
import java.util.List;

/**
 * Whether a transaction takes round trips that it could do without. RCC's authors have measured protocols that take them (their public code); the
 * values other than {@link #FEWEST} are for such measurements.
 *
 * @param isOneByOne whether each record is fetched in a round trip of its own, and locked there if the protocol locks records when they are accessed;
 *     otherwise one round trip fetches all known records
 * @param isLogAcknowledged whether backups acknowledge the log by an RPC, once it is there
 */
public record RoundTrips(boolean isOneByOne, boolean isLogAcknowledged) {
    /** One round trip fetches all known records, and one logs. */
    public static final RoundTrips FEWEST = new RoundTrips(false, false);

    private static final String TOGETHER = "together";
    private static final String ONE_BY_ONE = "one-by-one";
    private static final String WRITTEN = "written";
    private static final String ACKNOWLEDGED = "acknowledged";

    /** The options of the protocol of this name, with which their keys begin. */
    public static List<Option> options(String protocol) {
        return List.of(fetches(protocol), log(protocol));
    }

    /** The round trips that users have chosen for the protocol of this name. */
    public static RoundTrips of(String protocol, OptionValues values) {
        return new RoundTrips(
                values.text(fetches(protocol)).equals(ONE_BY_ONE),
                values.text(log(protocol)).equals(ACKNOWLEDGED));
    }

    /** How many records a round trip fetches at most. */
    public int fetchedAtOnce() {
        return isOneByOne ? 1 : Integer.MAX_VALUE;
    }

    /** The log stage of a coroutine's transaction; {@code stage} is its number in the protocol. */
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
                "whether one round trip fetches all known records, or each record takes its own round trip, as in RCC's"
                        + " code");
    }

    /** Whether the log is acknowledged, as an option of the protocol of this name. */
    public static Option log(String protocol) {
        return Option.either(
                protocol + ".log",
                WRITTEN,
                ACKNOWLEDGED,
                "whether a transaction counts as logged once its backups have its log entry, or once they have also"
                        + " acknowledged it by an RPC, as in RCC's code");
    }
}
