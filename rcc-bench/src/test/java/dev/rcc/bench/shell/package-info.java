/** Tests of the shell's terminal; of the rest of it, see {@code ClientCommandTest}. */
package dev.rcc.bench.shell;
