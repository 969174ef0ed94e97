package dev.rcc.bench.workload;

/** What the committed transactions of some clients did, as {@link Workload#check} needs to know it. */
public interface Account {
    /** What they did to the data, added up in the workload's own measure. */
    long tally();

    /** How often one of them saw what it must never see. */
    default long anomalies() {
        return 0;
    }
}
