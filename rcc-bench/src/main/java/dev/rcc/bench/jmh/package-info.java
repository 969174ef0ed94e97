/**
 * Microbenchmarks, run by {@code rcc jmh}: what the memory of a machine can do, what a transaction costs, and what a call to the
 * RDMA libraries costs.
 *
 * <p>Entry: {@link dev.rcc.bench.jmh.MemoryBaseline}, {@link dev.rcc.bench.jmh.TransactionBenchmark} and {@link
 * dev.rcc.bench.jmh.VerbsCallBenchmark}.
 */
package dev.rcc.bench.jmh;
