/**
 * Tests the claims that papers make in words: a claim names runs, the quantities to measure, and a criterion that was fixed before the
 * figures were known. Verdicts on a simulated network apply to the model, not to hardware.
 *
 * <p>A paper is a value, a {@link dev.rcc.bench.paper.Book}: sections of {@link dev.rcc.bench.paper.Claim claims}, each with a
 * {@link dev.rcc.bench.paper.Criterion} on {@link dev.rcc.bench.paper.Figure figures} in {@link dev.rcc.bench.paper.Row rows}; a figure
 * follows from {@link dev.rcc.bench.paper.Quantity quantities} of runs, each a {@link dev.rcc.bench.paper.Setup}. A
 * {@link dev.rcc.bench.paper.Lab} makes each run once. There are two kinds of runs: of transactions ({@link dev.rcc.bench.paper.BenchSetup}, made by
 * {@link dev.rcc.bench.paper.BenchExperiment}) and of lock managers ({@link dev.rcc.bench.paper.LockSetup}, made by
 * {@link dev.rcc.bench.paper.LockExperiment}); a third kind would be a class beside these, and a component of
 * {@link dev.rcc.bench.paper.Experiments}.
 *
 * <p>Nothing here depends on a certain paper: each paper has its own package below this one, and a line in
 * {@link dev.rcc.bench.papers.Books}. Nothing here prints.
 */
package dev.rcc.bench.paper;
