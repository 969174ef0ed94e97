package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The search for one protocol's best code.
 *
 * @param method how the search ran
 * @param results a result for each code that ran, the most committed transactions first
 * @param unmeasured the results of the runs before, whose figures do not count, as far as their data was not correct
 */
record Tuning(TuneMethod method, List<BenchResult> results, List<BenchResult> unmeasured) {
    /** Searches, and prints a line for each code as it ends, and the ranking. */
    static Tuning run(Rcc.Bench bench, BenchConfig config, TuneMethod method, PrintWriter out)
            throws InterruptedException {
        Protocol protocol = config.protocol();
        List<HybridCode> admissible = HybridChoice.admissible(protocol, config.atomicity());
        out.print(TuneReport.header(config, method, admissible.size()));
        out.flush();
        List<HybridCode> uniform = admissible.stream().filter(Tuning::isUniform).toList();
        List<BenchResult> unmeasured = new ArrayList<>();
        for (HybridCode code : uniform) {
            BenchResult result = bench.run(config.withCode(code));
            if (!result.isOk()) {
                unmeasured.add(result);
            }
        }
        List<BenchResult> results = new ArrayList<>();
        for (HybridCode code : method == TuneMethod.EXHAUSTIVE ? admissible : uniform) {
            results.add(bench.run(config.withCode(code)));
        }
        if (method == TuneMethod.CHERRY_PICK) {
            HybridCode picked = HybridChoice.cherryPick(
                    resultOf(results, HybridCode.uniform(protocol, Primitive.RPC)),
                    resultOf(results, HybridCode.uniform(protocol, Primitive.ONE_SIDED)));
            if (!isUniform(picked)) {
                results.add(bench.run(config.withCode(picked)));
            }
        }
        results.sort(Comparator.comparingDouble(BenchResult::committedPerSecond).reversed());
        Tuning tuning = new Tuning(method, List.copyOf(results), List.copyOf(unmeasured));
        out.print(TuneReport.ranking(tuning));
        out.flush();
        return tuning;
    }

    /** Whether the data was correct after each run. */
    boolean isOk() {
        return unmeasured.isEmpty() && results.stream().allMatch(BenchResult::isOk);
    }

    /** The best result of a code that mixes primitives. */
    Optional<BenchResult> bestHybrid() {
        return results.stream()
                .filter(result -> !isUniform(result.config().code()))
                .findFirst();
    }

    /** The better result of the two uniform codes. */
    Optional<BenchResult> betterUniform() {
        return results.stream()
                .filter(result -> isUniform(result.config().code()))
                .findFirst();
    }

    private static BenchResult resultOf(List<BenchResult> results, HybridCode code) {
        return results.stream()
                .filter(result -> result.config().code().digits().equals(code.digits()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "cherry-picking needs both uniform codes, and the network does not admit " + code));
    }

    private static boolean isUniform(HybridCode code) {
        return !code.digits().contains("0") || !code.digits().contains("1");
    }
}
