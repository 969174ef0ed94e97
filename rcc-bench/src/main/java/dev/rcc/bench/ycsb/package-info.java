/**
 * What {@code rcc ycsb} adds to YCSB's own client, in that client's process: {@link dev.rcc.bench.ycsb.StatusTally}, which counts how
 * operations have ended. Knows YCSB and nothing else.
 */
package dev.rcc.bench.ycsb;
