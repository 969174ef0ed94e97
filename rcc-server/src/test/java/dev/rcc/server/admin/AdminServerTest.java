package dev.rcc.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.admin.AdminServer.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AdminServerTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = new AdminServer(new InetSocketAddress("127.0.0.1", 0));
        server.get("/ready", _ -> Answer.unavailable(AdminServer.TEXT, "not yet"));
        server.post("/end", _ -> Answer.ok(AdminServer.TEXT, "ended"));
        server.start();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private HttpResponse<String> ask(String method, String path, String... headers) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    // Goal: a web page in the browser of who runs the node, which reaches loopback as the browser does, ends no node.
    @Test
    void shouldRefuseToActForWebPages() throws Exception {
        for (String origin : List.of("http://example.org", "null")) {
            assertThat(ask("POST", "/end", "Origin", origin).statusCode()).isEqualTo(403);
            assertThat(ask("GET", "/ready", "Origin", origin).body()).isEqualTo("not yet");
        }
    }

    // Goal: probes that want the status only, as those of many load balancers.
    @Test
    void shouldAnswerHeadLikeGetWithoutTheBody() throws Exception {
        HttpResponse<String> get = ask("GET", "/ready");
        HttpResponse<String> head = ask("HEAD", "/ready");
        assertThat(get.body()).isEqualTo("not yet");
        assertThat(head.body()).isEmpty();
        assertThat(head.statusCode()).isEqualTo(get.statusCode()).isEqualTo(503);
        assertThat(head.headers().firstValue("Content-Type"))
                .isEqualTo(get.headers().firstValue("Content-Type"));
    }

    @Test
    void shouldRefuseOtherMethodsThanThePagesOwn() throws Exception {
        assertThat(ask("POST", "/ready").statusCode()).isEqualTo(405);
        assertThat(ask("HEAD", "/end").statusCode()).isEqualTo(405);
        assertThat(ask("GET", "/end").body()).isEqualTo("/end: allowed: POST\n");
        assertThat(ask("POST", "/end").body()).isEqualTo("ended");
    }
}
