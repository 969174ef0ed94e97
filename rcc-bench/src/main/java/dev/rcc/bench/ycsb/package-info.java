/**
 * The additions of {@code rcc ycsb} to YCSB's own client, in that client's process: {@link dev.rcc.bench.ycsb.StatusTally}, which counts
 * operations by outcome. Depends on YCSB and nothing else.
 */
package dev.rcc.bench.ycsb;
