/**
 * RCC's protocols, by name: {@link dev.rcc.protocols.Protocols}. Each has a package of its own with the
 * same few classes: {@code X} (the protocol), {@code XLayout} (its metadata words), {@code XCoordinator} (a transaction's
 * course), {@code XStages} (every stage, by RPC and one-sided) and {@code XParticipant} (the RPC handlers).
 *
 * <p>Protocols depend on {@link dev.rcc.core.fabric.Fabric}'s promises and on no particular network.
 */
package dev.rcc.protocols;
