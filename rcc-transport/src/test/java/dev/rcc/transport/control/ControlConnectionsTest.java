package dev.rcc.transport.control;

import static dev.rcc.transport.control.ControlChannelTest.await;
import static dev.rcc.transport.control.ControlContract.HANG_SECONDS;
import static dev.rcc.transport.control.ControlContract.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.handshake.HandshakeClient;
import dev.rcc.transport.handshake.HandshakeServer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.handler.ssl.JdkSslContext;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/**
 * Goal: peers that are admitted and leave, again and again, leave nothing behind. The tests look for anything that grows with each cycle, or with
 * each eighth cycle: threads, files, direct memory, and live objects of any class.
 */
class ControlConnectionsTest {
    private static final int NODES = 3;
    private static final byte[] QUESTION = text("still there?");
    /** Longer than this test: a silent peer must be found by the steps of the test. */
    private static final Duration FAILURE = Duration.ofSeconds(3 * HANG_SECONDS);
    /** The number of the JVM's own threads and files that may come and go. */
    private static final int FEW = 4;
    /** The number of objects that late loading of classes may add, without the names in them. */
    private static final int SOME = 60;

    private static final Set<String> NAMES = Set.of("java.lang.String", "[B");
    /** The amount by which Netty's reserve of memory may differ. */
    private static final long DIRECT_BYTES = 4 << 20;

    private static final Pattern CLASS = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+)");

    @TempDir
    private Path folder;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.rcc.transport");
    private final AtomicInteger ups = new AtomicInteger();
    private final AtomicInteger downs = new AtomicInteger();
    private final ConcurrentLinkedQueue<CompletableFuture<byte[]>> unanswered = new ConcurrentLinkedQueue<>();
    private final Socket[] left = new Socket[NODES];
    private long incarnation;
    private int admitted;

    @BeforeEach
    void silence() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        log.setLevel(null);
    }

    private ControlChannel start(int node, Optional<TlsOptions> tls, InetSocketAddress peers) throws IOException {
        ControlOptions options = ControlOptions.of("test", node, NODES).withTimes(FAILURE.dividedBy(3), FAILURE);
        ControlChannel control = ControlChannel.bind(
                tls.map(options::withTls).orElse(options), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        control.peersAt(List.of(peers, peers, peers));
        control.serve("echo", (peer, question) -> question);
        control.serveLater("later", (peer, question) -> {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            unanswered.add(answer);
            return answer;
        });
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                ups.addAndGet(peer == node ? 0 : 1);
            }

            @Override
            public void down(int peer) {
                downs.addAndGet(peer == node ? 0 : 1);
            }
        });
        control.start();
        return control;
    }

    // ---- measurement -----------------------------------------------------------------------------------------------

    /** The histogram stays a text, so that its own objects do not count. */
    private record Size(long threads, long files, long directBytes, String histogram) {
        static Size now() {
            try {
                String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "gcClassHistogram", // collects garbage first
                                new Object[] {new String[0]},
                                new String[] {String[].class.getName()});
                return new Size(
                        ManagementFactory.getThreadMXBean().getThreadCount(),
                        ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                                .getOpenFileDescriptorCount(),
                        directBytesNow(),
                        histogram);
            } catch (JMException e) {
                throw new IllegalStateException(e);
            }
        }

        private static long directBytesNow() {
            long pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return pools
                    + ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                            .metric()
                            .usedDirectMemory();
        }

        private Map<String, Long> objects() {
            return CLASS.matcher(histogram)
                    .results()
                    .collect(Collectors.toMap(line -> line.group(2), line -> Long.parseLong(line.group(1)), Long::sum));
        }

        /** The kinds of objects and resources that have grown. */
        Map<String, Long> beyond(Size before, int cycles) {
            Map<String, Long> objectsBefore = before.objects();
            Map<String, Long> more = new TreeMap<>(objects());
            more.replaceAll((name, count) -> count - objectsBefore.getOrDefault(name, 0L));
            more.keySet().removeAll(NAMES);
            more.values().removeIf(growth -> growth <= Math.max(cycles / 8, SOME));
            if (threads > before.threads + FEW) {
                more.put("threads", threads - before.threads);
            }
            if (files > before.files + FEW) {
                more.put("files", files - before.files);
            }
            if (directBytes > before.directBytes + DIRECT_BYTES) {
                more.put("bytes of direct memory", directBytes - before.directBytes);
            }
            return more;
        }
    }

    private interface Cycle {
        void run(int number) throws Exception;
    }

    private static void shouldNotGrow(int cycles, Cycle cycle) throws Exception {
        int warmUp = cycles / 4;
        for (int i = 0; i < warmUp; i++) {
            cycle.run(i);
        }
        Size before = Size.now();
        for (int i = warmUp; i < warmUp + cycles; i++) {
            cycle.run(i);
        }
        Size after = Size.now();
        // Other threads may take a moment to end.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!after.beyond(before, cycles).isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(100);
            after = Size.now();
        }
        assertThat(after.beyond(before, cycles))
                .as("growth after %d cycles", cycles)
                .isEmpty();
    }

    // ---- peers that dial -------------------------------------------------------------------------------------------

    /** The ends of a peer that was admitted, or almost. */
    private enum End {
        CLOSED,
        RESET,
        BEFORE_IT_HAS_AN_ANSWER,
        BEFORE_IT_ANSWERS,
        HALF_WAY,
        REPLACED
    }

    private static final End[] ENDS = End.values();

    @ParameterizedTest(name = "tls {0}")
    @CsvSource({"false, 1600", "true, 120"})
    void shouldForgetPeersThatAreLetInAndGo(boolean tls, int cycles) throws Exception {
        Optional<TlsOptions> zero = tls ? Optional.of(TestCertificates.tls(folder, "zero", "one")) : Optional.empty();
        Optional<TlsOptions> one = tls ? Optional.of(TestCertificates.tls(folder, "one", "zero")) : Optional.empty();
        Optional<JdkSslContext> shows = one.map(options -> (JdkSslContext) options.forClient());
        shows.ifPresent(
                context -> context.sessionContext().setSessionCacheSize(1)); // the peers' memory is not measured
        try (ControlChannel control = start(0, zero, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))) {
            shouldNotGrow(cycles, number -> {
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), control.port());
                plain.setTcpNoDelay(true);
                plain.setSoTimeout((int) TimeUnit.SECONDS.toMillis(HANG_SECONDS));
                Socket socket = shows.isPresent()
                        ? shows.get().context().getSocketFactory().createSocket(plain, "node", control.port(), true)
                        : plain;
                int peer = 1 + number / ENDS.length % (NODES - 1);
                visit(control, peer, socket, plain, ENDS[number % ENDS.length]);
            });
            for (int peer = 0; peer < NODES; peer++) {
                if (left[peer] != null) {
                    left[peer].close();
                    left[peer] = null;
                }
            }
            awaitDowns();
            assertThat(ups.get()).isEqualTo(admitted);
            assertThat(control.malformedFrames() + control.refusedConnections()).isZero();
        }
    }

    private void visit(ControlChannel control, int peer, Socket socket, Socket plain, End end) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        HandshakeClient.control(HandshakeClient.NO_SECRET, "test", peer, 0, ++incarnation)
                .shakeHands(socket);
        send(socket, hello(ControlFrames.HELLO));
        assertThat(receive(in)[0]).isEqualTo(ControlFrames.WELCOME);
        if (end == End.HALF_WAY) {
            socket.close();
            return;
        }
        send(socket, new byte[] {ControlFrames.PING});
        admitted++;
        await(() -> ups.get() == admitted);
        if (left[peer] != null) { // this peer has replaced it
            assertEnds(left[peer]);
            left[peer] = null;
        }
        switch (end) {
            case CLOSED, RESET, REPLACED -> {
                send(socket, question("echo"));
                assertThat(receiveAfterPings(in)[0]).isEqualTo(ControlFrames.ANSWER);
            }
            case BEFORE_IT_HAS_AN_ANSWER -> {
                send(socket, question("later"));
                await(() -> !unanswered.isEmpty());
            }
            default -> {}
        }
        CompletableFuture<byte[]> answer = null;
        if (end == End.BEFORE_IT_ANSWERS) {
            answer = control.ask(peer, "anything", QUESTION);
            assertThat(receiveAfterPings(in)[0]).isEqualTo(ControlFrames.QUESTION);
        }
        if (end == End.REPLACED) {
            left[peer] = socket;
            return;
        }
        if (end == End.RESET) {
            plain.setSoLinger(true, 0);
            plain.close();
        } else {
            socket.close();
        }
        awaitDowns();
        if (answer != null) {
            assertThat(answer)
                    .failsWithin(Duration.ofSeconds(HANG_SECONDS))
                    .withThrowableThat()
                    .withCauseInstanceOf(PeerUnreachable.class);
        }
        if (end == End.BEFORE_IT_HAS_AN_ANSWER) {
            unanswered.remove().complete(QUESTION); // the peer that asked is gone
        }
    }

    /** Waits until all peers are down, except those that wait to be replaced. */
    private void awaitDowns() {
        long waiting = Stream.of(left).filter(Objects::nonNull).count();
        await(() -> downs.get() == admitted - waiting);
    }

    private static void assertEnds(Socket socket) throws IOException {
        try (socket) {
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> receiveAfterPings(new DataInputStream(socket.getInputStream())));
        }
    }

    // ---- peers that are dialled ------------------------------------------------------------------------------------

    @Test
    void shouldForgetPeersThatItDialsAndThatGo() throws Exception {
        try (ServerSocket peer = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
                ControlChannel control = start(1, Optional.empty(), (InetSocketAddress) peer.getLocalSocketAddress())) {
            peer.setSoTimeout((int) TimeUnit.SECONDS.toMillis(HANG_SECONDS));
            shouldNotGrow(80, number -> {
                try (Socket socket = peer.accept()) {
                    socket.setTcpNoDelay(true);
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    HandshakeServer.accept(socket, HandshakeClient.NO_SECRET, "test", ++incarnation);
                    assertThat(receive(in)[0]).isEqualTo(ControlFrames.HELLO);
                    send(socket, hello(ControlFrames.WELCOME));
                    assertThat(receive(in)[0]).isEqualTo(ControlFrames.PING);
                    admitted++;
                    await(() -> ups.get() == admitted);
                }
                awaitDowns();
                assertThat(control.isUp(0)).isFalse();
            });
        }
    }

    // ---- frames ----------------------------------------------------------------------------------------------------

    private static byte[] hello(byte type) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(type);
        out.writeInt(ControlFrames.VERSION);
        out.writeInt(NODES);
        out.writeUTF("");
        return bytes.toByteArray();
    }

    private static byte[] question(String topic) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(ControlFrames.QUESTION);
        out.writeLong(1);
        out.writeUTF(topic);
        out.write(QUESTION);
        return bytes.toByteArray();
    }

    private static void send(Socket socket, byte[] frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(frame.length);
        out.write(frame);
        socket.getOutputStream().write(bytes.toByteArray());
    }

    private static byte[] receiveAfterPings(DataInputStream in) throws IOException {
        byte[] frame = receive(in);
        while (frame[0] == ControlFrames.PING) {
            frame = receive(in);
        }
        return frame;
    }

    private static byte[] receive(DataInputStream in) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }
}
