package dev.rcc.transport.handshake;

/**
 * The proven node at the other end of a connection; the event of a successful {@link Handshake}.
 *
 * @param node its id
 * @param incarnation the number of its process's incarnation
 * @param connection the number of the connection, of several, as the dialler sent it
 */
public record ProvenPeer(int node, long incarnation, int connection) {}
