package dev.rcc.transport.control;

import static dev.rcc.transport.control.ControlContract.HANG_SECONDS;
import static dev.rcc.transport.control.ControlContract.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.testing.Seeds;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.SlowNames;
import dev.rcc.transport.control.ControlContract.Events;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.handshake.HandshakeClient;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of the channel beyond {@link ControlContract}: refusals, hostile bytes, connections that only seem alive. */
class ControlChannelTest {
    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private ChannelCluster cluster;
    /** The questions of the topic "note", in the order in which they were served. */
    private final List<String> noted = Collections.synchronizedList(new ArrayList<>());

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

    private ControlChannel start(int node, Events events) throws IOException {
        ControlChannel control = cluster.join(node);
        control.listen(events);
        control.serve("echo", (peer, question) -> question);
        control.serve("note", (peer, question) -> {
            noted.add(text(question));
            return question;
        });
        control.start();
        return control;
    }

    private void startBoth() throws Exception {
        Events[] events = {new Events(), new Events()};
        ControlChannel[] controls = {start(0, events[0]), start(1, events[1])};
        for (int node = 0; node < 2; node++) {
            events[node].expectUp(controls[node]);
            events[node].expectUp(controls[1 - node]);
        }
    }

    /** Waits until {@code condition} holds. */
    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("hangs").isNegative();
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void shouldFailAQuestionWhosePeerDiesBeforeTheAnswer() throws Exception {
        cluster = new ChannelCluster(2);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        ControlChannel peer = cluster.join(0);
        peer.serve("slow", (node, question) -> {
            asked.countDown();
            try {
                failed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return question;
        });
        peer.start();
        Events events = new Events();
        ControlChannel control = start(1, events);
        events.expectUp(control);
        events.expectUp(peer);
        CompletableFuture<byte[]> answer = control.ask(0, "slow", new byte[0]);
        assertThat(asked.await(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
        cluster.link(0, 1).cut();
        assertThatThrownBy(() -> answer.get(HANG_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PeerUnreachable.class);
        failed.countDown();
    }

    @Test
    void shouldServeAPeerWhileItLooksUpAnother() throws Exception {
        cluster = new ChannelCluster(3);
        start(0, new Events());
        ControlChannel control = cluster.join(2);
        try (SlowNames.Name slow = new SlowNames.Name("control.slow.test")) {
            control.peersAt(List.of(
                    cluster.link(0, 2).address(),
                    InetSocketAddress.createUnresolved("control.slow.test", cluster.port(1)),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port(2))));
            control.start();
            slow.awaitLookup();
            await(() -> control.isUp(0));
            assertThat(control.ask(0, "echo", new byte[] {7}).get(HANG_SECONDS, TimeUnit.SECONDS))
                    .containsExactly(7);
        }
    }

    @Test
    void shouldCarryTheLongestMessageAndRefuseALongerOne() throws Exception {
        cluster = new ChannelCluster(2);
        startBoth();
        ControlChannel control = cluster.join(1);
        byte[] longest = new byte[ControlChannel.MAX_MESSAGE_BYTES];
        longest[longest.length - 1] = 7;
        assertThat(control.ask(0, "echo", longest).get(HANG_SECONDS, TimeUnit.SECONDS))
                .isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.ask(0, "echo", new byte[longest.length + 1]))
                .withMessageContainingAll("" + longest.length, "" + (longest.length + 1));
    }

    private static final String SECRET = "a secret for tests, of 32 characters or more";

    @Test
    void shouldRefuseNodesOfOtherConfigurationsAndLogTheReasonAtBothEnds() throws Exception {
        String reason = "configuration differs: 'digest 1' there, 'digest 0' at node 0";
        assertRefused(
                options -> options.withConfiguration("digest " + options.node()).withSecrets(ClusterSecrets.of(SECRET)),
                reason,
                reason);
    }

    @Test
    void shouldSendNoConfigurationValuesToANodeWithoutASecret() throws Exception {
        assertRefused(
                options -> options.withConfiguration("digest " + options.node()),
                "configuration differs: 'digest 1' there, 'digest 0' at node 0",
                "the log of node 0 says why");
    }

    @Test
    void shouldRefuseNodesOfOtherClustersAndWithOtherSecrets() throws Exception {
        assertRefused(
                options -> options.node() == 1
                        ? new ControlOptions(
                                "other",
                                1,
                                2,
                                options.incarnation(),
                                options.heartbeat(),
                                options.failureTimeout(),
                                "",
                                ClusterSecrets.of(SECRET),
                                options.tls(),
                                options.faults())
                        : options.withSecrets(ClusterSecrets.of(SECRET)),
                "without a valid proof; this is cluster 'test'",
                "not accepted as node 1 of cluster 'other'");
        assertRefused(
                options -> options.withSecrets(ClusterSecrets.of(SECRET + options.node())),
                "without a valid proof; this is cluster 'test'",
                "not accepted as node 1 of cluster 'test'");
        assertRefused(
                options -> options.node() == 0 ? options : options.withSecrets(ClusterSecrets.of(SECRET)),
                "without a valid proof; this is cluster 'test'",
                "not accepted as node 1 of cluster 'test'");
    }

    private void assertRefused(UnaryOperator<ControlOptions> options, String... reasonAtNode) throws Exception {
        cluster = new ChannelCluster(2, options);
        ControlChannel[] controls = {start(0, new Events()), start(1, new Events())};
        for (int node = 0; node < 2; node++) {
            ControlChannel control = controls[node];
            String reason = reasonAtNode[node];
            await(() -> log.messages().stream()
                    .anyMatch(message -> message.contains("node=" + control.node() + " ") && message.contains(reason)));
            assertThat(control.isUp(1 - node)).isFalse();
        }
        await(() -> controls[1].missing().getOrDefault(0, "").contains(reasonAtNode[1]));
        await(() -> controls[0].refusedConnections() > 0); // counted after it was logged
        cluster.close();
        cluster = null;
    }

    @Test
    void shouldNotTakeAnotherNodeForTheOneItDials() throws Exception {
        cluster = new ChannelCluster(3);
        ControlChannel control = cluster.join(2);
        var one = new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port(1));
        control.peersAt(List.of(one, one, one));
        control.start();
        start(1, new Events());
        await(() -> control.isUp(1) && control.missing().get(0).contains("looks for node 0, this is node 1"));
    }

    @Test
    void shouldListMissingNodesWithTheReasons() throws Exception {
        cluster = new ChannelCluster(3);
        cluster.kill(0);
        ControlChannel control = cluster.join(1);
        var nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port(0));
        control.peersAt(List.of(nobody, nobody, nobody));
        control.start();
        await(() -> control.missing().get(0).contains("refused"));
        assertThat(control.missing()).containsOnlyKeys(0, 2);
        assertThat(control.missing().get(2)).contains("has not dialled");
    }

    // Goal: the connection of a restarted peer replaces its old connection, though that still looks alive.
    // Method: the old incarnation's link is frozen; the new incarnation dials without the proxy.
    @Test
    void shouldReplaceAConnectionThatOnlySeemsToLive() throws Exception {
        cluster = new ChannelCluster(
                2, options -> options.withTimes(Duration.ofMillis(50), Duration.ofSeconds(HANG_SECONDS)));
        Events events = new Events();
        ControlChannel control = start(0, events);
        events.expectUp(control);
        ControlChannel before = start(1, new Events());
        events.expectUp(before);
        cluster.link(0, 1).freeze();
        cluster.kill(1);
        ControlChannel after = cluster.join(1);
        var direct = new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port(0));
        after.peersAt(List.of(direct, direct));
        after.start();
        events.expect("down 1");
        events.expectUp(after);
        assertThat(control.ask(1, "none", new byte[0]))
                .failsWithin(Duration.ofSeconds(HANG_SECONDS))
                .withThrowableThat()
                .withMessageContaining("does not serve none");
    }

    @Test
    void shouldNotReplaceALaterIncarnationByAnEarlierOne() throws Exception {
        cluster = new ChannelCluster(2, options -> options.withSecrets(ClusterSecrets.of(SECRET)));
        startBoth();
        ControlChannel control = cluster.join(0);
        ControlOptions stale = ControlOptions.of("test", 1, 2)
                .withSecrets(ClusterSecrets.of(SECRET))
                .withIncarnation(1)
                .withTimes(Duration.ofMillis(50), Duration.ofSeconds(1));
        try (ControlChannel twin =
                ControlChannel.bind(stale, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            var direct = new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port(0));
            twin.peersAt(List.of(direct, direct));
            twin.start();
            await(() -> twin.missing().getOrDefault(0, "").contains("later incarnation"));
        }
        assertThat(control.isUp(1)).isTrue();
    }

    @Test
    void shouldCloseUnauthenticatedConnectionsThatSendNothing() throws Exception {
        cluster = new ChannelCluster(2);
        start(0, new Events());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0))) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldRefuseALengthBeforeItMakesRoomForIt() throws Exception {
        cluster = new ChannelCluster(2);
        ControlChannel control = start(0, new Events());
        for (int length : new int[] {0, -1, Integer.MAX_VALUE, ControlFrames.MAX_HELLO_BYTES + 1}) {
            long before = control.malformedFrames();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0))) {
                HandshakeClient.control(HandshakeClient.NO_SECRET, "test", 1, 0, 1)
                        .shakeHands(socket);
                new DataOutputStream(socket.getOutputStream()).writeInt(length);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(control.malformedFrames()).isEqualTo(before + 1);
        }
        assertThat(log.messages()).anyMatch(message -> message.contains("a length of 0 bytes"));
    }

    // Goal: an admitted peer that sends malformed frames loses its connection; nothing else happens.
    // Method: send a valid hello as node 1, then frames that each break one rule.
    @Test
    void shouldEndTheConnectionOfAPeerWhoseFramesAreMalformed() throws Exception {
        cluster = new ChannelCluster(2);
        ControlChannel control = start(0, new Events());
        byte[][] frames = {
            {99},
            {ControlFrames.HELLO},
            {ControlFrames.PING, 0},
            {ControlFrames.QUESTION, 0, 0, 0},
            {ControlFrames.QUESTION, 0, 0, 0, 0, 0, 0, 0, 1, 0, 9, 'x'},
            {ControlFrames.QUESTION, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 0x7F, 'x'},
            {ControlFrames.QUESTION, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, (byte) 0xFF},
            {ControlFrames.ANSWER, 0, 0, 0, 0, 0, 0, 0, 1},
            {ControlFrames.FAILURE, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0},
        };
        for (int i = 0; i < frames.length; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0))) {
                DataOutputStream out = greet(socket, 1000 + i);
                out.writeInt(frames[i].length);
                out.write(frames[i]);
                while (socket.getInputStream().read() >= 0) {} // heartbeats, then the end
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
            assertThat(control.malformedFrames()).as("frame %d", i).isEqualTo(i + 1);
        }
        assertThat(control.missing().get(1)).contains("an answer to question 1, which this node has not sent");
    }

    @Test
    void shouldSurviveRandomBytes() throws Exception {
        cluster = new ChannelCluster(2);
        startBoth();
        ControlChannel control = cluster.join(0);
        Seeds.forEach(1, random -> {
            byte[] bytes = new byte[300];
            for (int round = 0; round < 500; round++) {
                random.nextBytes(bytes);
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0))) {
                    if (random.nextBoolean()) {
                        HandshakeClient.control(HandshakeClient.NO_SECRET, "test", 1, 0, 1)
                                .shakeHands(socket);
                    }
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    if (random.nextBoolean()) {
                        out.writeInt(bytes.length);
                        out.writeByte(random.nextInt(8));
                    }
                    if (random.nextBoolean()) {
                        out.writeInt(ControlFrames.VERSION);
                    }
                    out.write(bytes);
                } catch (IOException e) {
                    assertThat(e)
                            .hasMessageMatching("(?i).*(reset|broken pipe).*"); // it was rejected before it had ended
                }
            }
        });
        assertThat(text(cluster.join(1).ask(0, "echo", text("still there")).get(HANG_SECONDS, TimeUnit.SECONDS)))
                .isEqualTo("still there");
        assertThat(control.isUp(1)).isTrue();
    }

    /** Proves to be node 1 of 2, sends a hello, and waits for the welcome. */
    private static DataOutputStream greet(Socket socket, long incarnation) throws IOException {
        HandshakeClient peer = HandshakeClient.control(HandshakeClient.NO_SECRET, "test", 1, 0, incarnation);
        assertThat(peer.shakeHands(socket).type()).isEqualTo(HandshakeClient.ACCEPTED);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(1 + 8 + 2);
        out.writeByte(ControlFrames.HELLO);
        out.writeInt(ControlFrames.VERSION);
        out.writeInt(2);
        out.writeUTF("");
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(in.readInt());
        out.writeInt(1);
        out.writeByte(ControlFrames.PING);
        return out;
    }

    // Goal: both ends detect a link that is lost in one direction, or in both, and connect again when it is
    // back.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFindALinkThatIsLostAndComesBack(boolean halfOpen) throws Exception {
        LinkFaults faults = new LinkFaults(1);
        cluster = new ChannelCluster(2, options -> options.node() == 0 ? options.withFaults(faults) : options);
        ControlChannel[] controls = {start(0, new Events()), start(1, new Events())};
        for (int round = 0; round < 2; round++) {
            await(() -> controls[0].isUp(1) && controls[1].isUp(0));
            if (halfOpen) {
                faults.cutOutgoing(1);
            } else {
                faults.cut(1);
            }
            await(() -> !controls[0].isUp(1) && !controls[1].isUp(0));
            faults.heal(1);
        }
        await(() -> controls[0].isUp(1) && controls[1].isUp(0));
    }

    @Test
    void shouldDelayMessagesAndKeepTheirOrder() throws Exception {
        LinkFaults faults = new LinkFaults(1);
        faults.delay(1, Duration.ofMillis(20), Duration.ofMillis(5));
        cluster = new ChannelCluster(2, options -> options.node() == 0 ? options.withFaults(faults) : options);
        startBoth();
        long begin = System.nanoTime();
        List<String> inOrder = new ArrayList<>();
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            inOrder.add("" + i);
            answers.add(cluster.join(0).ask(1, "note", text("" + i)));
        }
        for (CompletableFuture<byte[]> answer : answers) {
            answer.get(HANG_SECONDS, TimeUnit.SECONDS); // on a thread of its own: the answers' order shows nothing
        }
        assertThat(noted).isEqualTo(inOrder);
        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    }

    @Test
    void shouldRefuseOptionsThatCannotBeMeant() {
        ControlOptions options = ControlOptions.of("test", 0, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlOptions.of("test", 2, 2))
                .withMessageContainingAll("node", "0 to 1", "2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlOptions.of("test", 0, 257))
                .withMessageContainingAll("nodes", "1 to 256", "257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withTimes(Duration.ofMillis(100), Duration.ofMillis(299)))
                .withMessageContaining("failureTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withConfiguration("x".repeat(513)))
                .withMessageContaining("513");
    }
}
