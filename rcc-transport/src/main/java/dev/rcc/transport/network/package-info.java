/**
 * The definition of a network between processes: its name, its options, and how a node is attached to it
 * ({@link dev.rcc.transport.network.FabricProvider}). Each network has one implementation, in its own package. Two of them become one by a
 * {@link dev.rcc.transport.network.FabricPairing}.
 *
 * <p>Nothing here depends on a particular network. {@code dev.rcc.server.Networks} lists the networks.
 */
package dev.rcc.transport.network;
