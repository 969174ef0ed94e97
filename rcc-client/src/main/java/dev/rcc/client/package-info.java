/**
 * The client library: transactions on an RCC cluster, for any Java service from Java 21 on.
 *
 * <p>Entry: {@link dev.rcc.client.RccClient}. This module depends on Netty and SLF4J only, and on no other module of RCC. Any thread may
 * use any public object, except that a transaction or a builder is for one thread at a time. The page {@code docs/client.md} has examples.
 */
package dev.rcc.client;
