package dev.rcc.core.txn;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The time that the transactions of a worker spend in each stage of their protocol, one histogram of nanoseconds per
 * stage (rcc, figure 4). Used on its worker only.
 */
public final class StageTimers {
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final List<String> stages;
    private final Histogram[] histograms;

    /** Timers for the stages with these names. */
    public StageTimers(List<String> stages) {
        this.stages = List.copyOf(stages);
        this.histograms = new Histogram[stages.size()];
        for (int i = 0; i < histograms.length; i++) {
            histograms[i] = new Histogram(1, MAX_NANOS, DIGITS);
        }
    }

    /** Counts one passage through a stage. */
    public void record(int stage, long nanos) {
        histograms[stage].recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }

    /** The stages' names. */
    public List<String> stages() {
        return stages;
    }

    /** The histogram of a stage, in nanoseconds. */
    public Histogram histogram(int stage) {
        return histograms[stage];
    }

    /** Adds what another worker measured under the same protocol. */
    public void add(StageTimers other) {
        for (int i = 0; i < histograms.length; i++) {
            histograms[i].add(other.histograms[i]);
        }
    }

    /** Forgets everything. */
    public void reset() {
        for (Histogram histogram : histograms) {
            histogram.reset();
        }
    }
}
