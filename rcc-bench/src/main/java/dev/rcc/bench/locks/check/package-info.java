/**
 * Histories of locks, and whether what they tell is what a lock manager promises.
 *
 * <p>Entry: {@link dev.rcc.bench.locks.check.LockChecker}. Knows no lock manager and no cluster: a history comes from a recorder or from
 * a file.
 */
package dev.rcc.bench.locks.check;
