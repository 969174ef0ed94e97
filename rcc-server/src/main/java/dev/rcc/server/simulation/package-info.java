/**
 * The parts that only a simulated cluster has: {@link dev.rcc.server.simulation.SimRuntime}, which lets its nodes run in virtual time, and
 * deaths that are timed by events ({@link dev.rcc.server.simulation.PlannedDeaths}), with counts of the situations that they hit
 * ({@link dev.rcc.server.simulation.Windows}).
 *
 * <p>Its classes look at the nodes and at their recovery, which do not depend on it. Used by the one thread that simulates. Never here:
 * code that a real cluster needs, too.
 */
package dev.rcc.server.simulation;
