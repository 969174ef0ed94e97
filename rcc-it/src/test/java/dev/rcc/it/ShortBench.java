package dev.rcc.it;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Benchmarks that measure for a short time: on a machine with much other load, no transaction may commit in that time. */
final class ShortBench {
    private static final double SECONDS_MAX = 60;
    private static final double LONGER = 8;

    private ShortBench() {}

    /** A benchmark. */
    @FunctionalInterface
    interface Run {
        /** Runs it, and measures for {@code seconds}. Returns the report of {@code --json}. */
        JsonNode run(String seconds) throws IOException;
    }

    /** Runs a benchmark that measures for {@code seconds}, and then for longer, until one has committed transactions. Returns its report. */
    static JsonNode untilItCommits(double seconds, Run bench) throws IOException {
        for (double measured = seconds; measured <= SECONDS_MAX; measured *= LONGER) {
            JsonNode report = bench.run(Double.toString(measured));
            if (report.get("committed").asLong() > 0) {
                return report;
            }
        }
        throw new AssertionError(
                "no transaction commits, even in a measurement of " + SECONDS_MAX / LONGER + " s or more");
    }
}
