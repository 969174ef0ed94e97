/**
 * One network made of two: the nodes of a zone reach each other by the network inside, nodes of different zones by the slower one between
 * ({@link dev.rcc.transport.composite.CompositeFabric}). Both share the node's memory, its workers and its control channel.
 *
 * <p>Nothing here depends on the kinds of these networks: only on {@link dev.rcc.core.fabric.Fabric}, and on how one is attached.
 */
package dev.rcc.transport.composite;
