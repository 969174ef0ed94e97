/**
 * The transaction model, the same under every protocol: procedures that declare what they access, transactions with
 * their read and write sets, outcomes and abort reasons, retries, and what is measured and recorded of them.
 *
 * <p>Entry: {@link dev.rcc.core.txn.TransactionRunner} runs a {@link dev.rcc.core.txn.Procedure} until it has committed
 * or given up. How conflicts are found is the business of the
 * {@link dev.rcc.core.txn.Coordinator} that a protocol makes, not of this package.
 */
package dev.rcc.core.txn;
