package dev.rcc.protocols.calvin;

/**
 * CALVIN's options. An epoch closes when its oldest transaction has waited for {@code epochNanos}, when it holds
 * {@code epochTransactions}, or when a peer has closed it already, whichever is first.
 *
 * @param epochNanos how long a transaction waits for company in its epoch, in nanoseconds, 0 to a second
 * @param epochTransactions most transactions that one worker contributes to an epoch, at least 1
 * @param batchBytes room for their inputs, a multiple of 64 from 1 KiB to 16 MiB; bounds the inputs of one transaction
 */
public record CalvinOptions(long epochNanos, int epochTransactions, int batchBytes) {
    /** 10 us, 64 transactions, 16 KiB. */
    public static final CalvinOptions DEFAULT = new CalvinOptions(10_000, 64, 16 * 1024);

    private static final long MAX_EPOCH_NANOS = 1_000_000_000L;
    private static final int MIN_BATCH_BYTES = 1024;
    private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;
    private static final int LINE_BYTES = 64;

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
