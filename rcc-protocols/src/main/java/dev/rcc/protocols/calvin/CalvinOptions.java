package dev.rcc.protocols.calvin;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/**
 * CALVIN's options. An epoch closes when its oldest transaction has waited for {@code epochNanos}, when it holds
 * {@code epochTransactions}, or when a peer has closed it already, whichever is first.
 *
 * @param epochNanos how long a transaction waits for company in its epoch, in nanoseconds, 0 to a second
 * @param epochTransactions most transactions that one worker contributes to an epoch, at least 1
 * @param batchBytes room for their inputs at least, a multiple of 64 from 1 KiB to 16 MiB; bounds the inputs of one transaction. Where
 *     coroutines have large buffers there is more room ({@link CalvinLayout})
 * @param execution the place where a transaction runs whose code all nodes have
 */
public record CalvinOptions(long epochNanos, int epochTransactions, int batchBytes, Execution execution) {
    /** 10 us, 64 transactions, 16 KiB, at the participants. */
    public static final CalvinOptions DEFAULT = new CalvinOptions(10_000, 64, 16 * 1024);

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MAX_EPOCH_NANOS = 1_000_000_000L;
    private static final int MIN_BATCH_BYTES = 1024;
    private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;
    /** A batch is one message: most networks carry no longer ones. */
    private static final int MAX_CHOSEN_BATCH_BYTES = 64 * 1024;

    private static final int LINE_BYTES = 64;

    private static final Option EPOCH = Option.decimal(
                    "calvin.epoch-us",
                    (double) DEFAULT.epochNanos / NANOS_PER_MICRO,
                    0,
                    (double) MAX_EPOCH_NANOS / NANOS_PER_MICRO,
                    "microseconds",
                    "how long a transaction waits for others before its epoch closes")
            .withSamples("0", "2", "100");
    private static final Option TRANSACTIONS = Option.integer(
                    "calvin.epoch-transactions",
                    DEFAULT.epochTransactions,
                    1,
                    1_000_000,
                    "transactions",
                    "most transactions of a worker in an epoch")
            .withSamples("1", "3", "64");

    private static final Option BATCH = Option.integer(
            "calvin.batch-bytes",
            DEFAULT.batchBytes,
            MIN_BATCH_BYTES,
            MAX_CHOSEN_BATCH_BYTES,
            "bytes",
            "room for the keys that a worker's transactions declare in an epoch, a multiple of 64; bounds the keys of"
                    + " one transaction");

    private static final Option EXECUTION = Option.choice(
            "calvin.execution",
            Execution.PARTICIPANTS,
            Execution.values(),
            "where a transaction runs whose code all nodes have by name: on all nodes that hold records that it writes,"
                    + " or on its coordinator alone");

    /** The options that users can choose. */
    static final List<Option> OPTIONS = List.of(EPOCH, TRANSACTIONS, BATCH, EXECUTION);

    /** Options with fragments run by the participants. */
    public CalvinOptions(long epochNanos, int epochTransactions, int batchBytes) {
        this(epochNanos, epochTransactions, batchBytes, Execution.PARTICIPANTS);
    }

    /** The options with the values that users have chosen. */
    static CalvinOptions of(OptionValues values) {
        return new CalvinOptions(
                (long) (values.decimal(EPOCH) * NANOS_PER_MICRO),
                values.intValue(TRANSACTIONS),
                values.intValue(BATCH),
                values.choice(EXECUTION, Execution.values()));
    }

    /** Checks the numbers. */
    public CalvinOptions {
        if (epochNanos < 0 || epochNanos > MAX_EPOCH_NANOS) {
            throw new IllegalArgumentException("epochNanos must be 0 to " + MAX_EPOCH_NANOS + " ns, got " + epochNanos);
        }
        if (epochTransactions < 1) {
            throw new IllegalArgumentException("epochTransactions must be at least 1, got " + epochTransactions);
        }
        if (batchBytes < MIN_BATCH_BYTES || batchBytes > MAX_BATCH_BYTES || batchBytes % LINE_BYTES != 0) {
            throw new IllegalArgumentException("batchBytes must be a multiple of " + LINE_BYTES + " from "
                    + MIN_BATCH_BYTES + " to " + MAX_BATCH_BYTES + ", got " + batchBytes);
        }
    }
}
