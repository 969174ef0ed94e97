/**
 * The API for authors of stored procedures. A procedure runs at a gateway's node, in one transaction. Clients call it by its name, in one round
 * trip.
 *
 * <p>Entry: {@link dev.rcc.client.procedure.StoredProcedure}, and {@link dev.rcc.client.procedure.ProcedureType}, which caller and procedure
 * share. Depends only on the client's tables, codecs and transactions. A gateway calls a procedure on a coroutine of its node; the page
 * {@code docs/procedures.md} has examples.
 */
package dev.rcc.client.procedure;
