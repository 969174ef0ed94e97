package dev.rcc.it;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Benchmarks that measure for a short time: on a machine with much other load, no transaction may commit in that time. */
final class ShortBench {
    private static final double[] TIMES_LONGER = {1, 8, 64};

    private ShortBench() {}

    /** A benchmark. */
    @FunctionalInterface
    interface Run {
        /** Runs it, and measures for {@code seconds}. Returns the report of {@code --json}. */
        JsonNode run(String seconds) throws IOException;
    }

    /** Runs a benchmark that measures for {@code seconds}, and then for longer, until one has committed transactions. Returns its report. */
    static JsonNode untilItCommits(double seconds, Run bench) throws IOException {
        for (double longer : TIMES_LONGER) {
            JsonNode report = bench.run(Double.toString(seconds * longer));
            if (report.get("committed").asLong() > 0) {
                return report;
            }
        }
        throw new AssertionError("no transaction commits, even in a measurement of "
                + seconds * TIMES_LONGER[TIMES_LONGER.length - 1] + " s");
    }
}
