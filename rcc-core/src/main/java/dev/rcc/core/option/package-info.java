/**
 * Options of protocols, workloads, servers and the command line. Key, default, range, unit and description of an option are in one place, from which
 * parsing, error messages and help come.
 *
 * <p>Entry: {@link dev.rcc.core.option.OptionTable}. Used once at the start, on the main thread; depends on nothing. The meaning of a certain option
 * is never defined here: it belongs to the code that has the option.
 */
package dev.rcc.core.option;
