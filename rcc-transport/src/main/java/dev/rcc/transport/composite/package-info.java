/**
 * One network made of two: the nodes of a zone reach each other by the one inside, nodes of different zones by the slower one between
 * ({@link dev.rcc.transport.composite.CompositeFabric}). Both share the node's memory, its workers and its control channel.
 *
 * <p>Nothing here knows which networks these are: only {@link dev.rcc.core.fabric.Fabric}, and how one is attached.
 */
package dev.rcc.transport.composite;
