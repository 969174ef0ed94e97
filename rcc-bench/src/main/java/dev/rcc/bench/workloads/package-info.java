/**
 * Which workloads there are: {@link dev.rcc.bench.workloads.Workloads} lists them. Nothing else may enter here; what a workload is, stands
 * in {@code dev.rcc.bench.workload}, and each has its own package there.
 */
package dev.rcc.bench.workloads;
