/**
 * Options of the command line and of workloads. Key, default, range, unit and description of an option stand together
 * in one place, from which parsing, error messages and help come.
 *
 * <p>Entry: {@link dev.rcc.bench.option.OptionTable}. Used once at the start, on the main thread; depends on nothing.
 */
package dev.rcc.bench.option;
