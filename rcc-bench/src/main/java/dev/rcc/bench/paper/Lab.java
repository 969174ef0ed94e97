package dev.rcc.bench.paper;

import java.util.LinkedHashMap;
import java.util.Map;

/** Runs experiments, each once however many claims need it. Used by one thread. */
public final class Lab {
    private final Experiment experiment;
    private final Map<Setup, Measured> done = new LinkedHashMap<>();

    /** A lab in which {@code experiment} does the work. */
    public Lab(Experiment experiment) {
        this.experiment = experiment;
    }

    /** Runs one setup. */
    @FunctionalInterface
    public interface Experiment {
        /**
         * Runs a setup.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        Measured run(Setup setup) throws InterruptedException;
    }

    /** What the setup measures. */
    Measured run(Setup setup) throws InterruptedException {
        Measured known = done.get(setup);
        if (known == null) {
            known = experiment.run(setup);
            done.put(setup, known);
        }
        return known;
    }

    /** Committed transactions per second in the setup. */
    double throughput(Setup setup) throws InterruptedException {
        return run(setup).committedPerSecond();
    }

    /** All that was run, in its order. */
    public Map<Setup, Measured> done() {
        return new LinkedHashMap<>(done);
    }
}
