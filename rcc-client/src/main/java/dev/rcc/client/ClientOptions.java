package dev.rcc.client;

import dev.rcc.client.wire.Wire;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Objects;

/**
 * How a client behaves. Immutable; made from {@link #DEFAULT} by the {@code with...} methods, each of which returns a changed copy.
 *
 * @param name what the client calls itself in the gateways' logs
 * @param token what proves to the gateways that it may come in, or empty
 * @param plainToken whether the token may be sent to other machines on connections that are not encrypted
 * @param tls what encrypts connections and checks the gateways' certificates, or null
 * @param connections most connections to each gateway; a connection carries many transactions
 * @param connectTimeout how long connecting to one gateway may take
 * @param call how long and how often transactions are tried, unless a call says otherwise
 * @param faults faults for tests
 * @param telemetry is told what the client does
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
        ClientTelemetry telemetry) {
    /** One connection to each gateway, not encrypted. */
    public static final ClientOptions DEFAULT = new ClientOptions(
            "rcc-client",
            "",
            false,
            null,
            1,
            Duration.ofSeconds(2),
            CallOptions.DEFAULT,
            FaultInjection.NONE,
            ClientTelemetry.NONE);

    /** Checks the numbers. */
    public ClientOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(faults, "faults");
        Objects.requireNonNull(telemetry, "telemetry");
        if (token.length() > Wire.TEXT_BYTES_MAX / 4) {
            throw new IllegalArgumentException(
                    "a token has at most " + Wire.TEXT_BYTES_MAX / 4 + " characters, got " + token.length());
        }
        if (connections < 1 || connections > 64) {
            throw new IllegalArgumentException("connections must be 1 to 64, got " + connections);
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connectTimeout must be more than 0, got " + connectTimeout);
        }
    }

    /** With another name. */
    public ClientOptions withName(String newName) {
        return new ClientOptions(newName, token, plainToken, tls, connections, connectTimeout, call, faults, telemetry);
    }

    /** With a token. It is sent only on encrypted connections, and to gateways on this machine. */
    public ClientOptions withToken(String newToken) {
        return new ClientOptions(name, newToken, false, tls, connections, connectTimeout, call, faults, telemetry);
    }

    /** With a token that may be sent on any connection: whoever is on the way can read it. */
    public ClientOptions withPlainToken(String newToken) {
        return new ClientOptions(name, newToken, true, tls, connections, connectTimeout, call, faults, telemetry);
    }

    /** With encrypted connections. */
    public ClientOptions withTls(SslContext newTls) {
        return new ClientOptions(name, token, plainToken, newTls, connections, connectTimeout, call, faults, telemetry);
    }

    /** With another number of connections to each gateway, and another time to connect. */
    public ClientOptions withConnections(int newConnections, Duration newConnectTimeout) {
        return new ClientOptions(
                name, token, plainToken, tls, newConnections, newConnectTimeout, call, faults, telemetry);
    }

    /** With other deadlines and numbers of attempts. */
    public ClientOptions withCall(CallOptions newCall) {
        return new ClientOptions(name, token, plainToken, tls, connections, connectTimeout, newCall, faults, telemetry);
    }

    /** With faults, for tests of the program that uses the client. */
    public ClientOptions inject(FaultInjection newFaults) {
        return new ClientOptions(name, token, plainToken, tls, connections, connectTimeout, call, newFaults, telemetry);
    }

    /** With somebody who is told what the client does, such as {@code dev.rcc.client.micrometer.MicrometerTelemetry}. */
    public ClientOptions withTelemetry(ClientTelemetry newTelemetry) {
        return new ClientOptions(name, token, plainToken, tls, connections, connectTimeout, call, faults, newTelemetry);
    }
}
