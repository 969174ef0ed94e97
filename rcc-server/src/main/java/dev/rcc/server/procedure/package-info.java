/**
 * Stored procedures: found at a server's start in a directory of jars, and looked up by their names.
 *
 * <p>Entry: {@link dev.rcc.server.procedure.Procedures}. Depends only on the API of their authors, {@code dev.rcc.client.procedure}; the
 * gateway calls them. Immutable, except that it can be closed; for any thread.
 */
package dev.rcc.server.procedure;
