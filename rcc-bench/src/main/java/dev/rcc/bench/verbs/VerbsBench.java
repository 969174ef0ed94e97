package dev.rcc.bench.verbs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets two contenders make the same measurements in turn. They alternate in going first, so that slow changes (a clock's
 * frequency, the neighbours' load) favour neither.
 */
final class VerbsBench {
    private final VerbsBenchConfig config;
    private final Contender perftest;
    private final Contender rcc;

    VerbsBench(VerbsBenchConfig config, Contender perftest, Contender rcc) {
        this.config = config;
        this.perftest = perftest;
        this.rcc = rcc;
    }

    /** Makes all measurements, passes each comparison to {@code listener} when it is complete, and returns all of them. */
    List<Comparison> run(Consumer<Comparison> listener) throws IOException, InterruptedException {
        List<Comparison> comparisons = new ArrayList<>();
        for (VerbsTest test : config.tests()) {
            for (int bytes : test.sizes(config.sizes())) {
                Comparison comparison = compare(test, bytes);
                comparisons.add(comparison);
                listener.accept(comparison);
            }
        }
        return comparisons;
    }

    private Comparison compare(VerbsTest test, int bytes) throws IOException, InterruptedException {
        List<Double> ofPerftest = new ArrayList<>();
        List<Double> ofRcc = new ArrayList<>();
        for (int repetition = 0; repetition < config.repetitions(); repetition++) {
            if (repetition % 2 == 0) {
                ofPerftest.add(perftest.measure(test, bytes));
                ofRcc.add(rcc.measure(test, bytes));
            } else {
                ofRcc.add(rcc.measure(test, bytes));
                ofPerftest.add(perftest.measure(test, bytes));
            }
        }
        return new Comparison(test, bytes, config.iterations(test), ofPerftest, ofRcc);
    }
}
