/**
 * Simulated clients of simulated gateways: they connect in virtual time, send transactions and stored procedures, lose connections and
 * ask for outcomes, while nodes die. The replies that they receive are compared with the coordinators' transactions.
 *
 * <p>Entry: {@link dev.rcc.bench.verify.clients.SimulatedClients}, which a trial of the hunt drives. Depends on the gateway below its sockets,
 * and not on the hunt. Used by the thread of a simulation and its coroutines.
 */
package dev.rcc.bench.verify.clients;
