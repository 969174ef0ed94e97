/**
 * The network of a simulated cluster: nodes, workers, links and clocks in virtual time, all on one thread and all
 * from one seed, with a model of the hardware's costs and with faults.
 *
 * <p>Entry: {@link dev.rcc.transport.sim.SimNetwork}, configured by {@link dev.rcc.transport.sim.SimOptions}; its
 * {@link dev.rcc.transport.sim.Simulation} is driven by the thread that wired the nodes. Depends on rcc-core's
 * {@code fabric}, {@code memory} and {@code worker} packages. Nothing here may depend on a real clock, on identity hash
 * codes, or on anything else that is not a consequence of the seed; nothing here waits.
 */
package dev.rcc.transport.sim;
