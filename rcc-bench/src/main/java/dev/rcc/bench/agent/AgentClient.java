package dev.rcc.bench.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The driver's connections to the agent of one node. */
final class AgentClient {
    /** Loading a large database takes long; a process that is gone is noticed at once. */
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HttpClient http;
    private final int node;
    private final URI admin;
    /** The answer to {@link #borrow}, which the agent ends with the lease. */
    private InputStream lease = InputStream.nullInputStream();

    AgentClient(HttpClient http, int node, URI admin) {
        this.http = http;
        this.node = node;
        this.admin = admin;
    }

    int node() {
        return node;
    }

    /**
     * Leases the node's process until {@link #giveBack}, or until this process ends. The node notices either, and serves again. A lease that this
     * driver has already is replaced.
     */
    void borrow() throws InterruptedException {
        // Without a timeout: in later JDKs, it covers an answer's body, too.
        HttpRequest request = HttpRequest.newBuilder(admin.resolve(BenchAgent.ROOT + "borrow"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        InputStream before = lease;
        try (before) { // closed afterwards: the node would serve in between
            lease = send(request);
        } catch (IOException e) {
            throw failed(request, e);
        }
    }

    /** Ends the lease; the node serves again. */
    void giveBack() throws InterruptedException {
        try {
            JsonNode _ = post("return", "");
        } finally {
            endLease();
        }
    }

    /** Closes the connection of the lease, if there is one. */
    void endLease() {
        try {
            lease.close();
        } catch (IOException e) {
            // it is closed already
        }
    }

    /** Makes the agent run a step, and waits until the step is done. */
    JsonNode post(String step, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(admin.resolve(BenchAgent.ROOT + step))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (InputStream in = send(request)) {
            return MAPPER.readTree(in.readAllBytes());
        } catch (IOException e) {
            throw failed(request, e);
        }
    }

    /** Opens the agent's data at a path. */
    InputStream get(String path) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(admin.resolve(BenchAgent.ROOT + path))
                .timeout(TIMEOUT)
                .build();
        try {
            return send(request);
        } catch (IOException e) {
            throw failed(request, e);
        }
    }

    private InputStream send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        if (response.statusCode() == HttpURLConnection.HTTP_OK) {
            return response.body();
        }
        try (InputStream in = response.body()) {
            String reason = response.statusCode() == HttpURLConnection.HTTP_NOT_FOUND
                    ? "it takes no benchmarks: it was started without --bench"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            throw new IllegalStateException(
                    "node " + node + ", " + request.uri().getPath() + ": " + reason);
        }
    }

    private IllegalStateException failed(HttpRequest request, IOException e) {
        return new IllegalStateException(
                "node " + node + " does not answer at " + request.uri() + ": its process is gone or hangs", e);
    }
}
