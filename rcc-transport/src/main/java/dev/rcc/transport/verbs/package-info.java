/**
 * The network of clusters with RDMA NICs. Entry: {@link dev.rcc.transport.verbs.VerbsFabric}. One-sided operations are
 * posted to reliable connections straight from Java ({@code ibv}); calls travel as {@code rpc} says. What opens a node's memory
 * to its peers is exchanged over {@link dev.rcc.transport.control.Control} and nowhere else.
 */
package dev.rcc.transport.verbs;
