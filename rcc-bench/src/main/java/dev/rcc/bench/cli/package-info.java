/**
 * The {@code rcc} command: the interface that users type and read. The only package that prints.
 *
 * <p>Entry: {@link dev.rcc.bench.cli.Rcc}. Everything here runs on the main thread. Exit codes: 0 on success, 1 when
 * a run failed or an invariant is violated. Bad input gives 2, with one line on stderr that names the option, the value
 * given and the values allowed.
 */
package dev.rcc.bench.cli;
