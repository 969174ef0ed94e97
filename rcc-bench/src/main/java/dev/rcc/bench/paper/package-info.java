/**
 * What papers claim in words, put to the test: each claim is a small experiment on the simulated network and a criterion
 * that was fixed before the figures were known. The verdicts are of the model, not of hardware.
 *
 * <p>Entry: {@link dev.rcc.bench.paper.RccClaims} for RCC, section 6; a {@link dev.rcc.bench.paper.Lab} runs the experiments.
 * Nothing here prints.
 */
package dev.rcc.bench.paper;
