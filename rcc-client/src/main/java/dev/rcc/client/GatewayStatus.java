package dev.rcc.client;

import java.time.Duration;

/**
 * The status of a gateway, as a client finds it.
 *
 * @param address the gateway's address, {@code host:port}
 * @param problem why the client cannot use it, or empty; if there is a problem, nothing but the address is known
 * @param node the number of its node; -1 if there is a problem
 * @param zone the zone that it is in, such as a data centre; empty if no zone is named
 * @param protocol the protocol that orders its transactions
 * @param roundTrip how long it took to answer a request
 * @param idleMax how long a transaction may wait for its client before the gateway aborts it
 * @param transactionMax how long a transaction may take in all
 */
public record GatewayStatus(
        String address,
        String problem,
        int node,
        String zone,
        String protocol,
        Duration roundTrip,
        Duration idleMax,
        Duration transactionMax) {
    /** {@return whether the gateway answers, and so has no problem} */
    public boolean isReachable() {
        return problem.isEmpty();
    }
}
