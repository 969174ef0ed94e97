package dev.rcc.server.gateway;

/**
 * What a client says of a transaction when it begins.
 *
 * @param readOnly whether it writes nothing
 * @param timeoutMillis how long it may take, from 1
 * @param minCommitTs a commit timestamp that its own is not to come before; 0 if any will do
 */
public record TransactionTerms(boolean readOnly, int timeoutMillis, long minCommitTs) {}
