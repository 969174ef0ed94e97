/**
 * The {@code rcc} command: what users type and read. The only package that prints.
 *
 * <p>Entry: {@link dev.rcc.bench.cli.Rcc}. Everything here runs on the main thread. Exit codes: 0 when all is well, 1 when
 * a run failed or an invariant is violated, 2 for bad input, with one line on stderr that names the option, what was
 * given and what is allowed.
 */
package dev.rcc.bench.cli;
