package dev.rcc.bench.workload;

/** The number of records that a partition must have room for when keys are spread over the partitions by hash. */
public final class PartitionCapacity {
    /** Standard deviations above the mean; a partition outgrows six of them about once in a billion. */
    private static final double DEVIATIONS = 6;

    private PartitionCapacity() {}

    /** Room for each of {@code partitions} partitions that share {@code records} records. */
    public static long of(long records, int partitions) {
        double mean = (double) records / partitions;
        return Math.min(records, (long) Math.ceil(mean + DEVIATIONS * Math.sqrt(mean)) + 1);
    }
}
