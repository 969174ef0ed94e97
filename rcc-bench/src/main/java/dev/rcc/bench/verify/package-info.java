/**
 * The hunt for anomalies: small, contended clusters in virtual time, each with its own shape, workload, hybrid code and
 * faults, all drawn from a seed; every history is checked.
 *
 * <p>Entry: {@link dev.rcc.bench.verify.Scenario} draws a scenario from a seed, {@link dev.rcc.bench.verify.Trial} runs it on one
 * thread; {@link dev.rcc.bench.verify.Hunt} runs many trials, each on one thread. Nothing here prints.
 */
package dev.rcc.bench.verify;
