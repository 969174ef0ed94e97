package dev.rcc.bench.workload;

import java.util.List;
import java.util.Map;

/**
 * What was measured of a run, for what its workload says of it.
 *
 * @param nodes of the cluster
 * @param seconds how long was measured
 * @param kinds what was measured of each kind of transactions
 * @param counts what clients have counted, of the whole run, from its very start
 */
public record WorkloadRun(int nodes, double seconds, List<KindMeasurements> kinds, Map<String, Long> counts) {}
