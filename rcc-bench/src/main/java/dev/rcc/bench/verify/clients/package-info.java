/**
 * Simulated clients of simulated gateways: they connect in virtual time, send transactions and stored procedures, lose connections and
 * ask for outcomes, while nodes die. The answers that they get are compared with what coordinators did.
 *
 * <p>Entry: {@link dev.rcc.bench.verify.clients.SimulatedClients}, which a trial of the hunt drives. Knows the gateway below its sockets,
 * and nothing of the hunt. Used by the thread of a simulation and its coroutines.
 */
package dev.rcc.bench.verify.clients;
