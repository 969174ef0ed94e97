package dev.rcc.client;

import java.time.Duration;

/**
 * A client's connection, as reported to administrators.
 *
 * @param gateway the address of the connection's gateway, {@code host:port}
 * @param number the connection's number there, which no other connection of that gateway has had
 * @param user the client's user
 * @param client the client's name, from its options
 * @param address the client's address, {@code host:port}
 * @param transactions the number of open transactions on the connection
 * @param connected for how long the connection has existed
 */
public record SessionDescription(
        String gateway,
        long number,
        String user,
        String client,
        String address,
        int transactions,
        Duration connected) {}
