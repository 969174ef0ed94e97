package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.cli.FreePorts;
import dev.rcc.transport.handshake.HandshakeClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Connections to a server process that come and go. */
class ConnectionsIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int THREADS = 4;
    private static final int WARM_UP = 2_000;
    private static final int CYCLES = 10_000;
    /** The size of a leak of less than a hundred bytes a connection. */
    private static final long HEAP_BYTES = 1_000_000;
    /** Files and threads of the JVM's own come and go: some that it loads late, some that carry virtual threads. */
    private static final int FEW = 4;

    /** The collections to wait for: an object behind a cleaned one is garbage only then, and the other end closes a little later than ours. */
    private static final int COLLECTIONS = 80;

    private static final Pattern CLIENTS = Pattern.compile("clients at (\\S+)");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");
    private static final Pattern LIVE_THREADS = Pattern.compile("(?m)^jvm_threads_live_threads\\S* ([0-9.E]+)$");

    @TempDir
    private Path directory;

    /** Connects, perhaps sends something, and closes. */
    private interface Cycle {
        void run() throws IOException;
    }

    /** The size of a process, and the contents of its heap. */
    private record Size(long files, long threads, long heapBytes, String classes) {
        private static final int CLASSES = 12;

        boolean isHardlyMoreThan(Size before) {
            return files <= before.files + FEW
                    && threads <= before.threads + FEW
                    && heapBytes < before.heapBytes + HEAP_BYTES;
        }

        @Override
        public String toString() {
            return files + " files, " + threads + " threads, " + heapBytes + " bytes of heap, most of them\n"
                    + classes.lines().limit(CLASSES).collect(Collectors.joining("\n")) + "\n";
        }
    }

    // Goal: a connection that comes and goes, in order or not, leaves nothing behind in the server, at any
    // of its ports.
    @Test
    void shouldNotGrowWithConnectionsThatComeAndGo(TestReporter reporter) throws Exception {
        LongTest.CONNECTIONS.assumeDrawn();
        List<Integer> ports = FreePorts.draw(2);
        String state = directory.resolve("state.json").toString();
        List<String> command = new ArrayList<>(List.of("server", "--node", "0", "--state", state));
        command.addAll(List.of(
                "--peers",
                "127.0.0.1:" + ports.get(0),
                "--tcp.port",
                ports.get(1).toString()));
        try (RccProcess server = RccProcess.start(directory, command)) {
            server.awaitOut("running: ");
            Matcher clients = CLIENTS.matcher(server.out());
            assertThat(clients.find()).as("%s", server).isTrue();
            String gateway = clients.group(1);
            RccProcess.await("its file", () -> Files.exists(Path.of(state)));
            JsonNode node = MAPPER.readTree(Files.readString(Path.of(state)));
            String admin = node.get("admin").asString().substring("http://".length());
            String control = "127.0.0.1:" + ports.get(0);
            String data = "127.0.0.1:" + ports.get(1);
            List<Cycle> cycles = List.of(
                    () -> plain(gateway),
                    () -> hello(gateway),
                    () -> plain(control),
                    () -> refused(control, helloOfAnotherSecret()),
                    () -> plain(data),
                    () -> refused(data, new byte[64]),
                    () -> plain(admin),
                    () -> exchange(
                            admin,
                            "GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            run(cycles, WARM_UP);
            Size before = sizeOf(server, node);
            long begin = System.nanoTime();
            run(cycles, CYCLES);
            long nanos = System.nanoTime() - begin;
            Size after = sizeOf(server, node);
            for (int i = 1; i < COLLECTIONS && !after.isHardlyMoreThan(before); i++) {
                TimeUnit.MILLISECONDS.sleep(500); // the timers of connections without a hello run out
                after = sizeOf(server, node);
            }
            String sizes = before + " before, " + after + " after " + CYCLES + " connections in "
                    + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
            reporter.publishEntry("connections", sizes);
            assertThat(after.isHardlyMoreThan(before)).as(sizes).isTrue();
            assertThat(server.out().length() + server.err().length())
                    .as("bytes of logs")
                    .isLessThan(100_000);
            hello(gateway);
        }
    }

    private static void run(List<Cycle> cycles, int count) throws Exception {
        try (var threads = Executors.newFixedThreadPool(THREADS)) {
            List<CompletableFuture<Void>> shares = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                shares.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = first; i < count; i += THREADS) {
                                try {
                                    cycles.get(i / THREADS % cycles.size()).run();
                                } catch (IOException e) {
                                    throw new AssertionError("cycle " + i, e);
                                }
                            }
                        },
                        threads));
            }
            CompletableFuture.allOf(shares.toArray(CompletableFuture[]::new))
                    .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Socket connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(RccProcess.HANG_SECONDS));
        return socket;
    }

    /** Sends nothing, and resets the connection. */
    private static void plain(String address) throws IOException {
        try (Socket socket = connect(address)) {
            socket.setSoLinger(true, 0);
        }
    }

    private static void hello(String gateway) throws IOException {
        try (WireConnection connection = new WireConnection(gateway)) {
            connection.hello();
        }
    }

    /** Sends something, and waits for an answer or the end. */
    private static void exchange(String address, byte[] question) throws IOException {
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(question);
            int _ = new DataInputStream(socket.getInputStream()).read(new byte[512]);
        }
    }

    /** Sends something that is refused: the end may be a reset, if not all of it was read. */
    private static void refused(String address, byte[] question) throws IOException {
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(question);
            try {
                int _ = socket.getInputStream().read();
            } catch (SocketException e) {
                return; // reset; running into the timeout would be another exception
            }
        }
    }

    /** The hello of a node of another cluster to the control channel, with an invalid proof; it is refused. */
    private static byte[] helloOfAnotherSecret() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HandshakeClient stranger =
                HandshakeClient.control("a secret of other nodes, 32 characters", "strangers", 1, 0, 1);
        bytes.write(stranger.hello(new byte[32]));
        bytes.write(HandshakeClient.proof(new byte[32]));
        return bytes.toByteArray();
    }

    private static Size sizeOf(RccProcess server, JsonNode node) throws Exception {
        long pid = server.process().pid();
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String classes = Machine.run(jcmd, Long.toString(pid), "GC.class_histogram"); // collects before
        Matcher total = TOTAL.matcher(classes);
        Matcher threads = LIVE_THREADS.matcher(Admin.get(node, "/metrics").body());
        assertThat(total.find() && threads.find()).isTrue();
        return new Size(
                files(pid), (long) Double.parseDouble(threads.group(1)), Long.parseLong(total.group(1)), classes);
    }

    private static long files(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        }
    }
}
