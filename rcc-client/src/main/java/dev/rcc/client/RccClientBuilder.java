package dev.rcc.client;

import dev.rcc.client.micrometer.MicrometerTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Objects;

/**
 * Makes a client step by step; from {@link RccClient#builder}. Says the same as {@link ClientOptions}, and takes Micrometer's
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
     * Sets all options at once; what is called before is forgotten, but for the registries.
     *
     * @param newOptions how the client behaves, not null
     * @return this builder
     */
    public RccClientBuilder options(ClientOptions newOptions) {
        options = Objects.requireNonNull(newOptions, "options");
        return this;
    }

    /**
     * Sets what the client calls itself in the gateways' logs and in meters.
     *
     * @param name for people; the meters of connections have it as their pool's name
     * @return this builder
     */
    public RccClientBuilder name(String name) {
        options = options.withName(name);
        return this;
    }

    /**
     * Sets a token that is sent on any connection, as {@link ClientOptions#withPlainToken}.
     *
     * @param token one that the servers' users have, at most 512 characters
     * @return this builder
     */
    public RccClientBuilder plainToken(String token) {
        options = options.withPlainToken(token);
        return this;
    }

    /**
     * Sets what proves to the gateways that the client may come in, as {@link ClientOptions#withToken}.
     *
     * @param token one that the servers' users have, at most 512 characters
     * @return this builder
     */
    public RccClientBuilder token(String token) {
        options = options.withToken(token);
        return this;
    }

    /**
     * Encrypts connections, and checks the gateways' certificates.
     *
     * @param tls such as {@link PemFiles#client} makes; it may hold the client's own certificate
     * @return this builder
     */
    public RccClientBuilder tls(SslContext tls) {
        options = options.withTls(tls);
        return this;
    }

    /**
     * Sets the time for all attempts of a transaction together, unless a call says otherwise.
     *
     * @param deadline more than 0 and at most a day
     * @return this builder
     */
    public RccClientBuilder deadline(Duration deadline) {
        options = options.withCall(options.call().withDeadline(deadline));
        return this;
    }

    /**
     * Sets the most attempts of a transaction, unless a call says otherwise.
     *
     * @param maxAttempts at least 1; with 1 nothing is tried again
     * @return this builder
     */
    public RccClientBuilder maxAttempts(int maxAttempts) {
        options = options.withCall(options.call().withMaxAttempts(maxAttempts));
        return this;
    }

    /**
     * Sets the longest waits between attempts of a transaction, unless a call says otherwise.
     *
     * @param base before the second attempt, 0 or more
     * @param max before any attempt, at least {@code base}
     * @return this builder
     */
    public RccClientBuilder backoff(Duration base, Duration max) {
        options = options.withCall(options.call().withBackoff(base, max));
        return this;
    }

    /**
     * Sets the most connections to each gateway. Otherwise there is one to each worker of its node.
     *
     * @param connections 1 to 64, each of which carries many transactions; or {@link ClientOptions#ONE_PER_WORKER}
     * @return this builder
     */
    public RccClientBuilder connections(int connections) {
        options = options.withConnections(connections, options.connectTimeout());
        return this;
    }

    /**
     * Sets how long connecting to one gateway may take.
     *
     * @param connectTimeout more than 0
     * @return this builder
     */
    public RccClientBuilder connectTimeout(Duration connectTimeout) {
        options = options.withConnections(options.connections(), connectTimeout);
        return this;
    }

    /**
     * Sets the zone that the client is in, such as a data centre: it begins at gateways there, and at others only when none of these answers.
     *
     * @param zone the name that the servers have for it ({@code datacenters}); empty for none
     * @return this builder
     */
    public RccClientBuilder zone(String zone) {
        options = options.withZone(zone);
        return this;
    }

    /**
     * Makes faults happen, for tests of the program that uses the client.
     *
     * @param faults what happens at which rate
     * @return this builder
     */
    public RccClientBuilder inject(FaultInjection faults) {
        options = options.inject(faults);
        return this;
    }

    /**
     * Sets where the client's meters go; needs {@code micrometer-core} on the class path.
     *
     * @param registry the program's own, not null
     * @return this builder
     */
    public RccClientBuilder meterRegistry(MeterRegistry registry) {
        meters = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Sets where the client's observations go, for traces; needs {@code micrometer-core} on the class path.
     *
     * @param registry the program's own, not null
     * @return this builder
     */
    public RccClientBuilder observationRegistry(ObservationRegistry registry) {
        observations = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Connects. With a registry, what the options say of telemetry is replaced.
     *
     * @return the client, connected to one of the gateways; it is to be closed
     * @throws UnavailableException when none of the gateways can be reached
     * @throws PermissionException when the gateways do not let this client in
     */
    public RccClient connect() {
        ClientOptions all = meters == null && observations == null
                ? options
                : options.withTelemetry(MicrometerTelemetry.of(meters, observations));
        return RccClient.connect(gateways, all);
    }
}
