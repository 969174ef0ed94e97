package dev.rcc.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long an agent lends its process to a driver. The process makes no nodes: it counts how often a node was to serve. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BenchAgentTest {
    private final Semaphore served = new Semaphore(0);
    private final HttpClient http = HttpClient.newHttpClient();
    private AdminServer admin;

    @BeforeEach
    void start() throws IOException {
        ClusterConfig config =
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)));
        NodeHost host = new NodeHost(
                (_, _) -> serve(), config, 0, new InnerFront(_ -> {}), new FirstFailure(new AtomicReference<>()));
        admin = new AdminServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        new BenchAgent(host, Optional.empty(), _ -> null, _ -> null).addTo(admin);
        admin.start();
    }

    private NodeServer serve() {
        served.release();
        throw new IllegalStateException("the test needs no node");
    }

    @AfterEach
    void close() {
        http.shutdownNow();
        admin.close();
    }

    private InputStream borrow() throws IOException, InterruptedException {
        return post("borrow");
    }

    private InputStream post(String step) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + admin.address().getPort() + "/bench/" + step);
        return http.send(
                        HttpRequest.newBuilder(uri)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.ofInputStream())
                .body();
    }

    @Test
    void shouldServeAgainWhenTheDriverHasClosedTheConnectionOfItsLease() throws Exception {
        borrow().close();
        served.acquire();
    }

    @Test
    void shouldEndTheLeaseThatIsGivenBackAndServeOnce() throws Exception {
        try (InputStream lease = borrow();
                InputStream given = post("return")) {
            given.readAllBytes();
            lease.readAllBytes();
        }
        assertThat(served.availablePermits()).isEqualTo(1);
    }

    @Test
    void shouldLendToTheNextDriverWithoutServingInBetween() throws Exception {
        InputStream first = borrow();
        try (InputStream second = borrow()) {
            first.readAllBytes();
            assertThat(second.read()).isEqualTo('.');
        }
        served.acquire();
        assertThat(served.availablePermits()).isZero();
    }
}
