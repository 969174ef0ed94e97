/**
 * The network of clusters with RDMA NICs. Entry: {@link dev.rcc.transport.verbs.VerbsFabric}. One-sided operations are
 * posted to reliable connections directly from Java ({@code ibv}); calls travel as {@code rpc} describes. Nodes exchange the keys to
 * their memory over {@link dev.rcc.transport.control.Control} only.
 */
package dev.rcc.transport.verbs;
