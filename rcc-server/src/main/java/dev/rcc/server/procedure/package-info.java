/**
 * Stored procedures: found at a server's start in a directory of jars, and looked up by their names.
 *
 * <p>Entry: {@link dev.rcc.server.procedure.Procedures}. Knows only what their authors know, {@code dev.rcc.client.procedure}; the gateway
 * calls them. Immutable but for being closed, for any thread.
 */
package dev.rcc.server.procedure;
