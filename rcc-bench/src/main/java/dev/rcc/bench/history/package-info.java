/**
 * Histories: the reads and writes of each transaction of a run, and their times. {@link dev.rcc.bench.history.HistoryCollector}
 * records one from a cluster, {@link dev.rcc.bench.history.HistoryBuilder} makes one by hand,
 * {@link dev.rcc.bench.history.History} holds it, reads it and writes it as a file, and
 * {@link dev.rcc.bench.history.VersionOrder} puts the versions of each key in order.
 *
 * <p>Only the collector depends on clusters: it is called on their workers. The rest runs on the caller's thread. Histories are
 * judged in {@code dev.rcc.bench.check}, on which this package does not depend.
 */
package dev.rcc.bench.history;
