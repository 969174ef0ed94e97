/**
 * Off-heap memory that other nodes may reach: {@link dev.rcc.core.memory.Memory} (typed, ordered access to bytes),
 * {@link dev.rcc.core.memory.Region} (a registered piece of a node's memory),
 * {@link dev.rcc.core.memory.RemoteAddress} (the place of a byte in the cluster) and {@link dev.rcc.core.memory.Prefetch} (bytes that are about to be
 * read).
 *
 * <p>The meaning of the bytes is never defined here: it belongs to the layout classes of the packages that own them.
 * This package depends on the JDK alone and, except for {@code Prefetch}, may be called on any thread.
 */
package dev.rcc.core.memory;
