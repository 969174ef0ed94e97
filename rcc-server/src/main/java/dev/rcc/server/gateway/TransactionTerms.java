package dev.rcc.server.gateway;

/**
 * The terms of a transaction, which its client gives when it begins.
 *
 * @param readOnly whether it writes nothing
 * @param timeoutMillis how long it may take, from 1
 * @param minCommitTs the least commit timestamp that it may get; 0 if it may get any
 */
public record TransactionTerms(boolean readOnly, int timeoutMillis, long minCommitTs) {}
