/**
 * The gateway: the server side of the wire protocol. It takes clients' connections, and gives each open transaction a coroutine of
 * its node's workers, which coordinates it.
 *
 * <p>Entry: {@link dev.rcc.server.gateway.Gateway}, which a node attaches to by a {@link dev.rcc.server.gateway.GatewayNode};
 * {@link dev.rcc.server.gateway.EmbeddedGateways} gives one to each node of an embedded cluster. Two kinds of threads meet here:
 * Netty's, on which frames arrive, and the workers, to which everything that belongs to a transaction is confined. What passes
 * between them goes through {@link dev.rcc.core.worker.Worker#execute} one way, and through the channel the other way.
 */
package dev.rcc.server.gateway;
