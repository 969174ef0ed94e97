/**
 * The protocols that RCC knows, by name: {@link dev.rcc.protocols.Protocols}. Each lives in a package of its own with the
 * same few classes: {@code X} (the protocol), {@code XLayout} (its metadata words), {@code XCoordinator} (a transaction's
 * course), {@code XStages} (every stage, by RPC and one-sided) and {@code XParticipant} (the RPC handlers).
 *
 * <p>Protocols are written against {@link dev.rcc.core.fabric.Fabric}'s promises and know no network.
 */
package dev.rcc.protocols;
