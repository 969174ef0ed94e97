/**
 * The shell behind {@code rcc client}: a small language of commands, and {@link dev.rcc.bench.shell.Shell}, which carries them out
 * through the client library. It prints to the given streams, and knows nothing of the command line. One thread.
 */
package dev.rcc.bench.shell;
