/**
 * The list of workloads: {@link dev.rcc.bench.workloads.Workloads}. Nothing else may enter here; the definition of a workload is
 * in {@code dev.rcc.bench.workload}, and each workload has its own package there.
 */
package dev.rcc.bench.workloads;
