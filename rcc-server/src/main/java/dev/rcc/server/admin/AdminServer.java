package dev.rcc.server.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP for operators, on virtual threads. It authenticates no client and encrypts nothing: it belongs on an address that
 * only operators reach.
 */
public final class AdminServer implements AutoCloseable {
    /** The type of JSON answers. */
    public static final String JSON = "application/json";
    /** The type of plain text. */
    public static final String TEXT = "text/plain; charset=utf-8";
    /** The type of anything else. */
    public static final String BYTES = "application/octet-stream";

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";
    /** The header that browsers add if a web page sends a request. Such a page reaches loopback, too. */
    private static final String ORIGIN = "Origin";

    private static final int NO_BODY = -1;
    private static final int MAX_BODY_BYTES = 1 << 20;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Binds an address; no request is answered before {@link #start}.
     *
     * @param address with port 0, a port that is free
     * @throws IOException when the address cannot be bound
     */
    public AdminServer(InetSocketAddress address) throws IOException {
        try {
            this.server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException("cannot listen for administrators at " + address + ": " + e.getMessage(), e);
        }
        server.setExecutor(threads);
    }

    /** A request: the query behind the path, empty if there is none, and the body as text. */
    public record Question(String query, String text) {}

    /** Writes the body of an answer. */
    @FunctionalInterface
    public interface Body {
        /** Writes it. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** An answer to a request. */
    public record Answer(int status, String type, Body body) {
        /** The answer to a request that has succeeded. */
        public static Answer ok(String type, String text) {
            return new Answer(HttpURLConnection.HTTP_OK, type, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        }

        /** The answer to a request for a state that does not hold, or not yet. */
        public static Answer unavailable(String type, String text) {
            return new Answer(
                    HttpURLConnection.HTTP_UNAVAILABLE, type, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        }

        private static Answer failed(int status, String text) {
            return new Answer(status, TEXT, out -> out.write((text + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Answers the requests at a path. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers a request; may block. The client receives the message of an exception: an {@link IllegalArgumentException} as
         * the client's mistake, any other exception as the server's.
         */
        Answer answer(Question question) throws Exception;
    }

    /** Adds a handler of GET requests at a path, and nothing below it. A HEAD request gets the same answer without its body. */
    public void get(String path, Handler handler) {
        handle(GET, path, handler);
    }

    /** Adds a handler of POST requests at a path, and nothing below it. */
    public void post(String path, Handler handler) {
        handle("POST", path, handler);
    }

    private void handle(String method, String path, Handler handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                send(exchange, answer(exchange, method, path, handler));
            } catch (IOException e) {
                LOG.debug("the client that asked for {} has disconnected", path, e);
            }
        });
    }

    private static Answer answer(HttpExchange exchange, String method, String path, Handler handler)
            throws IOException {
        if (!exchange.getRequestURI().getPath().equals(path)) {
            return Answer.failed(
                    HttpURLConnection.HTTP_NOT_FOUND,
                    "nothing is at " + exchange.getRequestURI().getPath());
        }
        boolean isAllowed = exchange.getRequestMethod().equals(method) || (method.equals(GET) && isHead(exchange));
        if (!isAllowed) {
            return Answer.failed(HttpURLConnection.HTTP_BAD_METHOD, path + ": allowed: " + method);
        }
        if (!method.equals(GET) && exchange.getRequestHeaders().containsKey(ORIGIN)) {
            return Answer.failed(HttpURLConnection.HTTP_FORBIDDEN, path + ": allowed: requests that no web page sends");
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            return Answer.failed(HttpURLConnection.HTTP_ENTITY_TOO_LARGE, "allowed: " + MAX_BODY_BYTES + " bytes");
        }
        String query = exchange.getRequestURI().getQuery();
        try {
            return handler.answer(new Question(query == null ? "" : query, new String(body, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            return Answer.failed(HttpURLConnection.HTTP_BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.warn("event=admin_request_failed path={}", path, e);
            return Answer.failed(HttpURLConnection.HTTP_INTERNAL_ERROR, e.toString());
        }
    }

    private static boolean isHead(HttpExchange exchange) {
        return exchange.getRequestMethod().equals(HEAD);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.type);
        if (isHead(exchange)) {
            exchange.sendResponseHeaders(answer.status, NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(answer.status, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            answer.body.writeTo(out);
        }
    }

    /** Begins to answer requests. */
    public void start() {
        server.start();
    }

    /** The address at which it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
