package dev.rcc.client;

import java.time.Duration;

/**
 * A client's connection, as administrators see it.
 *
 * @param gateway the address of the gateway that it is connected to, {@code host:port}
 * @param number its number there, which no other connection of that gateway has had
 * @param user whose it is
 * @param client what the client calls itself
 * @param address where it comes from, {@code host:port}
 * @param transactions number of transactions that are open on it
 * @param connected for how long it has been there
 */
public record SessionDescription(
        String gateway,
        long number,
        String user,
        String client,
        String address,
        int transactions,
        Duration connected) {}
