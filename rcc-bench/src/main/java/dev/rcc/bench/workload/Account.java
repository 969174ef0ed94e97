package dev.rcc.bench.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the committed transactions of some clients did, as {@link Workload#check} needs to know it. */
public interface Account {
    /** What they did to the data, added up in the workload's own measure. */
    long tally();

    /** How often one of them saw what it must never see. */
    default long anomalies() {
        return 0;
    }

    /** Further counts of what they did, by name, which add up over clients. */
    default Map<String, Long> counts() {
        return Map.of();
    }

    /** Whether that is all that they did: clients that died have perhaps done more. */
    default boolean isComplete() {
        return true;
    }

    /** The counts of all of them together. */
    static Map<String, Long> sumOfCounts(List<? extends Account> accounts) {
        Map<String, Long> sums = new LinkedHashMap<>();
        accounts.forEach(account -> account.counts().forEach((name, count) -> sums.merge(name, count, Long::sum)));
        return sums;
    }
}
