/**
 * What the author of a stored procedure compiles against: a procedure runs at a gateway's node, in one transaction, and is called
 * by its name in one round trip.
 *
 * <p>Entry: {@link dev.rcc.client.procedure.StoredProcedure}, and {@link dev.rcc.client.procedure.ProcedureType}, which caller and procedure
 * share. Knows nothing but the client's tables, codecs and transactions. Called by a gateway on a coroutine of its node; the page
 * {@code docs/procedures.md} shows how.
 */
package dev.rcc.client.procedure;
