/**
 * The home of the client library and of the wire protocol that it shares with the server's gateway.
 *
 * <p>This module depends on no other module of RCC, so that a service's class path stays light, and is compiled for
 * Java 21. Until the gateway exists, an application embeds a cluster in its own JVM instead: see the class
 * {@code dev.rcc.server.EmbeddedCluster} in {@code rcc-server}.
 */
package dev.rcc.client;
