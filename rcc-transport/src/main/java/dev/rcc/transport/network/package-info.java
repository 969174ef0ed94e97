/**
 * What a network between processes brings with it: its name, its options, and how a node is attached to it
 * ({@link dev.rcc.transport.network.FabricProvider}). Each network has one implementation, in its own package. Two of them become one by
 * a {@link dev.rcc.transport.network.FabricPairing}.
 *
 * <p>Nothing here knows a particular network. Which networks there are is said in {@code dev.rcc.server.Networks}.
 */
package dev.rcc.transport.network;
