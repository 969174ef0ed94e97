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

    /** Whether that has run, and has measured it. */
    boolean has(Figure.Reading reading) {
        Measured measured = done.get(reading.setup());
        return measured != null && measured.value(reading.quantity()).isPresent();
    }

    /**
     * What was measured.
     *
     * @throws IllegalStateException when that has not run, or has not measured it
     */
    double value(Figure.Reading reading) {
        Measured measured = done.get(reading.setup());
        if (measured == null) {
            throw new IllegalStateException(reading.setup() + " has not run");
        }
        return measured.value(reading.quantity())
                .orElseThrow(() -> new IllegalStateException(reading + " was not measured"));
    }

    /** All that was run, in its order. */
    public Map<Setup, Measured> done() {
        return new LinkedHashMap<>(done);
    }
}
