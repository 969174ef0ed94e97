/**
 * Options of protocols, workloads, servers and the command line. Key, default, range, unit and description of an option stand together
 * in one place, from which parsing, error messages and help come.
 *
 * <p>Entry: {@link dev.rcc.core.option.OptionTable}. Used once at the start, on the main thread; depends on nothing. What a
 * certain option means may never enter here: it belongs to the code that has the option.
 */
package dev.rcc.core.option;
