/**
 * The gateway: the server side of the wire protocol. It takes clients' connections, and gives each open transaction a coroutine of
 * its node's workers, which coordinates it.
 *
 * <p>Entry: {@link dev.rcc.server.gateway.Gateway}, which a node attaches to by a {@link dev.rcc.server.gateway.GatewayNode};
 * {@link dev.rcc.server.gateway.EmbeddedGateways} gives one to each node of an embedded cluster. It has two parts. {@code Gateway} and
 * {@code Connection} handle sockets, bytes, users and Netty's threads. Below them, {@link dev.rcc.server.gateway.GatewayCore} and
 * {@link dev.rcc.server.gateway.ClientSession} run transactions, take time and waiting from the workers only, and so run in simulated
 * clusters, too. Requests pass down by {@link dev.rcc.core.worker.Worker#execute}, answers pass up by an
 * {@link dev.rcc.server.gateway.AnswerSink}; all that belongs to a transaction is confined to its worker.
 */
package dev.rcc.server.gateway;
