/**
 * The transaction model, the same under every protocol: procedures that declare what they access, transactions with
 * their read and write sets, outcomes and abort reasons, retries, metrics and history.
 *
 * <p>Entry: {@link dev.rcc.core.txn.TransactionRunner} runs a {@link dev.rcc.core.txn.Procedure} until it has committed
 * or given up. Conflicts are found by the {@link dev.rcc.core.txn.Coordinator} that a protocol makes, not by this package.
 */
package dev.rcc.core.txn;
