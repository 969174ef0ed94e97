/**
 * Benchmarks on nodes that have a process each: {@link dev.rcc.bench.agent.ProcessBench} drives, and a
 * {@link dev.rcc.bench.agent.BenchAgent} in each process runs its node's share of the clients. Driver and agents communicate over the
 * processes' admin addresses. The measurements, and the checks of the data, are the same as in one JVM.
 */
package dev.rcc.bench.agent;
