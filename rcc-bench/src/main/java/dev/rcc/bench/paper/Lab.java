package dev.rcc.bench.paper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs setups, each once even if several claims need it. Used by one thread. */
public final class Lab {
    private final Experiment experiment;
    private final Map<Setup, Measured> done = new LinkedHashMap<>();

    /** A lab that runs setups with {@code experiment}. */
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

    /** The measurements of a setup; runs it if it has not run yet. */
    Measured run(Setup setup) throws InterruptedException {
        Measured known = done.get(setup);
        if (known == null) {
            known = experiment.run(setup);
            done.put(setup, known);
        }
        return known;
    }

    /** Whether the reading's setup has run and has measured its quantity. */
    boolean has(Figure.Reading reading) {
        Measured measured = done.get(reading.setup());
        return measured != null && measured.value(reading.quantity()).isPresent();
    }

    /** The violations of the invariants in the run of the reading's setup; empty if it has not run. */
    List<String> violations(Figure.Reading reading) {
        Measured measured = done.get(reading.setup());
        return measured == null ? List.of() : measured.invariants().violations();
    }

    /**
     * The measured value.
     *
     * @throws IllegalStateException when the setup has not run, or has not measured the quantity
     */
    double value(Figure.Reading reading) {
        Measured measured = done.get(reading.setup());
        if (measured == null) {
            throw new IllegalStateException(reading.setup() + " has not run");
        }
        return measured.value(reading.quantity())
                .orElseThrow(() -> new IllegalStateException(reading + " was not measured"));
    }

    /** All setups that have run, in their order. */
    public Map<Setup, Measured> done() {
        return new LinkedHashMap<>(done);
    }
}
