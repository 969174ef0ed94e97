package dev.rcc.bench.paper;

/**
 * An experiment for each kind of run.
 *
 * @param transactions runs transactions
 * @param locks runs lock managers
 */
public record Experiments(BenchExperiment transactions, LockExperiment locks) implements Lab.Experiment {
    @Override
    public Measured run(Setup setup) throws InterruptedException {
        return setup.measuredBy(this);
    }
}
