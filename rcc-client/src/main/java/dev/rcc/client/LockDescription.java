package dev.rcc.client;

import java.time.Duration;

/**
 * A lock that is held or waited for.
 *
 * @param gateway where the client is connected that has asked for it
 * @param name its name in its namespace
 * @param mode what for
 * @param isHeld whether it is held; if not, it is waited for
 * @param token its token; 0 if it is not held
 * @param leaseLeft how long it may yet be held; nothing if it is not
 * @param user whose it is
 * @param client what the client calls itself
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
