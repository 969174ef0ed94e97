package dev.rcc.client.micrometer;

import dev.rcc.client.ClientTelemetry;
import dev.rcc.client.RccException;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Records in Micrometer what a client does. Requests are {@value #REQUESTS}, and connections {@value #CONNECTIONS},
 * {@value #CONNECTIONS_MAX} and {@value #CONNECTING}, as in OpenTelemetry's conventions for database clients. These conventions have no
 * name for transactions, which are {@value #TRANSACTIONS} and {@value #RETRIES}. Histograms have buckets from 1 µs on. The page
 * {@code docs/client.md} lists the tags.
 *
 * <p>With an observation registry, each transaction is also an observation, and its requests are child observations. For any thread.
 */
public final class MicrometerTelemetry implements ClientTelemetry {
    /** The timer of requests. */
    public static final String REQUESTS = "db.client.operation.duration";
    /** The timer of transactions, with all their attempts. */
    public static final String TRANSACTIONS = "rcc.client.transaction.duration";
    /** The counter of a transaction's attempts after the first, by the error that made them necessary. */
    public static final String RETRIES = "rcc.client.transaction.retries";
    /** The gauge of open connections. */
    public static final String CONNECTIONS = "db.client.connection.count";
    /** The gauge of the most connections that the client may open. */
    public static final String CONNECTIONS_MAX = "db.client.connection.max";
    /** The timer of attempts to connect. */
    public static final String CONNECTING = "db.client.connection.create_time";

    /** The name of the observations of requests. */
    static final String REQUEST_OBSERVATION = "db.client.operation";
    /** The name of the observations of transactions. */
    static final String TRANSACTION_OBSERVATION = "rcc.client.transaction";

    /** From 1 µs to 10 s, three in each power of ten. */
    private static final Duration[] BUCKETS = buckets();

    private static final String SYSTEM = "db.system.name";
    private static final String RCC = "rcc";
    private static final String ERROR = "error.type";
    private static final String STATUS = "db.response.status_code";
    private static final String POOL = "db.client.connection.pool.name";

    /** The tags of a timer: an operation and how it ended. */
    private record Series(Operation operation, String error, String status) {}

    private final MeterRegistry meters;
    private final ObservationRegistry observations;
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();
    private final Map<Connections, List<Meter>> gauges = new ConcurrentHashMap<>();

    private MicrometerTelemetry(MeterRegistry meters, ObservationRegistry observations) {
        this.meters = meters;
        this.observations = observations;
    }

    /**
     * {@return a telemetry for these registries} It may serve several clients.
     *
     * @param meters the registry for meters, or null for none
     * @param observations the registry for observations, or null for none
     */
    public static MicrometerTelemetry of(MeterRegistry meters, ObservationRegistry observations) {
        return new MicrometerTelemetry(meters, observations == null ? ObservationRegistry.NOOP : observations);
    }

    private static Duration[] buckets() {
        List<Duration> buckets = new ArrayList<>();
        for (long nanos = 1_000; nanos < 10_000_000_000L; nanos *= 10) {
            buckets.addAll(List.of(Duration.ofNanos(nanos), Duration.ofNanos(2 * nanos), Duration.ofNanos(5 * nanos)));
        }
        buckets.add(Duration.ofSeconds(10));
        return buckets.toArray(Duration[]::new);
    }

    // ---- operations -----------------------------------------------------------------------------------------------

    @Override
    public Call begin(Operation operation, Call parent) {
        return new Timed(operation, observe(operation, parent));
    }

    private Observation observe(Operation operation, Call parent) {
        if (observations.isNoop()) {
            return Observation.NOOP;
        }
        boolean isRequest = operation.kind() == Kind.REQUEST;
        Observation observation = Observation.createNotStarted(
                isRequest ? REQUEST_OBSERVATION : TRANSACTION_OBSERVATION,
                () -> isRequest ? toGateway(operation) : new Observation.Context(),
                observations);
        if (parent instanceof Timed timed) {
            observation.parentObservation(timed.observation);
        }
        String about = operation.table() + operation.procedure();
        return observation
                .contextualName(about.isEmpty() ? operation.name() : operation.name() + " " + about)
                .lowCardinalityKeyValues(KeyValues.of(tags(operation).stream()
                        .map(tag -> KeyValue.of(tag.getKey(), tag.getValue()))
                        .toList()))
                .start();
    }

    /** A context that a tracer shows as a client's call of another process. */
    private static Observation.Context toGateway(Operation operation) {
        SenderContext<Object> context =
                new SenderContext<>((carrier, key, value) -> {}, io.micrometer.observation.transport.Kind.CLIENT);
        context.setCarrier(operation);
        context.setRemoteServiceName(RCC);
        context.setRemoteServiceAddress(operation.gateway());
        return context;
    }

    private static Tags tags(Operation operation) {
        Tags system = Tags.of(
                SYSTEM, RCC, "db.namespace", orNone(operation.cluster()), "db.operation.name", operation.name());
        return operation.kind() == Kind.TRANSACTION
                ? system.and("db.stored_procedure.name", orNone(operation.procedure()))
                : system.and(
                                "db.collection.name",
                                orNone(operation.table()),
                                "db.stored_procedure.name",
                                orNone(operation.procedure()))
                        .and(server(operation.gateway()));
    }

    private static Tags server(String gateway) {
        int colon = gateway.lastIndexOf(':');
        return Tags.of("server.address", gateway.substring(0, colon), "server.port", gateway.substring(colon + 1));
    }

    private static String orNone(String value) {
        return value.isEmpty() ? KeyValue.NONE_VALUE : value;
    }

    private static String errorType(Throwable failure) {
        return switch (failure) {
            case null -> KeyValue.NONE_VALUE;
            case RccException e -> e.code().name();
            default -> failure.getClass().getName();
        };
    }

    /** The number of the error code, if the failure is a {@link RccException}. */
    private static String status(Throwable failure) {
        return failure instanceof RccException e ? Integer.toString(e.code().number()) : KeyValue.NONE_VALUE;
    }

    private Timer timer(Series series) {
        boolean isRequest = series.operation.kind() == Kind.REQUEST;
        Tags end = Tags.of(ERROR, series.error);
        return Timer.builder(isRequest ? REQUESTS : TRANSACTIONS)
                .description(
                        isRequest
                                ? "Requests to gateways, from being sent to the answer"
                                : "Transactions with all their attempts")
                .tags(tags(series.operation).and(isRequest ? end.and(STATUS, series.status) : end))
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    /** An operation that has begun. */
    private final class Timed implements Call {
        private final Operation operation;
        private final Observation observation;
        private final long beginNanos = System.nanoTime();

        Timed(Operation operation, Observation observation) {
            this.operation = operation;
            this.observation = observation;
        }

        @Override
        public void end(Throwable failure) {
            String error = errorType(failure);
            String status = status(failure);
            if (meters != null) {
                timers.computeIfAbsent(new Series(operation, error, status), MicrometerTelemetry.this::timer)
                        .record(System.nanoTime() - beginNanos, TimeUnit.NANOSECONDS);
            }
            observation.lowCardinalityKeyValue(ERROR, error);
            if (operation.kind() == Kind.REQUEST) {
                observation.lowCardinalityKeyValue(STATUS, status);
            }
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }

        @Override
        public void retried(RccException cause) {
            if (meters != null) {
                Counter.builder(RETRIES)
                        .description("Attempts of transactions after the first, by the error that caused them")
                        .tags(tags(operation).and(ERROR, errorType(cause)))
                        .register(meters)
                        .increment();
            }
            observation.event(Observation.Event.of("retry", "retry after " + errorType(cause)));
        }

        @Override
        public Scope enter() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }
    }

    // ---- connections -----------------------------------------------------------------------------------------------

    @Override
    public void opened(Connections connections) {
        if (meters == null) {
            return;
        }
        Tags pool = Tags.of(SYSTEM, RCC, POOL, connections.client());
        gauges.put(
                connections,
                List.of(
                        Gauge.builder(CONNECTIONS, connections, Connections::used)
                                .description("Open connections")
                                .tags(pool.and("db.client.connection.state", "used"))
                                .register(meters),
                        Gauge.builder(CONNECTIONS, connections, Connections::idle)
                                .description("Open connections")
                                .tags(pool.and("db.client.connection.state", "idle"))
                                .register(meters),
                        Gauge.builder(CONNECTIONS_MAX, connections, Connections::max)
                                .description("Most connections to the gateways that the client knows")
                                .tags(pool)
                                .register(meters)));
    }

    @Override
    public void closed(Connections connections) {
        List<Meter> gone = gauges.remove(connections);
        if (gone != null) {
            gone.forEach(meters::remove);
        }
    }

    @Override
    public void connected(String client, String gateway, Duration took, Throwable failure) {
        if (meters != null) {
            Timer.builder(CONNECTING)
                    .description("Attempts to connect to a gateway, including the hello")
                    .tags(Tags.of(SYSTEM, RCC, POOL, client)
                            .and(server(gateway))
                            .and(ERROR, errorType(failure)))
                    .serviceLevelObjectives(BUCKETS)
                    .register(meters)
                    .record(took);
        }
    }
}
