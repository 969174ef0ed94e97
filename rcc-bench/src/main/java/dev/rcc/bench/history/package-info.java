/**
 * Histories: what each transaction of a run read and wrote, and when. {@link dev.rcc.bench.history.HistoryCollector}
 * records one from a cluster, {@link dev.rcc.bench.history.HistoryBuilder} makes one by hand,
 * {@link dev.rcc.bench.history.History} holds it, reads it and writes it as a file, and
 * {@link dev.rcc.bench.history.VersionOrder} puts the versions of each key in order.
 *
 * <p>Only the collector knows clusters: it is called on their workers. The rest runs on the caller's thread. What a history
 * means is for {@code dev.rcc.bench.check} to say, which this package does not know.
 */
package dev.rcc.bench.history;
