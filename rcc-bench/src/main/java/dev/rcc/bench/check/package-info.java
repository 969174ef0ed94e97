/**
 * Checks whether a history is serializable: {@link dev.rcc.bench.check.Checker} builds the direct serialization graph of a
 * {@link dev.rcc.bench.history.History} (Adya, "Weak Consistency", 1999), looks for cycles, and explains its findings in a
 * {@link dev.rcc.bench.check.CheckResult}.
 *
 * <p>Uses histories and nothing else of RCC. Runs on the caller's thread and uses no other.
 */
package dev.rcc.bench.check;
