package dev.rcc.bench.workload;

import java.util.List;
import java.util.Map;

/**
 * The measurements of a run, for the workload's report of it.
 *
 * @param nodes the number of the cluster's nodes
 * @param seconds how long the run was measured
 * @param kinds the measurements of each kind of transactions
 * @param counts the clients' counts of the whole run, from its very start
 */
public record WorkloadRun(int nodes, double seconds, List<KindMeasurements> kinds, Map<String, Long> counts) {}
