/**
 * Microbenchmarks, run by {@code rcc jmh}: what the memory of a machine can do, and what a transaction costs.
 *
 * <p>Entry: {@link dev.rcc.bench.jmh.MemoryBaseline} and {@link dev.rcc.bench.jmh.TransactionBenchmark}.
 */
package dev.rcc.bench.jmh;
