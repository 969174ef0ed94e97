/**
 * Benchmarks on nodes that have a process each: {@link dev.rcc.bench.agent.ProcessBench} drives, and a
 * {@link dev.rcc.bench.agent.BenchAgent} in each process runs its node's share of the clients. They talk over the processes'
 * admin addresses. What is measured, and how the data is judged, is the same as in one JVM.
 */
package dev.rcc.bench.agent;
