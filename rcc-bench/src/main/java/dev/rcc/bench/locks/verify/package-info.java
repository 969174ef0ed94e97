/**
 * The hunt for errors of lock managers: small clusters in virtual time, each drawn from a seed, in which pauses are longer than leases,
 * counters overflow after a few tickets, and holders and resetters die between any two steps.
 *
 * <p>Entry: {@link dev.rcc.bench.locks.verify.LockTrial}.
 */
package dev.rcc.bench.locks.verify;
