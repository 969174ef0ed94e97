package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The options of a gateway. Immutable; made from {@link #DEFAULT} by the {@code with...} methods, each of which returns a changed copy.
 *
 * @param host the address that it listens at
 * @param port the port, or 0 for any that is free
 * @param access the users that are admitted, and how they connect
 * @param limits the limits of one connection
 * @param capacity the limits of all connections together
 * @param timeouts how long it waits, and keeps outcomes
 * @param cluster the cluster's name, which is sent to clients
 */
public record GatewayOptions(
        String host,
        int port,
        Access access,
        Message.Limits limits,
        Capacity capacity,
        Timeouts timeouts,
        String cluster) {

    /** This machine only, any free port, no authentication. */
    public static final GatewayOptions DEFAULT = new GatewayOptions(
            "127.0.0.1",
            0,
            new Access(Users.UNCHECKED, false, null),
            new Message.Limits(1024 * 1024, 1024, 1024, 10_000, 1024 * 1024, 10_000, 60_000),
            new Capacity(1024, 1024, 100_000),
            new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofSeconds(5)),
            "rcc");

    /** Checks the numbers. */
    public GatewayOptions {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(access, "access");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(timeouts, "timeouts");
        Objects.requireNonNull(cluster, "cluster");
        check("port", port, 0, 0xFFFF);
        // One record of any size must fit in a frame.
        check("limits.frameLength", limits.frameLength(), 2 * Wire.RECORD_BYTES_MAX, Wire.LENGTH_MAX);
    }

    /**
     * The users that are admitted, and how they connect.
     *
     * @param users the users that are admitted
     * @param plainTokens whether users may show their tokens on connections that are not encrypted, from other machines
     * @param tls the TLS context of connections, or null
     */
    public record Access(Users users, boolean plainTokens, SslContext tls) {
        /** Checks that users are given. */
        public Access {
            Objects.requireNonNull(users, "users");
        }
    }

    /**
     * The limits of all connections of a gateway together.
     *
     * @param connections most connections at once
     * @param waiting most transactions of a worker that wait for a coroutine
     * @param outcomes how many commits' outcomes are remembered, where the cluster does not keep them
     */
    public record Capacity(int connections, int waiting, int outcomes) {
        /** Checks the numbers. */
        public Capacity {
            check("connections", connections, 1, 1_000_000);
            check("waiting", waiting, 0, 1_000_000);
            check("outcomes", outcomes, 1, 100_000_000);
        }
    }

    /**
     * How long a gateway waits, and keeps outcomes; each time is more than 0 and at most a day.
     *
     * @param hello how long a new connection may take to say hello
     * @param slowReader how long a connection may leave its answers unread while a transaction waits for it
     * @param outcomeRetention for how long no other commit replaces a commit's outcome, where the cluster keeps them; the same on
     *     all nodes
     * @param close how long closing waits for transactions to end
     */
    public record Timeouts(Duration hello, Duration slowReader, Duration outcomeRetention, Duration close) {
        /** Checks the times. */
        public Timeouts {
            check("helloTimeout", hello);
            check("slowReaderTimeout", slowReader);
            check("outcomeRetention", outcomeRetention);
            check("closeTimeout", close);
        }
    }

    /** Listening at another address. */
    public GatewayOptions withAddress(String newHost, int newPort) {
        return new GatewayOptions(newHost, newPort, access, limits, capacity, timeouts, cluster);
    }

    /** Admitting only clients that show this token, which may do everything. */
    public GatewayOptions withToken(String token) {
        check("token's length", token.length(), 1, Wire.TEXT_BYTES_MAX / 4);
        User user =
                new User("client", Users.hash(token), "", Map.of(User.ALL_TABLES, Role.ADMIN), Set.of(User.ALL_TABLES));
        return withUsers(Users.of(List.of(user)), access.plainTokens);
    }

    /** Admitting only these users; {@code newPlainTokens} allows tokens on connections from other machines that are not encrypted. */
    public GatewayOptions withUsers(Users newUsers, boolean newPlainTokens) {
        return with(new Access(newUsers, newPlainTokens, access.tls));
    }

    /** With encrypted connections; a context that asks for the client's certificate makes the gateway ask for it. */
    public GatewayOptions withTls(SslContext newTls) {
        return with(new Access(access.users, access.plainTokens, newTls));
    }

    /** With other limits for each connection. */
    public GatewayOptions withLimits(Message.Limits newLimits) {
        return new GatewayOptions(host, port, access, newLimits, capacity, timeouts, cluster);
    }

    /** With other numbers of connections, waiting transactions and remembered outcomes. */
    public GatewayOptions withCapacity(int newConnections, int newWaiting, int newOutcomes) {
        Capacity newCapacity = new Capacity(newConnections, newWaiting, newOutcomes);
        return new GatewayOptions(host, port, access, limits, newCapacity, timeouts, cluster);
    }

    /** With other times. */
    public GatewayOptions withTimeouts(Duration newHello, Duration newSlowReader, Duration newClose) {
        return with(new Timeouts(newHello, newSlowReader, timeouts.outcomeRetention, newClose));
    }

    /** With another time for which outcomes are kept in the cluster. */
    public GatewayOptions withOutcomeRetention(Duration newRetention) {
        return with(new Timeouts(timeouts.hello, timeouts.slowReader, newRetention, timeouts.close));
    }

    /** With another name of the cluster. */
    public GatewayOptions withCluster(String newCluster) {
        return new GatewayOptions(host, port, access, limits, capacity, timeouts, newCluster);
    }

    private GatewayOptions with(Access newAccess) {
        return new GatewayOptions(host, port, newAccess, limits, capacity, timeouts, cluster);
    }

    private GatewayOptions with(Timeouts newTimeouts) {
        return new GatewayOptions(host, port, access, limits, capacity, newTimeouts, cluster);
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
