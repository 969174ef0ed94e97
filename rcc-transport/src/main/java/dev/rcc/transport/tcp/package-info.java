/**
 * The network for processes without RDMA, and between data centres: TCP, by Netty on io_uring, epoll or NIO. RPCs travel from
 * worker to worker without another thread in between; one-sided operations are carried out by an I/O thread of the peer on its
 * registered memory, so that they need none of its workers.
 *
 * <p>Entry: {@link dev.rcc.transport.tcp.TcpFabric}. Depends on {@link dev.rcc.transport.control} to find peers and to hear of
 * their deaths.
 */
package dev.rcc.transport.tcp;
