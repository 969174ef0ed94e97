/**
 * RDMA's connection manager from Java: rdma-core's {@code librdmacm.so.1}, called like {@code dev.rcc.transport.verbs.ibv}
 * calls {@code libibverbs.so.1}. It turns IP addresses into queue pairs that are connected.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.rdmacm.CmLibrary#load}. Pointers are {@code long}s, and nothing here knows which of
 * them are still alive: the caller keeps count. What fails is a
 * {@link dev.rcc.transport.verbs.ibv.VerbsException}. Everything may be called on any thread.
 */
package dev.rcc.transport.verbs.rdmacm;
