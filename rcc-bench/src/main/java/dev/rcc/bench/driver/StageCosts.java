package dev.rcc.bench.driver;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.StageTimers;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The costs of a protocol's stages in a run: all data for the choice of a hybrid code, without the run's histograms.
 *
 * @param protocol the protocol of the run
 * @param atomicity the atomicity of the run's network
 * @param nanosPerTransaction the mean time in each stage, multiplied by its passages per committed transaction
 */
public record StageCosts(Protocol protocol, Atomicity atomicity, List<Double> nanosPerTransaction) {
    /** Takes a copy of the list. */
    public StageCosts {
        nanosPerTransaction = List.copyOf(nanosPerTransaction);
    }

    /** The costs in a run. */
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
