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

    /** All options at once; what is called before is forgotten, but for the registries. */
    public RccClientBuilder options(ClientOptions newOptions) {
        options = Objects.requireNonNull(newOptions, "options");
        return this;
    }

    /** What the client calls itself in the gateways' logs and in meters. */
    public RccClientBuilder name(String name) {
        options = options.withName(name);
        return this;
    }

    /** As {@link ClientOptions#withPlainToken}. */
    public RccClientBuilder plainToken(String token) {
        options = options.withPlainToken(token);
        return this;
    }

    /** What proves to the gateways that the client may come in; as {@link ClientOptions#withToken}. */
    public RccClientBuilder token(String token) {
        options = options.withToken(token);
        return this;
    }

    /** Encrypts connections, and checks the gateways' certificates; the context may hold the client's own certificate. */
    public RccClientBuilder tls(SslContext tls) {
        options = options.withTls(tls);
        return this;
    }

    /** Time for all attempts of a transaction together, unless a call says otherwise. */
    public RccClientBuilder deadline(Duration deadline) {
        options = options.withCall(options.call().withDeadline(deadline));
        return this;
    }

    /** Most attempts of a transaction, unless a call says otherwise. */
    public RccClientBuilder maxAttempts(int maxAttempts) {
        options = options.withCall(options.call().withMaxAttempts(maxAttempts));
        return this;
    }

    /** Longest waits before the second and before any attempt of a transaction, unless a call says otherwise. */
    public RccClientBuilder backoff(Duration base, Duration max) {
        options = options.withCall(options.call().withBackoff(base, max));
        return this;
    }

    /** Most connections to each gateway. */
    public RccClientBuilder connections(int connections) {
        options = options.withConnections(connections, options.connectTimeout());
        return this;
    }

    /** How long connecting to one gateway may take. */
    public RccClientBuilder connectTimeout(Duration connectTimeout) {
        options = options.withConnections(options.connections(), connectTimeout);
        return this;
    }

    /** Faults, for tests of the program that uses the client. */
    public RccClientBuilder inject(FaultInjection faults) {
        options = options.inject(faults);
        return this;
    }

    /** Where the client's meters go; needs {@code micrometer-core} on the class path. */
    public RccClientBuilder meterRegistry(MeterRegistry registry) {
        meters = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /** Where the client's observations go, for traces; needs {@code micrometer-core} on the class path. */
    public RccClientBuilder observationRegistry(ObservationRegistry registry) {
        observations = Objects.requireNonNull(registry, "registry");
        return this;
    }

    /**
     * Connects.
     *
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
