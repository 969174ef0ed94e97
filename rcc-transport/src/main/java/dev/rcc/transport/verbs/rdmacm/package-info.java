/**
 * RDMA's connection manager from Java: rdma-core's {@code librdmacm.so.1}, called like {@code dev.rcc.transport.verbs.ibv}
 * calls {@code libibverbs.so.1}. It makes connected queue pairs from IP addresses.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.rdmacm.CmLibrary#load}. Pointers are {@code long}s, and this package does not track
 * which of them are still valid: the caller must. A failed call throws a
 * {@link dev.rcc.transport.verbs.ibv.VerbsException}. All methods may be called on any thread.
 */
package dev.rcc.transport.verbs.rdmacm;
