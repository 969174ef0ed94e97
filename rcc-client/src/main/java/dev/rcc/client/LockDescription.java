package dev.rcc.client;

import java.time.Duration;

/**
 * A lock that a client holds or waits for.
 *
 * @param gateway the gateway of the client that holds the lock or waits for it
 * @param name the lock's name in its namespace
 * @param mode the mode that the client requested
 * @param isHeld whether the client holds the lock; otherwise it waits for the lock
 * @param token the fencing token; 0 if the lock is not held
 * @param leaseLeft the rest of the lease; zero if the lock is not held
 * @param user the client's user
 * @param client the client's name, from its options
 */
public record LockDescription(
        String gateway,
        String name,
        LockMode mode,
        boolean isHeld,
        long token,
        Duration leaseLeft,
        String user,
        String client) {}
