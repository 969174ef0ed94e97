/**
 * How the two ends of a connection between nodes prove their identities to each other, before either sends any data:
 * {@link dev.rcc.transport.handshake.Handshakes}. Every port that peers connect to begins with it, with TLS or without; the cost of unauthenticated
 * peers is bounded by {@link dev.rcc.transport.handshake.UnauthenticatedConnections}.
 *
 * <p>Depends on Netty only. Used on I/O threads by the control channel and by networks that take connections of their own; networks that are set up
 * over the control channel rely on its handshake.
 */
package dev.rcc.transport.handshake;
