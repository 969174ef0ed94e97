package dev.rcc.server.gateway;

import static dev.rcc.client.micrometer.MicrometerTelemetry.CONNECTING;
import static dev.rcc.client.micrometer.MicrometerTelemetry.CONNECTIONS;
import static dev.rcc.client.micrometer.MicrometerTelemetry.CONNECTIONS_MAX;
import static dev.rcc.client.micrometer.MicrometerTelemetry.REQUESTS;
import static dev.rcc.client.micrometer.MicrometerTelemetry.RETRIES;
import static dev.rcc.client.micrometer.MicrometerTelemetry.TRANSACTIONS;
import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.ConflictException;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.FaultInjection;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.UnavailableException;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's meters and observations. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TelemetryTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ClientFixture fixture =
            new ClientFixture("nowait", GatewayOptions.DEFAULT.withCluster("bank"), ClientOptions.DEFAULT);

    @AfterEach
    void close() {
        fixture.closeAndInspect();
    }

    private RccClient connect(FaultInjection faults) {
        return RccClient.builder(fixture.gateways.gateway(0).address())
                .name("shop")
                .inject(faults)
                .meterRegistry(meters)
                .connect();
    }

    private long requests(String operation, String table, String error) {
        return meters
                .find(REQUESTS)
                .tag("db.system.name", "rcc")
                .tag("db.namespace", "bank")
                .tag("db.operation.name", operation)
                .tag("db.collection.name", table)
                .tag("error.type", error)
                .tag(
                        "db.response.status_code",
                        error.equals("none")
                                ? "none"
                                : "" + ErrorCode.valueOf(error).number())
                .timers()
                .stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private void await(long wanted, String operation, String table, String error) {
        assertThat(fixture.cluster.await(Duration.ofSeconds(20), () -> requests(operation, table, error) == wanted))
                .as("%s %s %s in %s", operation, table, error, meters.getMetersAsString())
                .isTrue();
    }

    @Test
    void shouldTimeEachRequestByItsOperationTableAndOutcome() {
        try (RccClient client = connect(FaultInjection.NONE)) {
            client.execute(txn -> {
                txn.put(NAMES, "a", 1L);
                txn.insert(NUMBERS, 1L, 1L);
                txn.delete(NUMBERS, 2L);
                txn.get(NAMES, "a");
                txn.scan(NUMBERS, 0L, 9L, 10);
            });
            assertThatExceptionOfType(RecordExistsException.class)
                    .isThrownBy(() -> client.execute(txn -> txn.insert(NUMBERS, 1L, 1L)));
            await(1, "put", "names", "none");
            await(1, "insert", "numbers", "none");
            await(1, "insert", "numbers", "ALREADY_EXISTS");
            await(1, "delete", "numbers", "none");
            await(1, "get", "names", "none");
            await(1, "scan", "numbers", "none");
            await(1, "commit", "none", "none");
        }
        Timer commit = meters.get(REQUESTS).tag("db.operation.name", "commit").timer();
        assertThat(commit.getId().getTag("server.address")).isEqualTo("127.0.0.1");
        assertThat(fixture.gateways.addresses())
                .contains("127.0.0.1:" + commit.getId().getTag("server.port"));
        double[] buckets = Arrays.stream(commit.takeSnapshot().histogramCounts())
                .mapToDouble(bucket -> bucket.bucket(TimeUnit.MICROSECONDS))
                .toArray();
        assertThat(buckets).startsWith(1, 2, 5, 10).endsWith(10_000_000);
    }

    @Test
    void shouldTimeTransactionsAndCountRetriesByError() {
        CallOptions thrice = CallOptions.DEFAULT.withMaxAttempts(3);
        try (RccClient client = connect(FaultInjection.NONE.conflicts(1))) {
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(() -> client.transact(thrice, txn -> {
                        txn.put(NAMES, "a", 1L);
                        return null;
                    }));
            try (OpenTransaction txn = client.begin()) {
                txn.put(NAMES, "a", 1L);
                assertThatExceptionOfType(ConflictException.class).isThrownBy(txn::commit);
            }
        }
        assertThat(transactions("transact", "CONFLICT")).isEqualTo(1);
        assertThat(transactions("manual", "CONFLICT")).isEqualTo(1);
        assertThat(meters.get(RETRIES)
                        .tag("db.operation.name", "transact")
                        .tag("error.type", "CONFLICT")
                        .counter()
                        .count())
                .isEqualTo(2);
        try (RccClient client = connect(FaultInjection.NONE)) {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> client.read(txn -> {
                        throw new ArithmeticException("the program's own");
                    }));
            client.begin().abort();
        }
        assertThat(transactions("read", "java.lang.ArithmeticException")).isEqualTo(1);
        assertThat(transactions("manual", "none")).isEqualTo(1);
    }

    // Goal: an operation that is one request with its commit ends when that fails, even if nothing was sent.
    @Test
    void shouldEndTheRequestOfASingleOperationWhoseTransactionFails() {
        try (RccClient client = RccClient.builder(fixture.gateways.addresses())
                .inject(FaultInjection.NONE.conflicts(1))
                .maxAttempts(3)
                .meterRegistry(meters)
                .connect()) {
            assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> client.insert(NUMBERS, 1L, 1L));
        }
        await(3, "insert", "numbers", "CONFLICT");
        await(3, "commit", "none", "CONFLICT");
    }

    private long transactions(String name, String error) {
        return meters.get(TRANSACTIONS)
                .tag("db.namespace", "bank")
                .tag("db.operation.name", name)
                .tag("error.type", error)
                .timer()
                .count();
    }

    @Test
    void shouldShowConnectionsForAsLongAsTheClientIsOpen() {
        try (RccClient client = connect(FaultInjection.NONE)) {
            client.execute(txn -> txn.put(NAMES, "a", 1L));
            assertThat(connections("idle") + connections("used")).isPositive();
            assertThat(meters.get(CONNECTIONS_MAX).gauge().value()).isEqualTo(3); // one to each gateway
            assertThat(meters.get(CONNECTING)
                            .tag("db.client.connection.pool.name", "shop")
                            .tag("error.type", "none")
                            .timers())
                    .isNotEmpty();
        }
        assertThat(meters.find(CONNECTIONS).meters()).isEmpty();
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() ->
                        RccClient.builder("127.0.0.1:1").meterRegistry(meters).connect());
        assertThat(meters.get(CONNECTING)
                        .tag("server.port", "1")
                        .tag("error.type", "UNAVAILABLE")
                        .timer()
                        .count())
                .isPositive();
        assertThat(meters.find(CONNECTIONS).meters()).isEmpty();
    }

    private double connections(String state) {
        return meters.get(CONNECTIONS)
                .tag("db.client.connection.state", state)
                .tag("db.client.connection.pool.name", "shop")
                .gauge()
                .value();
    }

    // Micrometer's exporters demand that all meters of a name have the same keys.
    @Test
    void shouldGiveAllMetersOfANameTheSameKeys() {
        try (RccClient client = connect(FaultInjection.NONE.conflicts(0.5).withSeed(3))) {
            client.execute(txn -> txn.put(NAMES, "a", 1L));
            client.read(txn -> txn.get(NAMES, "a"));
            for (String name : List.of(REQUESTS, TRANSACTIONS)) {
                assertThat(meters.get(name).meters().stream()
                                .map(TelemetryTest::keys)
                                .distinct())
                        .hasSize(1);
            }
        }
    }

    private static List<String> keys(Meter meter) {
        return meter.getId().getTags().stream().map(tag -> tag.getKey()).toList();
    }

    @Test
    void shouldObserveTransactionsWithTheirRequestsBelow() {
        List<String> observed = Collections.synchronizedList(new ArrayList<>());
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onStop(Observation.Context context) {
                var parent = context.getParentObservation();
                observed.add(context.getName() + ": " + context.getContextualName()
                        + (parent == null
                                ? ""
                                : " in " + parent.getContextView().getContextualName()) + ", error "
                        + context.getLowCardinalityKeyValue("error.type").getValue());
            }
        });
        List<String> current = new ArrayList<>();
        try (RccClient client = RccClient.builder(fixture.gateways.addresses())
                .observationRegistry(observations)
                .connect()) {
            client.transact(txn -> {
                current.add(observations.getCurrentObservation().getContext().getContextualName());
                return txn.get(NAMES, "a");
            });
        }
        assertThat(current).containsExactly("transact");
        assertThat(observed)
                .containsExactly(
                        "db.client.operation: get names in transact, error none",
                        "db.client.operation: commit in transact, error none",
                        "rcc.client.transaction: transact, error none");
    }
}
