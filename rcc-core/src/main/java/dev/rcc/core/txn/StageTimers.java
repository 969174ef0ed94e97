package dev.rcc.core.txn;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The time that the transactions of a worker spend in each stage of their protocol (rcc, figure 4): how often they pass
 * through it, and a histogram of nanoseconds of the passages that were timed ({@link StageClock}). Used on its worker
 * only.
 */
public final class StageTimers {
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final String protocol;
    private final List<String> stages;
    private final Histogram[] histograms;
    private final long[] passages;
    private int attempts;

    /** Timers for the stages with these names, of a protocol without a name. */
    public StageTimers(List<String> stages) {
        this("", stages);
    }

    /** Timers for a protocol's stages. */
    public StageTimers(String protocol, List<String> stages) {
        this.protocol = protocol;
        this.stages = List.copyOf(stages);
        this.histograms = new Histogram[stages.size()];
        this.passages = new long[stages.size()];
        for (int i = 0; i < histograms.length; i++) {
            histograms[i] = new Histogram(1, MAX_NANOS, DIGITS);
        }
    }

    /** Counts an attempt that begins, and returns its number. */
    int nextAttempt() {
        return attempts++;
    }

    /** Counts a passage through a stage. */
    public void pass(int stage) {
        passages[stage]++;
    }

    /** Adds the time of a passage. */
    public void record(int stage, long nanos) {
        histograms[stage].recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }

    /** The protocol's name. */
    String protocol() {
        return protocol;
    }

    /** The stages' names. */
    public List<String> stages() {
        return stages;
    }

    /** How often transactions passed through a stage. */
    public long passages(int stage) {
        return passages[stage];
    }

    /** The times of the passages through a stage that were timed, in nanoseconds. */
    public Histogram histogram(int stage) {
        return histograms[stage];
    }

    /** Adds another worker's measurements under the same protocol. */
    public void add(StageTimers other) {
        for (int i = 0; i < histograms.length; i++) {
            histograms[i].add(other.histograms[i]);
            passages[i] += other.passages[i];
        }
    }

    /** Adds measurements of a stage that were made elsewhere. */
    public void add(int stage, long otherPassages, Histogram otherTimes) {
        histograms[stage].add(otherTimes);
        passages[stage] += otherPassages;
    }

    /** Forgets everything. */
    public void reset() {
        for (int i = 0; i < histograms.length; i++) {
            histograms[i].reset();
            passages[i] = 0;
        }
    }
}
