package dev.rcc.client;

import dev.rcc.client.wire.Utf8;
import dev.rcc.client.wire.Wire;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a client. Immutable. The {@code with...} methods, each of which returns a changed copy, derive options from {@link #DEFAULT}.
 *
 * @param name the client's name in the gateways' logs and in meters
 * @param token the token that authenticates the client to the gateways, or empty
 * @param plainToken whether the token may be sent to other machines on connections that are not encrypted
 * @param tls the TLS context that encrypts connections and checks the gateways' certificates, or null
 * @param connections the most connections to each gateway, or {@link #ONE_PER_WORKER}; a connection carries many transactions
 * @param connectTimeout how long connecting to one gateway may take, more than 0 and at most a day
 * @param call the deadline and the number of attempts of transactions, for calls without options of their own
 * @param faults faults for tests
 * @param telemetry receives what the client does
 * @param zone the name of the zone that the client is in, such as a data centre, or empty
 */
public record ClientOptions(
        String name,
        String token,
        boolean plainToken,
        SslContext tls,
        int connections,
        Duration connectTimeout,
        CallOptions call,
        FaultInjection faults,
        ClientTelemetry telemetry,
        String zone) {
    /** In place of a number of connections: one connection to each worker of a gateway's node, so that all workers serve the client. */
    public static final int ONE_PER_WORKER = 0;

    private static final int MAX_CONNECTIONS = 64;

    /** One connection to each worker, not encrypted; 2 seconds to connect; {@link CallOptions#DEFAULT}. */
    public static final ClientOptions DEFAULT = new ClientOptions(
            "rcc-client",
            "",
            false,
            null,
            ONE_PER_WORKER,
            Duration.ofSeconds(2),
            CallOptions.DEFAULT,
            FaultInjection.NONE,
            ClientTelemetry.NONE,
            "");

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException when a value is not allowed; the message has the name, the given value and the allowed values
     */
    public ClientOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(telemetry, "telemetry");
        Objects.requireNonNull(zone, "zone");
        Utf8.check("a token", token);
        if (token.length() > Wire.TOKEN_CHARACTERS_MAX) {
            throw new IllegalArgumentException(
                    "a token has at most " + Wire.TOKEN_CHARACTERS_MAX + " characters, got " + token.length());
        }
        if (connections < ONE_PER_WORKER || connections > MAX_CONNECTIONS) {
            throw new IllegalArgumentException("connections must be 1 to " + MAX_CONNECTIONS + ", or " + ONE_PER_WORKER
                    + " for one to each worker, got " + connections);
        }
        Timeouts.checkPositive("connectTimeout", connectTimeout);
    }

    /**
     * {@return these options with another name}
     *
     * @param newName the client's name in the gateways' logs and in meters
     */
    public ClientOptions withName(String newName) {
        return new ClientOptions(
                newName, token, plainToken, tls, connections, connectTimeout, call, faults, telemetry, zone);
    }

    /**
     * {@return these options with a token} It is sent only on encrypted connections, and to gateways on this machine.
     *
     * @param newToken the token of one of the servers' users, at most 512 characters; empty for none
     */
    public ClientOptions withToken(String newToken) {
        return new ClientOptions(
                name, newToken, false, tls, connections, connectTimeout, call, faults, telemetry, zone);
    }

    /**
     * {@return these options with a token that may be sent on any connection} Every host between client and gateway can read it.
     *
     * @param newToken the token of one of the servers' users, at most 512 characters; empty for none
     */
    public ClientOptions withPlainToken(String newToken) {
        return new ClientOptions(name, newToken, true, tls, connections, connectTimeout, call, faults, telemetry, zone);
    }

    /**
     * {@return these options with encrypted connections}
     *
     * @param newTls the TLS context, such as {@link PemFiles#client} returns; null for connections that are not encrypted
     */
    public ClientOptions withTls(SslContext newTls) {
        return new ClientOptions(
                name, token, plainToken, newTls, connections, connectTimeout, call, faults, telemetry, zone);
    }

    /**
     * {@return these options with another number of connections to each gateway, and another time to connect}
     *
     * @param newConnections the most connections to each gateway, 1 to 64, or {@link #ONE_PER_WORKER}
     * @param newConnectTimeout how long connecting to one gateway may take, more than 0 and at most a day
     */
    public ClientOptions withConnections(int newConnections, Duration newConnectTimeout) {
        return new ClientOptions(
                name, token, plainToken, tls, newConnections, newConnectTimeout, call, faults, telemetry, zone);
    }

    /**
     * {@return these options with other deadlines and numbers of attempts}
     *
     * @param newCall the options of transactions and procedure calls without options of their own
     */
    public ClientOptions withCall(CallOptions newCall) {
        return new ClientOptions(
                name, token, plainToken, tls, connections, connectTimeout, newCall, faults, telemetry, zone);
    }

    /**
     * {@return these options with faults} For tests of the program that uses the client.
     *
     * @param newFaults the faults and their rates; {@link FaultInjection#NONE} for no faults
     */
    public ClientOptions inject(FaultInjection newFaults) {
        return new ClientOptions(
                name, token, plainToken, tls, connections, connectTimeout, call, newFaults, telemetry, zone);
    }

    /**
     * {@return these options with a telemetry, which receives what the client does}
     *
     * @param newTelemetry the telemetry, such as {@code dev.rcc.client.micrometer.MicrometerTelemetry}; {@link ClientTelemetry#NONE} for none
     */
    public ClientOptions withTelemetry(ClientTelemetry newTelemetry) {
        return new ClientOptions(
                name, token, plainToken, tls, connections, connectTimeout, call, faults, newTelemetry, zone);
    }

    /**
     * {@return these options with a zone} The client begins transactions at gateways of its zone, even for a record whose primary copy is in
     * another zone. It uses gateways of other zones only when none of its zone answers.
     *
     * @param newZone the zone's name in the servers' configuration ({@code datacenters}); empty for none
     */
    public ClientOptions withZone(String newZone) {
        return new ClientOptions(
                name, token, plainToken, tls, connections, connectTimeout, call, faults, telemetry, newZone);
    }

    /** The number of connections to a gateway whose node has this many workers. */
    int connectionsTo(int workers) {
        return connections == ONE_PER_WORKER ? Math.min(workers, MAX_CONNECTIONS) : connections;
    }
}
