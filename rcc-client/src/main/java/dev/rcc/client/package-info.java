/**
 * The client library: transactions on an RCC cluster, for any Java service from Java 21 on.
 *
 * <p>Entry: {@link dev.rcc.client.RccClient}. This module depends on Netty and SLF4J only, and on no other module of RCC. Everything
 * public may be used on any thread, but a transaction by one thread at a time. The page {@code docs/client.md} shows how.
 */
package dev.rcc.client;
