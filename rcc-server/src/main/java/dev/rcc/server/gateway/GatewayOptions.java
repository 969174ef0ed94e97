package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a gateway behaves. Immutable; made from {@link #DEFAULT} by the {@code with...} methods, each of which returns a changed copy.
 *
 * @param host the address that it listens at
 * @param port the port, or 0 for any that is free
 * @param users who may come in
 * @param plainTokens whether users may show their tokens on connections that are not encrypted, from other machines
 * @param tls what encrypts connections, or null
 * @param limits what it takes from one connection
 * @param connections most connections at once
 * @param waiting most transactions of a worker that wait for a coroutine
 * @param helloTimeout how long a new connection may take to say hello
 * @param slowReaderTimeout how long a connection may leave its answers unread while a transaction waits for it
 * @param outcomes how many commits' outcomes are remembered, where the cluster does not keep them
 * @param outcomeRetention for how long nobody takes the place of a commit's outcome, where the cluster keeps them; the same on all nodes
 * @param closeTimeout how long closing waits for transactions to end
 * @param cluster the cluster's name, which clients are told
 */
public record GatewayOptions(
        String host,
        int port,
        Users users,
        boolean plainTokens,
        SslContext tls,
        Message.Limits limits,
        int connections,
        int waiting,
        Duration helloTimeout,
        Duration slowReaderTimeout,
        int outcomes,
        Duration outcomeRetention,
        Duration closeTimeout,
        String cluster) {

    /** This machine only, any free port, nobody has to prove anything. */
    public static final GatewayOptions DEFAULT = new GatewayOptions(
            "127.0.0.1",
            0,
            Users.EVERYBODY,
            false,
            null,
            new Message.Limits(1024 * 1024, 1024, 1024, 10_000, 1024 * 1024, 10_000, 60_000),
            1024,
            1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            100_000,
            Duration.ofMinutes(10),
            Duration.ofSeconds(5),
            "rcc");

    /** Checks the numbers. */
    public GatewayOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(users, "users");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(cluster, "cluster");
        check("port", port, 0, 0xFFFF);
        check("connections", connections, 1, 1_000_000);
        check("waiting", waiting, 0, 1_000_000);
        check("outcomes", outcomes, 1, 100_000_000);
        check("helloTimeout", helloTimeout);
        check("slowReaderTimeout", slowReaderTimeout);
        check("outcomeRetention", outcomeRetention);
        check("closeTimeout", closeTimeout);
        // One record of any size must fit in a frame.
        check("limits.frameLength", limits.frameLength(), 2 * Wire.RECORD_BYTES_MAX, Wire.LENGTH_MAX);
    }

    /** Listening at another address. */
    public GatewayOptions withAddress(String newHost, int newPort) {
        return new GatewayOptions(
                newHost,
                newPort,
                users,
                plainTokens,
                tls,
                limits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                outcomeRetention,
                closeTimeout,
                cluster);
    }

    /** Letting in only who shows this token, to do everything. */
    public GatewayOptions withToken(String token) {
        check("token's length", token.length(), 1, Wire.TEXT_BYTES_MAX / 4);
        User user = new User("client", Users.hash(token), "", Map.of(User.ALL_TABLES, Role.ADMIN));
        return withUsers(Users.of(List.of(user)), plainTokens);
    }

    /** Letting in only these users, with tokens on connections from other machines that are not encrypted or without. */
    public GatewayOptions withUsers(Users newUsers, boolean newPlainTokens) {
        return new GatewayOptions(
                host,
                port,
                newUsers,
                newPlainTokens,
                tls,
                limits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                outcomeRetention,
                closeTimeout,
                cluster);
    }

    /** With encrypted connections; a context that asks for the client's certificate makes the gateway do so. */
    public GatewayOptions withTls(SslContext newTls) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                newTls,
                limits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                outcomeRetention,
                closeTimeout,
                cluster);
    }

    /** With other limits for each connection. */
    public GatewayOptions withLimits(Message.Limits newLimits) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                tls,
                newLimits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                outcomeRetention,
                closeTimeout,
                cluster);
    }

    /** With other numbers of connections, waiting transactions and remembered outcomes. */
    public GatewayOptions withCapacity(int newConnections, int newWaiting, int newOutcomes) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                tls,
                limits,
                newConnections,
                newWaiting,
                helloTimeout,
                slowReaderTimeout,
                newOutcomes,
                outcomeRetention,
                closeTimeout,
                cluster);
    }

    /** With other times. */
    public GatewayOptions withTimeouts(Duration newHello, Duration newSlowReader, Duration newClose) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                tls,
                limits,
                connections,
                waiting,
                newHello,
                newSlowReader,
                outcomes,
                outcomeRetention,
                newClose,
                cluster);
    }

    /** With another time for which outcomes are kept in the cluster. */
    public GatewayOptions withOutcomeRetention(Duration newRetention) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                tls,
                limits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                newRetention,
                closeTimeout,
                cluster);
    }

    /** With another name of the cluster. */
    public GatewayOptions withCluster(String newCluster) {
        return new GatewayOptions(
                host,
                port,
                users,
                plainTokens,
                tls,
                limits,
                connections,
                waiting,
                helloTimeout,
                slowReaderTimeout,
                outcomes,
                outcomeRetention,
                closeTimeout,
                newCluster);
    }

    private static void check(String what, long given, long min, long max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", got " + given);
        }
    }

    private static void check(String what, Duration given) {
        if (given.isNegative() || given.isZero() || given.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(what + " must be more than 0 and at most a day, got " + given);
        }
    }
}
