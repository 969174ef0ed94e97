/**
 * Off-heap memory that other nodes may reach: {@link dev.rcc.core.memory.Memory} (typed, ordered access to bytes),
 * {@link dev.rcc.core.memory.Region} (a registered piece of a node's memory) and
 * {@link dev.rcc.core.memory.RemoteAddress} (where a byte lives in the cluster).
 *
 * <p>What the bytes mean never lives here: that belongs to the layout classes of the packages that own them. This
 * package depends on the JDK alone and may be called on any thread.
 */
package dev.rcc.core.memory;
