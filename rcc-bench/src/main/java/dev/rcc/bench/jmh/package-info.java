/**
 * Microbenchmarks, run by {@code rcc jmh}: the speed of a machine's memory, the cost of a transaction, and the cost of a call to the
 * RDMA libraries.
 *
 * <p>Entry: {@link dev.rcc.bench.jmh.MemoryBaseline}, {@link dev.rcc.bench.jmh.TransactionBenchmark} and {@link
 * dev.rcc.bench.jmh.VerbsCallBenchmark}.
 */
package dev.rcc.bench.jmh;
