/**
 * Sockets whose input and output a worker does itself, in its turns, so that no other thread is woken on the way of what arrives: those of
 * the network {@code tcp}, and of the clients that a node's gateway has let in. {@link dev.rcc.transport.sockets.SocketParker#of} has a
 * worker's {@link dev.rcc.transport.sockets.SocketLoop}.
 *
 * <p>What travels on a connection never lives here.
 */
package dev.rcc.transport.sockets;
