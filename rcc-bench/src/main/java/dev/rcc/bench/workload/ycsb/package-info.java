/**
 * YCSB as RCC (6.1) runs it: one table, transactions of several reads and updates, some computation in between, and
 * an adjustable contention.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.ycsb.Ycsb}, and {@link dev.rcc.bench.workload.ycsb.YcsbE} for range scans.
 */
package dev.rcc.bench.workload.ycsb;
