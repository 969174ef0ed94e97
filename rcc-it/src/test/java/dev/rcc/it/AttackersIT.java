package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.handshake.HandshakeClient;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attacker that reaches the ports of three server processes, and has all of their configuration but the secret. */
class AttackersIT {
    private static final int NODES = 3;
    private static final String CLUSTER = "attacked";
    private static final String GUESSED = "a secret that is not the one of the cluster";
    private static final Pattern DIRECT_BYTES =
            Pattern.compile("(?m)^jvm_buffer_memory_used_bytes\\{id=\"direct\"\\S* ([0-9.E]+)$");
    /** The memory that connections that come and go may leave for a moment; a buffer for each would be far more. */
    private static final double DIRECT_BYTES_MORE = 32 << 20;

    @TempDir
    private Path directory;

    private ServerProcesses servers;

    @BeforeEach
    void startAll() throws Exception {
        LongTest.ATTACKERS.assumeDrawn();
        servers = ServerProcesses.start(directory, CLUSTER, NODES, List.of(), "tables: [accounts:long:16:100]");
    }

    @AfterEach
    void endAll() {
        if (servers != null) {
            servers.close();
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(RccProcess.HANG_SECONDS));
        return socket;
    }

    /** All that a port answers to some bytes. */
    private static byte[] answerTo(int port, byte[] bytes) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(bytes);
            for (int read = socket.getInputStream().read();
                    read >= 0;
                    read = socket.getInputStream().read()) {
                answer.write(read);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*"); // closed before it had read all
        }
        return answer.toByteArray();
    }

    private String metrics(int node) throws IOException {
        return Admin.get(servers.state(node), "/metrics").body();
    }

    private void assertNobodyWasLost() throws IOException {
        for (int node = 0; node < NODES; node++) {
            assertThat(metrics(node))
                    .contains("rcc_peers_missing{node=\"" + node + "\"} 0.0")
                    .contains("rcc_fabric_lost_connections_total{node=\"" + node + "\"} 0.0");
        }
    }

    /** A node's hello as it was before there was a handshake: to a wrong one, a node answered with the right values. */
    private static byte[] plainHello(String cluster, int nodes, long incarnation) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        out.writeByte(1);
        out.writeLong(0x5243_4320_4354_524CL);
        out.writeInt(1);
        out.writeInt(1);
        out.writeInt(0);
        out.writeInt(nodes);
        out.writeLong(incarnation);
        out.writeUTF(cluster);
        out.writeUTF("");
        return ByteBuffer.allocate(4 + body.size())
                .putInt(body.size())
                .put(body.toByteArray())
                .array();
    }

    /** A connection that begins like a peer's, but slowly: byte by byte, and no byte behind the last but one. */
    private static final class Slow {
        private final Socket socket;
        private final byte[] hello;
        private int said;

        Slow(Socket socket, byte[] hello) {
            this.socket = socket;
            this.hello = hello;
        }

        /** Sends the next byte; returns whether the connection is open. */
        boolean sayMore() {
            try {
                if (said < hello.length - 1) {
                    socket.getOutputStream().write(hello[said++]);
                }
                return true;
            } catch (IOException closed) {
                return false;
            }
        }
    }

    /** A READ of the first bytes of some region, as it is on the data port. */
    private static byte[] read(int region) {
        return ByteBuffer.allocate(24)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(24)
                .putInt(5 | 1 << 16)
                .putInt(0)
                .putInt(4096)
                .putLong((long) region << 40)
                .array();
    }

    // Goal: an unauthenticated peer gets no information, takes no node's place and reaches no memory, step by
    // step as one without the secret once could.
    @Test
    void shouldGiveAnUnauthenticatedPeerNoInformationAndNoNodesPlace() throws Exception {
        int control = servers.controlPort(0);
        int data = servers.dataPort(0);
        for (byte[] hello : List.of(
                plainHello("?", NODES, 1),
                plainHello(CLUSTER, 2, 1),
                plainHello(CLUSTER, NODES, Long.MAX_VALUE),
                new byte[100])) {
            byte[] answer = answerTo(control, hello);
            assertThat(new String(answer, StandardCharsets.ISO_8859_1))
                    .doesNotContain(CLUSTER, "differs", "fabric=", "protocol=", "workers=", "incarnation");
            assertThat(answer.length).isLessThanOrEqualTo(3);
        }
        for (int port : List.of(control, data)) {
            for (String secret : List.of(GUESSED, HandshakeClient.NO_SECRET)) {
                HandshakeClient impostor = new HandshakeClient(
                        secret,
                        CLUSTER,
                        port == control ? HandshakeClient.CONTROL : HandshakeClient.TCP_DATA,
                        1,
                        0,
                        Long.MAX_VALUE,
                        0,
                        new byte[port == control ? 0 : 16]);
                try (Socket socket = connect(port)) {
                    assertThat(impostor.shakeHands(socket))
                            .isEqualTo(new HandshakeClient.Answer(HandshakeClient.REFUSED, 0, ""));
                    assertThat(socket.getInputStream().read()).isNegative();
                }
            }
        }
        for (int region = 0; region < 4; region++) {
            assertThat(answerTo(data, read(region)).length).isLessThanOrEqualTo(3);
        }
        assertNobodyWasLost();
        String log = servers.log(0);
        assertThat(log).contains("without a valid proof");
        assertThat(log.length()).as("bytes of logs").isLessThan(20_000);
    }

    // Goal: a node that was killed comes back while an attacker holds more connections than there are places,
    // and goes on to send byte by byte.
    @Test
    void shouldLetANodeRejoinWhileSlowClientsHoldAllConnections() throws Exception {
        byte[] hello = HandshakeClient.control(GUESSED, CLUSTER, 1, 0, 1).hello(new byte[32]);
        try (var threads = Executors.newFixedThreadPool(1)) {
            Future<?> attack = threads.submit(() -> {
                List<Slow> slow = new ArrayList<>();
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        while (slow.size() < 600) {
                            slow.add(new Slow(connect(servers.controlPort(slow.size() % 2)), hello));
                        }
                        for (Slow each : List.copyOf(slow)) {
                            if (!each.sayMore()) {
                                each.socket.close();
                                slow.remove(each);
                            }
                        }
                        TimeUnit.MILLISECONDS.sleep(500);
                    }
                } finally {
                    for (Slow each : slow) {
                        each.socket.close();
                    }
                }
                return null;
            });
            try {
                RccProcess.await(
                        "the places are taken",
                        () -> servers.log(0).contains("event=unauthenticated_connection_closed"));
                servers.kill(NODES - 1);
                servers.start(NODES - 1);
                servers.awaitRunning(NODES - 1);
                assertThat(attack.isDone()).as("the attack goes on").isFalse();
            } finally {
                attack.cancel(true);
            }
        }
    }

    // Goal: connections to the data port that come and go leave no memory behind, without the help of a collection.
    @Test
    void shouldNotUseUpDirectMemoryWhenDataConnectionsComeAndGo() throws Exception {
        double before = directBytes();
        for (int i = 0; i < 2_000; i++) {
            try (Socket socket = connect(servers.dataPort(0))) {
                socket.setSoLinger(true, 0);
            }
        }
        RccProcess.await("what they had is given back", () -> {
            try {
                return directBytes() < before + DIRECT_BYTES_MORE;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertNobodyWasLost();
    }

    private double directBytes() throws IOException {
        Matcher bytes = DIRECT_BYTES.matcher(metrics(0));
        assertThat(bytes.find()).isTrue();
        return Double.parseDouble(bytes.group(1));
    }
}
