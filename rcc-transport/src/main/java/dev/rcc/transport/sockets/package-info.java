/**
 * Sockets whose input and output a worker does itself, in its turns, so that no other thread is woken when input arrives: the sockets of the network
 * {@code tcp}, and of the clients that a node's gateway has accepted. {@link dev.rcc.transport.sockets.SocketParker#of} returns a worker's
 * {@link dev.rcc.transport.sockets.SocketLoop}.
 *
 * <p>The contents of connections are never handled here.
 */
package dev.rcc.transport.sockets;
