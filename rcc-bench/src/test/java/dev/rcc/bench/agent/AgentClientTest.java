package dev.rcc.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.admin.AdminServer.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver waits for a node that works, however long, but not for a process that is silent. This test plays the node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AgentClientTest {
    private static final int BEAT_MILLIS = 20;
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final AdminServer server = new AdminServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private AgentClient agent;

    AgentClientTest() throws IOException {}

    @BeforeEach
    void start() {
        server.post("/bench/borrow", _ -> new Answer(HttpURLConnection.HTTP_OK, AdminServer.BYTES, this::beat));
        server.post("/bench/work", _ -> {
            TimeUnit.MILLISECONDS.sleep(SILENCE.toMillis() * 2);
            return Answer.ok(AdminServer.JSON, "{}");
        });
        server.post("/bench/hang", _ -> {
            silent.countDown();
            over.await();
            return Answer.ok(AdminServer.JSON, "{}");
        });
        server.start();
        URI admin = URI.create("http://127.0.0.1:" + server.address().getPort() + "/");
        agent = new AgentClient(7, admin, node -> "node " + node + " sleeps", SILENCE);
    }

    private void beat(OutputStream out) throws IOException {
        try {
            do {
                out.write('.');
                out.flush();
            } while (!silent.await(BEAT_MILLIS, TimeUnit.MILLISECONDS));
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        over.countDown();
        agent.close();
        server.close();
    }

    @Test
    void shouldWaitForANodeThatWorksLongerThanItMayBeSilent() throws Exception {
        agent.borrow();
        assertThat(agent.post("work", "")).isEmpty();
    }

    @Test
    void shouldNotWaitForANodeThatFallsSilent() throws Exception {
        agent.borrow();
        assertThatExceptionOfType(NodeLost.class)
                .isThrownBy(() -> agent.post("hang", ""))
                .withMessage("node 7 sleeps");
    }

    @Test
    void shouldGiveASilentNodeBackWithoutWaitingForIt() throws Exception {
        agent.borrow();
        assertThatExceptionOfType(NodeLost.class).isThrownBy(() -> agent.post("hang", ""));
        agent.giveBack();
    }

    @Test
    void shouldWaitForASilentNodeIfItsSilenceIsExpected() throws Exception {
        agent.borrow();
        agent.expectSilence();
        silent.countDown();
        assertThat(agent.post("work", "")).isEmpty();
    }
}
