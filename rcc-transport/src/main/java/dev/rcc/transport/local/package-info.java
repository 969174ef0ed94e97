/**
 * The network of a cluster that lives in one JVM: the embedded default, and the network of most tests.
 *
 * <p>Entry: {@link dev.rcc.transport.local.LocalNetwork}. The nodes share an address space, so a one-sided operation acts
 * directly on the peer's memory and an RPC reaches the peer's worker through a queue, without copying its bytes. Depends on
 * rcc-core's {@code fabric}, {@code memory} and {@code worker} packages and on JCTools. Called by the code that wires a node
 * (set-up, one thread) and by that node's workers (everything else).
 */
package dev.rcc.transport.local;
