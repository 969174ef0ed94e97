package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchConfig;
import java.math.BigDecimal;

/**
 * The size and duration of runs whose setups do not set them.
 *
 * @param simulated times of runs on the simulated network, virtual
 * @param real times of the other runs
 * @param recordsPerNode records of each node, in workloads with a choice
 * @param seed the seed of all random choices
 */
public record Scale(BenchConfig.Times simulated, BenchConfig.Times real, long recordsPerNode, long seed) {
    /** With another seed. */
    public Scale withSeed(long other) {
        return new Scale(simulated, real, recordsPerNode, other);
    }

    /** The times of runs on a network. */
    BenchConfig.Times times(Setup.Network network) {
        return network.isModelled() ? simulated : real;
    }

    /** A number of seconds as people write it. */
    static String plain(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
    }
}
