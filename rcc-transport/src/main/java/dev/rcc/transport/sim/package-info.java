/**
 * The network of a cluster that is simulated: nodes, workers, links and clocks in virtual time, all on one thread and all
 * from one seed, with a model of what hardware costs and with faults.
 *
 * <p>Entry: {@link dev.rcc.transport.sim.SimNetwork}, configured by {@link dev.rcc.transport.sim.SimOptions}; its
 * {@link dev.rcc.transport.sim.Simulation} is driven by the thread that wired the nodes. Depends on rcc-core's
 * {@code fabric}, {@code memory} and {@code worker} packages. Nothing here may look at a real clock, at identity hash
 * codes, or at anything else that is not a consequence of the seed; nothing here waits.
 */
package dev.rcc.transport.sim;
