/**
 * A server process: its options, the configuration that they make, and its course from start to end. Entry:
 * {@link dev.rcc.server.process.ServerConfig#of} and {@link dev.rcc.server.process.ServerProcess}.
 *
 * <p>Services of the process beyond serving clients, such as benchmarks, are given to it as an extension. Never here: a command line, files of
 * options, several processes.
 */
package dev.rcc.server.process;
