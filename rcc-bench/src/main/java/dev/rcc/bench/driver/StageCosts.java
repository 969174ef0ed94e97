package dev.rcc.bench.driver;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.StageTimers;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the stages of a protocol cost in a run: all of it that a hybrid code is chosen by, without the run's histograms.
 *
 * @param protocol what ran
 * @param atomicity of the network that it ran on
 * @param nanosPerTransaction the mean time in each stage, as often as a committed transaction passed through it
 */
public record StageCosts(Protocol protocol, Atomicity atomicity, List<Double> nanosPerTransaction) {
    /** Takes a copy of the list. */
    public StageCosts {
        nanosPerTransaction = List.copyOf(nanosPerTransaction);
    }

    /** Of a run. */
    public static StageCosts of(BenchResult result) {
        StageTimers timers = result.timers();
        long committed = Math.max(1, result.metrics().committed());
        return new StageCosts(
                result.config().protocol(),
                result.config().atomicity(),
                IntStream.range(0, timers.stages().size())
                        .mapToObj(stage -> timers.histogram(stage).getMean() * timers.passages(stage) / committed)
                        .toList());
    }
}
