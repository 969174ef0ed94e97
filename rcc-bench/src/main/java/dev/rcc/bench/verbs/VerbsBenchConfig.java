package dev.rcc.bench.verbs;

import java.util.List;

/**
 * The measurements, and how often each is made. Both contenders use the same configuration.
 *
 * @param device the RDMA device
 * @param tests the tests, in order
 * @param sizes message sizes in bytes, for tests with a choice
 * @param repetitions how often each contender measures each test
 * @param latencyIterations number of messages of a latency test
 * @param rateIterations number of messages of a rate test
 */
public record VerbsBenchConfig(
        String device,
        List<VerbsTest> tests,
        List<Integer> sizes,
        int repetitions,
        int latencyIterations,
        int rateIterations) {
    /** Work requests that may be outstanding in a rate test; perftest's default. */
    public static final int QUEUE_DEPTH = 128;
    /** RECVs that are posted in a SEND test; perftest's default. */
    public static final int RECEIVE_DEPTH = 512;
    /** One completion for so many messages in a rate test; perftest's default. */
    public static final int MESSAGES_PER_COMPLETION = 100;
    /** WRITEs and SENDs up to this size travel in the work request in a latency test, if perftest does the same. */
    public static final int INLINE_BYTES = 64;
    /** READs and atomics that may be outstanding on the wire; every device takes as many. */
    public static final int OUTSTANDING_READS = 16;

    /** Takes copies of the lists. */
    public VerbsBenchConfig {
        tests = List.copyOf(tests);
        sizes = List.copyOf(sizes);
    }

    /** Number of messages of a test. */
    public int iterations(VerbsTest test) {
        return test.measure() == VerbsTest.Measure.LATENCY ? latencyIterations : rateIterations;
    }
}
