/**
 * Time as protocols see it: unique 64-bit timestamps ({@link dev.rcc.core.time.Timestamp}) and the clock that makes them
 * ({@link dev.rcc.core.time.TimestampClock}), from a worker's view of the cluster's time
 * ({@link dev.rcc.core.time.ClusterClock}). The raw clocks belong to {@link dev.rcc.core.worker.Worker}; nothing here reads the
 * system's clocks.
 */
package dev.rcc.core.time;
