package dev.rcc.client;

import dev.rcc.client.micrometer.MicrometerTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Objects;

/**
 * Builds a client step by step; made by {@link RccClient#builder}. Sets the same options as {@link ClientOptions}, and takes Micrometer's
 * registries, too. For one thread.
 */
public final class RccClientBuilder {
    private final String gateways;
    private ClientOptions options = ClientOptions.DEFAULT;
    private MeterRegistry meters;
    private ObservationRegistry observations;

    RccClientBuilder(String gateways) {
        this.gateways = Objects.requireNonNull(gateways, "gateways");
    }

    /**
     * Sets all options at once. Options that were set before are dropped, except for the registries.
     *
     * @param newOptions the client's options, not null
     * @return this builder
     */
    public RccClientBuilder options(ClientOptions newOptions) {
        options = Objects.requireNonNull(newOptions, "options");
        return this;
    }

    /**
     * Sets the client's name in the gateways' logs and in meters.
     *
     * @param name a name for people; the meters of connections have it as the pool's name
     * @return this builder
     */
    public RccClientBuilder name(String name) {
        options = options.withName(name);
        return this;
    }

    /**
     * Sets a token that is sent on any connection, encrypted or not, as {@link ClientOptions#withPlainToken}.
     *
     * @param token the token of one of the servers' users, at most 512 characters
     * @return this builder
     */
    public RccClientBuilder plainToken(String token) {
        options = options.withPlainToken(token);
        return this;
    }

    /**
     * Sets the token that authenticates the client to the gateways, as {@link ClientOptions#withToken}.
     *
     * @param token the token of one of the servers' users, at most 512 characters
     * @return this builder
     */
    public RccClientBuilder token(String token) {
        options = options.withToken(token);
        return this;
    }

    /**
     * Encrypts connections, and checks the gateways' certificates.
     *
     * @param tls the TLS context, such as {@link PemFiles#client} returns; it may hold the client's own certificate
     * @return this builder
     */
    public RccClientBuilder tls(SslContext tls) {
        options = options.withTls(tls);
        return this;
    }

    /**
     * Sets the time for all attempts of a transaction together, for calls without options of their own.
     *
     * @param deadline the time, more than 0 and at most a day
     * @return this builder
     */
    public RccClientBuilder deadline(Duration deadline) {
        options = options.withCall(options.call().withDeadline(deadline));
        return this;
    }

    /**
     * Sets the most attempts of a transaction, for calls without options of their own.
     *
     * @param maxAttempts the most attempts, at least 1; with 1 nothing is tried again
     * @return this builder
     */
    public RccClientBuilder maxAttempts(int maxAttempts) {
        options = options.withCall(options.call().withMaxAttempts(maxAttempts));
        return this;
    }

    /**
     * Sets the longest waits between attempts of a transaction, for calls without options of their own.
     *
     * @param base the longest wait before the second attempt, 0 or more
     * @param max the longest wait before any attempt, at least {@code base}
     * @return this builder
     */
    public RccClientBuilder backoff(Duration base, Duration max) {
        options = options.withCall(options.call().withBackoff(base, max));
        return this;
    }

    /**
     * Sets the most connections to each gateway. The default is one connection to each worker of the gateway's node.
     *
     * @param connections the most connections, 1 to 64, each of which carries many transactions; or {@link ClientOptions#ONE_PER_WORKER}
     * @return this builder
     */
    public RccClientBuilder connections(int connections) {
        options = options.withConnections(connections, options.connectTimeout());
        return this;
    }

    /**
     * Sets how long connecting to one gateway may take.
     *
     * @param connectTimeout the time, more than 0
     * @return this builder
     */
    public RccClientBuilder connectTimeout(Duration connectTimeout) {
        options = options.withConnections(options.connections(), connectTimeout);
        return this;
    }

    /**
     * Sets the zone that the client is in, such as a data centre. The client begins at gateways of its zone, and at other gateways only when
     * none of its zone answers.
     *
     * @param zone the zone's name in the servers' configuration ({@code datacenters}); empty for none
     * @return this builder
     */
    public RccClientBuilder zone(String zone) {
        options = options.withZone(zone);
        return this;
    }

    /**
     * Injects faults, for tests of the program that uses the client.
     *
     * @param faults the faults and their rates
     * @return this builder
     */
    public RccClientBuilder inject(FaultInjection faults) {
        options = options.inject(faults);
        return this;
    }

    /**
     * Sets the registry for the client's meters; needs {@code micrometer-core} on the class path.
     *
     * @param registry the program's registry, not null
     * @return this builder
     */
    public RccClientBuilder meterRegistry(MeterRegistry registry) {
        meters = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Sets the registry for the client's observations, for traces; needs {@code micrometer-core} on the class path.
     *
     * @param registry the program's registry, not null
     * @return this builder
     */
    public RccClientBuilder observationRegistry(ObservationRegistry registry) {
        observations = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Connects, as {@link RccClient#connect(String, ClientOptions)}. A registry replaces the telemetry of the options.
     *
     * @return the client, connected to one of the gateways; the caller closes it
     * @throws UnavailableException when none of the gateways can be reached
     * @throws PermissionException when the gateways do not admit this client
     * @throws IllegalArgumentException when one of the addresses is not valid
     */
    public RccClient connect() {
        ClientOptions all = meters == null && observations == null
                ? options
                : options.withTelemetry(MicrometerTelemetry.of(meters, observations));
        return RccClient.connect(gateways, all);
    }
}
