package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.wire.Frame;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.MessageCodec;
import dev.rcc.client.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClusterTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    /** A gateway that welcomes clients, once it may, and does nothing else. */
    private static final class Welcoming implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final int node;
        private final AtomicInteger connections = new AtomicInteger();
        private final CountDownLatch mayWelcome = new CountDownLatch(1);
        /** How many of the next connections it closes at once. */
        private final AtomicInteger refusals = new AtomicInteger();

        private volatile List<String> members = List.of();

        Welcoming(int node) throws IOException {
            this.node = node;
            Thread.ofVirtual().start(this::accept);
        }

        Endpoint endpoint() {
            return new Endpoint("127.0.0.1", server.getLocalPort());
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = server.accept();
                    connections.incrementAndGet();
                    if (refusals.getAndDecrement() > 0) {
                        client.close();
                    } else {
                        Thread.ofVirtual().start(() -> serve(client));
                    }
                }
            } catch (IOException closed) {
                // the test is over
            }
        }

        private void serve(Socket client) {
            try (client) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                mayWelcome.await();
                while (true) {
                    byte[] bytes = new byte[in.readInt()];
                    in.readFully(bytes);
                    Frame frame = MessageCodec.decode(Unpooled.wrappedBuffer(bytes));
                    ByteBuf answer = Unpooled.buffer();
                    MessageCodec.encode(new Frame(frame.request(), answer(frame.message())), answer);
                    client.getOutputStream().write(ByteBufUtil.getBytes(answer));
                }
            } catch (IOException | InterruptedException closed) {
                // the client is gone
            }
        }

        private Message.Reply answer(Message request) {
            return request instanceof Message.Hello
                    ? new Message.Welcome(
                            Wire.VERSION,
                            node,
                            node + 1,
                            "rcc",
                            "occ",
                            new Message.Limits(Wire.LENGTH_MAX, 1, 1, 1, 1, 1, 1),
                            members,
                            1)
                    : new Message.Tables(List.of(), true);
        }

        @Override
        public void close() {
            try {
                mayWelcome.countDown();
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Welcoming fast = new Welcoming(0);
    private final Welcoming slow = new Welcoming(1);
    private final Cluster cluster =
            new Cluster(List.of(fast.endpoint(), slow.endpoint()), ClientOptions.DEFAULT.withConnections(1, LONG));

    ClusterTest() throws IOException {
        fast.members = List.of(fast.endpoint().toString(), slow.endpoint().toString());
        slow.members = fast.members;
        fast.mayWelcome.countDown();
    }

    @AfterEach
    void close() {
        cluster.close();
        fast.close();
        slow.close();
    }

    private Endpoint place(Duration time) {
        return cluster.place(null, Deadline.in(time)).endpoint();
    }

    // Goal: a caller that has no time left tells nothing about the gateway. Method: gateways are taken in turn.
    @Test
    void shouldNotTakeAGatewayForFailedBecauseACallerHadNoMoreTime() {
        assertThat(place(LONG)).isEqualTo(fast.endpoint());
        assertThat(place(SHORT)).as("in place of the slow one").isEqualTo(fast.endpoint());
        slow.mayWelcome.countDown();
        assertThat(place(LONG)).isEqualTo(fast.endpoint());
        assertThat(place(LONG)).isEqualTo(slow.endpoint());
    }

    // Goal: a gateway that has failed, and lets the next attempts wait, is waited for by no caller while there is
    // another one. Method: the
    // gateways name only one, so the other has not left.
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void shouldNotWaitAgainForAGatewayThatHasFailed() throws InterruptedException {
        fast.members = List.of(fast.endpoint().toString());
        slow.refusals.set(1);
        while (slow.connections.get() < 2) {
            assertThat(place(LONG)).isEqualTo(fast.endpoint());
            Thread.sleep(10);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(place(LONG)).as("while an attempt is being made").isEqualTo(fast.endpoint());
        }
        slow.mayWelcome.countDown();
        while (place(LONG).equals(fast.endpoint())) {
            Thread.sleep(10);
        }
    }

    @Test
    void shouldConnectThoughNoCallerHasTheTimeThatThisTakes() {
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> cluster.link(slow.endpoint(), Deadline.in(SHORT)));
        }
        slow.mayWelcome.countDown();
        assertThat(cluster.link(slow.endpoint(), Deadline.in(LONG)).isOpen()).isTrue();
        assertThat(slow.connections).hasValue(1);
    }

    // Goal: a client can use the largest cluster. Method: the welcome names as many gateways as a cluster has nodes, by
    // long names.
    @Test
    void shouldConnectToAGatewayOfALargeCluster() {
        fast.members = IntStream.range(0, 256)
                .mapToObj(i -> "rcc-" + i + ".rcc.production.svc.cluster.local:7400")
                .toList();
        assertThat(cluster.link(fast.endpoint(), Deadline.in(LONG)).welcome().members())
                .isEqualTo(fast.members);
    }
}
