/**
 * Benchmarks of lock managers on modelled hardware, in virtual time (dslr, 6 and appendix).
 *
 * <p>Entry: {@link dev.rcc.bench.locks.run.LockBench}.
 */
package dev.rcc.bench.locks.run;
