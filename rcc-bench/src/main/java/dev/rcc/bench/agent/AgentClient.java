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
final class AgentClient implements AutoCloseable {
    /** Loading a large database takes long; a process that is gone is noticed at once. */
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** A node that lives says so every second, unless its machine is very busy. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final int node;
    private final URI admin;
    private final Diagnosis diagnosis;
    private final Duration silence;
    /** The diagnosis of a node that does not answer, or null. */
    private volatile String loss;
    /** Listens to the answer to {@link #borrow}, which the agent ends with the lease; or null. */
    private LeaseWatch lease;

    /**
     * A client of a node's agent.
     *
     * @param diagnosis explains to users why the node does not answer
     */
    AgentClient(int node, URI admin, Diagnosis diagnosis) {
        this(node, admin, diagnosis, SILENCE);
    }

    /** For tests: a leased node may be silent for this long. */
    AgentClient(int node, URI admin, Diagnosis diagnosis, Duration silence) {
        this.node = node;
        this.admin = admin;
        this.diagnosis = diagnosis;
        this.silence = silence;
    }

    int node() {
        return node;
    }

    /**
     * Leases the node's process until {@link #giveBack}, or until this process ends. The node notices either, and serves again. A lease that this
     * driver has already is replaced. If the process falls silent, all requests to it fail.
     */
    void borrow() throws InterruptedException {
        // Without a timeout: in later JDKs, it covers an answer's body, too.
        HttpRequest request = HttpRequest.newBuilder(admin.resolve(BenchAgent.ROOT + "borrow"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        LeaseWatch before = lease;
        try (before) { // closed afterwards: the node would serve in between
            lease = new LeaseWatch(send(request), silence, http::shutdownNow);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** The node's process is about to be stopped on purpose: its silence means nothing until it is leased again. */
    void expectSilence() {
        lease.pardon();
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
        }
    }

    /** Closes all connections to the node. A node that is leased serves again. */
    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
        http.shutdownNow();
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
