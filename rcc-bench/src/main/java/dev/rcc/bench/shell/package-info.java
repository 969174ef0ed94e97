/**
 * The shell behind {@code rcc client}: a small language of commands, and {@link dev.rcc.bench.shell.Shell}, which executes them
 * through the client library. It prints to the given streams, and does not depend on the command line. One thread.
 */
package dev.rcc.bench.shell;
