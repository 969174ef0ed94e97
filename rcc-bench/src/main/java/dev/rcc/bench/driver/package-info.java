/**
 * The closed-loop driver: runs a workload on an embedded cluster, measures it, and checks the invariants afterwards.
 *
 * <p>Entry: {@link dev.rcc.bench.driver.BenchRunner} turns a {@link dev.rcc.bench.driver.BenchConfig} into a
 * {@link dev.rcc.bench.driver.BenchResult}, and {@link dev.rcc.bench.driver.BenchJson} writes it down. It runs on the
 * caller's thread; the clients run on the cluster's coroutines. Nothing here prints.
 */
package dev.rcc.bench.driver;
