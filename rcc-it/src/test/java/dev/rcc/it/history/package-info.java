/**
 * Histories of committed transactions, and whether they are serializable: {@link dev.rcc.it.history.HistoryCollector}
 * collects one from a cluster, {@link dev.rcc.it.history.History#parse} reads one from a line of text, and
 * {@link dev.rcc.it.history.SerializationGraph} judges it and explains its verdict.
 */
package dev.rcc.it.history;
