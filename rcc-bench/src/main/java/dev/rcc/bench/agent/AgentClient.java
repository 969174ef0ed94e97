package dev.rcc.bench.agent;

import dev.rcc.bench.driver.BenchNetwork.Processes.Diagnosis;
import java.io.FilterInputStream;
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
    private final Diagnosis diagnosis;
    /** The diagnosis of a node that does not answer, or null. */
    private volatile String loss;
    /** The answer to {@link #borrow}, which the agent ends with the lease. */
    private InputStream lease = InputStream.nullInputStream();

    /**
     * A client of a node's agent.
     *
     * @param diagnosis explains to users why the node does not answer
     */
    AgentClient(HttpClient http, int node, URI admin, Diagnosis diagnosis) {
        this.http = http;
        this.node = node;
        this.admin = admin;
        this.diagnosis = diagnosis;
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
            throw lost(e);
        }
    }

    /**
     * Ends the lease; the node serves again.
     *
     * @throws NodeLost when the node does not answer, unless a step before has failed for this reason
     */
    void giveBack() throws InterruptedException {
        boolean isKnown = loss != null;
        try {
            JsonNode _ = post("return", "");
        } catch (NodeLost e) {
            if (!isKnown) {
                throw e;
            }
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
            throw lost(e);
        }
    }

    /** Opens the agent's data at a path. */
    InputStream get(String path) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(admin.resolve(BenchAgent.ROOT + path))
                .timeout(TIMEOUT)
                .build();
        try {
            return new Data(send(request));
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** The agent's data on its way to a reader, who also writes files: only what fails here is the node's. */
    private final class Data extends FilterInputStream {
        Data(InputStream in) {
            super(in);
        }

        @Override
        public int read() {
            try {
                return in.read();
            } catch (IOException e) {
                throw lost(e);
            }
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            try {
                return in.read(to, offset, length);
            } catch (IOException e) {
                throw lost(e);
            }
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

    private NodeLost lost(IOException e) {
        if (loss == null) {
            loss = diagnosis.of(node);
        }
        return new NodeLost(loss, e);
    }
}
