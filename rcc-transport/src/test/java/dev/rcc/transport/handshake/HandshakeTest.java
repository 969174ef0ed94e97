package dev.rcc.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.control.ChannelCluster;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.TestCertificates;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.handshake.HandshakeClient.Answer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the handshake, at a control channel: a node of cluster {@code test} with a secret, and an attacker with a socket. */
class HandshakeTest {
    private static final String SECRET = "a secret for tests, of 32 characters or more";
    private static final String ANOTHER = "another secret, of 32 characters or more";
    private static final byte[] NONCE = new byte[32];
    private static final long HANG_SECONDS = 60;
    private static final Answer REFUSED_IN_SILENCE = new Answer(HandshakeClient.REFUSED, 0, "");

    @TempDir
    private Path folder;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final List<String> events = new CopyOnWriteArrayList<>();
    private ChannelCluster cluster;

    @BeforeEach
    void expectLog() {
        log.expect();
    }

    @AfterEach
    void close() {
        if (cluster != null) {
            cluster.close();
        }
        log.close();
    }

    private ControlChannel start(int node) throws IOException {
        ControlChannel control = cluster.join(node);
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                events.add(node + " has " + peer);
            }

            @Override
            public void down(int peer) {
                events.add(node + " has lost " + peer);
            }
        });
        control.start();
        return control;
    }

    private void startBoth() throws IOException {
        cluster = new ChannelCluster(
                2,
                options -> options.withSecrets(ClusterSecrets.of(SECRET))
                        .withTimes(Duration.ofMillis(100), Duration.ofSeconds(HANG_SECONDS)));
        ControlChannel zero = start(0);
        ControlChannel one = start(1);
        await(() -> zero.isUp(1) && one.isUp(0));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("hangs").isNegative();
            LockSupport.parkNanos(100_000);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0));
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(HANG_SECONDS));
        return socket;
    }

    private Answer attack(HandshakeClient peer) throws IOException {
        try (Socket socket = connect()) {
            return peer.shakeHands(socket);
        }
    }

    private static HandshakeClient nodeOne(String secret, long incarnation) {
        return HandshakeClient.control(secret, "test", 1, 0, incarnation);
    }

    // Goal: a peer that claims to be a node without a valid proof replaces no node and receives no
    // information, even if all its other data is right.
    @Test
    void shouldRejectPeersWithoutAValidProofAndSendThemNoInformation() throws IOException {
        startBoth();
        long later = Long.MAX_VALUE;
        for (HandshakeClient stranger : List.of(
                nodeOne(ANOTHER, later),
                nodeOne(HandshakeClient.NO_SECRET, later),
                HandshakeClient.control(SECRET, "other", 1, 0, later),
                HandshakeClient.control(ANOTHER, "test", 1, 7, later),
                HandshakeClient.control(ANOTHER, "test", 99, 0, later),
                new HandshakeClient(SECRET, "test", HandshakeClient.TCP_DATA, 1, 0, later, 0, new byte[0]),
                new HandshakeClient(SECRET, "test", HandshakeClient.CONTROL, 1, 0, later, 0, new byte[1]))) {
            assertThat(attack(stranger)).as("%s", stranger).isEqualTo(REFUSED_IN_SILENCE);
        }
        assertThat(events).doesNotContain("0 has lost 1", "1 has lost 0");
        assertThat(cluster.join(0).isUp(1)).isTrue();
        ControlChannel zero = cluster.join(0);
        await(() -> zero.refusedConnections() == 7);
        assertThat(log.messages()).anyMatch(message -> message.contains("without a valid proof"));
    }

    // Goal: a proof is valid once, and for one claim only.
    // Method: send the bytes of a successful handshake again, unchanged or with another claim before the
    // same proof.
    @Test
    void shouldNotBelieveAProofTwice() throws IOException {
        startBoth();
        HandshakeClient honest = nodeOne(SECRET, 1);
        byte[] proof;
        try (Socket socket = connect()) {
            socket.getOutputStream().write(honest.hello(NONCE));
            proof = honest.prove(1, 0, NONCE, challenge(socket));
            socket.getOutputStream().write(HandshakeClient.proof(proof));
            assertThat(HandshakeClient.readAnswer(new DataInputStream(socket.getInputStream()))
                            .type())
                    .isEqualTo(HandshakeClient.ACCEPTED);
        }
        try (Socket socket = connect()) {
            socket.getOutputStream().write(honest.hello(NONCE));
            challenge(socket);
            socket.getOutputStream().write(HandshakeClient.proof(proof));
            assertThat(HandshakeClient.readAnswer(new DataInputStream(socket.getInputStream())))
                    .isEqualTo(REFUSED_IN_SILENCE);
        }
        try (Socket socket = connect()) { // a valid proof of an earlier incarnation, for a later one
            socket.getOutputStream().write(nodeOne(SECRET, Long.MAX_VALUE).hello(NONCE));
            socket.getOutputStream().write(HandshakeClient.proof(honest.prove(1, 0, NONCE, challenge(socket))));
            assertThat(HandshakeClient.readAnswer(new DataInputStream(socket.getInputStream())))
                    .isEqualTo(REFUSED_IN_SILENCE);
        }
        assertThat(events).doesNotContain("0 has lost 1");
    }

    private static byte[] challenge(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        assertThat(in.readByte()).isEqualTo(HandshakeClient.CHALLENGE);
        return in.readNBytes(NONCE.length);
    }

    // Goal: a node's own proof, sent back to it, is refused.
    // Method: at the address of node 0, an impostor sends back the bytes that it receives.
    @Test
    void shouldNotBelieveItsOwnProofReflected() throws IOException {
        cluster = new ChannelCluster(
                2,
                options -> options.withSecrets(ClusterSecrets.of(SECRET))
                        .withTimes(Duration.ofMillis(100), Duration.ofSeconds(HANG_SECONDS)));
        try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ControlChannel one = cluster.join(1);
            InetSocketAddress there = (InetSocketAddress) impostor.getLocalSocketAddress();
            one.peersAt(List.of(there, there));
            one.start();
            try (Socket socket = impostor.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream();
                byte[] hello = in.readNBytes(63);
                assertThat(new String(hello, StandardCharsets.ISO_8859_1))
                        .as("it sends no cluster name before the peer has proven itself")
                        .doesNotContain("test");
                byte[] nonce = Arrays.copyOfRange(hello, 31, 63);
                out.write(HandshakeClient.CHALLENGE);
                out.write(nonce);
                in.skipNBytes(1);
                byte[] proof = in.readNBytes(32);
                out.write(HandshakeClient.ACCEPTED);
                out.write(new byte[8]);
                out.write(proof);
                assertThatCode(() -> assertThat(in.read()).isNegative()).doesNotThrowAnyException();
            }
            await(() -> one.missing().get(0).contains("does not prove to be node 0"));
            assertThat(one.isUp(0)).isFalse();
        }
    }

    // Goal: secrets are replaced node by node, and no node is cut off meanwhile.
    @Test
    void shouldConnectNodesWhileTheirSecretIsReplaced() throws IOException {
        ClusterSecret before = ClusterSecret.of(SECRET);
        ClusterSecret after = ClusterSecret.of(ANOTHER);
        List<List<ClusterSecret>> steps =
                List.of(List.of(before), List.of(before, after), List.of(after, before), List.of(after));
        for (int step = 1; step < steps.size(); step++) {
            for (int ahead = 0; ahead < 2; ahead++) {
                int[] stepOfNode = {ahead == 0 ? step : step - 1, ahead == 1 ? step : step - 1};
                cluster = new ChannelCluster(
                        2, options -> options.withSecrets(() -> steps.get(stepOfNode[options.node()])));
                ControlChannel zero = start(0);
                ControlChannel one = start(1);
                await(() -> zero.isUp(1) && one.isUp(0));
                cluster.close();
            }
        }
    }

    // Goal: slow or silent connections keep no node out.
    // Method: open more connections than are allowed; each sends a part of a hello.
    @Test
    void shouldLetANodeInWhileMoreThanAllPlacesAreTakenByTheSlow() throws IOException {
        cluster = new ChannelCluster(
                2,
                options -> options.withSecrets(ClusterSecrets.of(SECRET))
                        .withTimes(Duration.ofMillis(100), Duration.ofSeconds(HANG_SECONDS)));
        ControlChannel zero = start(0);
        byte[] hello = nodeOne(ANOTHER, 1).hello(NONCE);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = connect();
                socket.getOutputStream().write(hello, 0, 20);
                slow.add(socket);
            }
            ControlChannel one = start(1);
            await(() -> zero.isUp(1) && one.isUp(0));
            assertThat(slow.getFirst().getInputStream().read())
                    .as("the oldest is closed")
                    .isNegative();
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    // Goal: slow bytes do not prolong a handshake: its total time is limited.
    @Test
    void shouldTimeOutAHandshakeThatArrivesByteByByte() throws Exception {
        cluster = new ChannelCluster(
                2,
                options -> options.withSecrets(ClusterSecrets.of(SECRET))
                        .withTimes(Duration.ofMillis(50), Duration.ofMillis(300)));
        start(0);
        byte[] hello = nodeOne(ANOTHER, 1).hello(NONCE);
        try (Socket socket = connect()) {
            int sent = 0;
            try {
                while (sent < hello.length) {
                    socket.getOutputStream().write(hello, sent++, 1);
                    TimeUnit.MILLISECONDS.sleep(50);
                }
            } catch (IOException closed) {
                assertThat(sent).isPositive();
            }
            assertThat(sent).as("bytes of " + hello.length).isLessThan(hello.length);
        }
    }

    // Goal: with certificates, a peer is not accepted with the secret alone, nor with another node's
    // certificate.
    @Test
    void shouldAcceptANodeOnlyWithItsOwnCertificate() throws Exception {
        for (int node = 0; node < 2; node++) {
            TestCertificates.make(folder, "node" + node, "uri:" + NodeCertificates.name("test", node));
        }
        TestCertificates.make(folder, "node2", "uri:" + NodeCertificates.name("test", 2) + ",dns:node1");
        TestCertificates.make(folder, "elsewhere", "uri:" + NodeCertificates.name("other", 1));
        String refusal = "its certificate is not of node 1: it has no subject alternative name URI:urn:rcc:test:node:1";
        assertThat(connects("node0", "node1", refusal)).isTrue();
        assertThat(connects("node0", "node2", refusal)).isFalse();
        assertThat(connects("node0", "elsewhere", refusal)).isFalse();
        assertThat(connects("elsewhere", "node1", "its certificate is not of node 0"))
                .isFalse();
    }

    /** Whether the two nodes connect; if not, waits until the refusal is logged. */
    private boolean connects(String ofZero, String ofOne, String refusal) throws IOException {
        UnaryOperator<String> pem = name -> folder.resolve(name + ".pem").toString();
        TlsOptions[] tls = {
            new TlsOptions(Path.of(pem.apply(ofZero)), folder.resolve(ofZero + ".key"), Path.of(pem.apply(ofOne))),
            new TlsOptions(Path.of(pem.apply(ofOne)), folder.resolve(ofOne + ".key"), Path.of(pem.apply(ofZero)))
        };
        cluster = new ChannelCluster(
                2, options -> options.withSecrets(ClusterSecrets.of(SECRET)).withTls(tls[options.node()]));
        int before = log.messages().size();
        ControlChannel zero = start(0);
        ControlChannel one = start(1);
        await(() -> (zero.isUp(1) && one.isUp(0))
                || log.messages().stream().skip(before).anyMatch(message -> message.contains(refusal)));
        boolean connected = zero.isUp(1);
        cluster.close();
        cluster = null;
        return connected;
    }
}
