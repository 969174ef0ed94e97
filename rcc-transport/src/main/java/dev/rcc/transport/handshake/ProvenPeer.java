package dev.rcc.transport.handshake;

/**
 * Who is at the other end of a connection, proven; the event by which a {@link Handshake} ends well.
 *
 * @param node its id
 * @param incarnation which incarnation of its process it is
 * @param connection which of several connections it is, as who dialled says
 */
public record ProvenPeer(int node, long incarnation, int connection) {}
