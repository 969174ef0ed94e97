/**
 * Histories of locks, and the check whether they keep a lock manager's promises.
 *
 * <p>Entry: {@link dev.rcc.bench.locks.check.LockChecker}. Depends on no lock manager and no cluster: a history comes from a recorder or
 * from a file.
 */
package dev.rcc.bench.locks.check;
