/**
 * The network for processes without RDMA, and between data centres: TCP, by Netty on io_uring, epoll or NIO. RPCs travel from
 * worker to worker without another thread in between. An I/O thread of the peer carries out one-sided operations on its
 * registered memory, so they need none of its workers.
 *
 * <p>Entry: {@link dev.rcc.transport.tcp.TcpFabric}. Depends on {@link dev.rcc.transport.control} to find peers and to be
 * notified when they go down.
 */
package dev.rcc.transport.tcp;
