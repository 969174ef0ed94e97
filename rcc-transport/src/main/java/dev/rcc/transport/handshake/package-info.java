/**
 * How the two ends of a connection between nodes prove to each other who they are, before either learns anything: {@link
 * dev.rcc.transport.handshake.Handshakes}. Every port that peers connect to begins with it, with TLS or without; what an unauthenticated
 * peer can cost is bounded by {@link dev.rcc.transport.handshake.UnauthenticatedConnections}.
 *
 * <p>Depends on Netty only. Used on I/O threads by the control channel and by networks that take connections of their own; networks that
 * exchange what they need over the control channel stand behind its handshake.
 */
package dev.rcc.transport.handshake;
