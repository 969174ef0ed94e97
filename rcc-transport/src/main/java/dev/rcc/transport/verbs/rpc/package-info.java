/**
 * How calls travel on the verbs network. One {@link dev.rcc.transport.verbs.rpc.RpcTransport} serves a node, one {@link
 * dev.rcc.transport.verbs.rpc.RpcChannel} each of its workers; users choose the kind.
 */
package dev.rcc.transport.verbs.rpc;
