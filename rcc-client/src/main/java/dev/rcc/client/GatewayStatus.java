package dev.rcc.client;

import java.time.Duration;

/**
 * What a client finds when it asks a gateway how it is.
 *
 * @param address where it is, {@code host:port}
 * @param problem why it cannot be used, or empty; if there is a problem, nothing else is known
 * @param node the node that it belongs to
 * @param zone the zone that it is in, such as a data centre; empty if none is named
 * @param protocol the protocol that orders its transactions
 * @param roundTrip how long it took to answer
 * @param idleMax how long a transaction may wait for its client before it is aborted
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
    /** {@return whether it answers, and so has no problem} */
    public boolean isReachable() {
        return problem.isEmpty();
    }
}
