package dev.rcc.transport.tcp;

import static dev.rcc.transport.FabricCluster.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.OnWorker;
import dev.rcc.transport.SlowNames;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TestCertificates;
import dev.rcc.transport.handshake.HandshakeClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Behaviour of the network beyond the contract of all networks. */
class TcpFabricTest {
    private static final int ECHO = 1;
    private static final int BIG_REGION = 5;
    private static final int BIG_BYTES = 1 << 20;
    private static final long HANG_SECONDS = 60;

    /** What is between a stream and its socket. */
    private enum Way {
        NOTHING,
        WITH_TLS,
        WITH_DELAY
    }

    @TempDir
    private static Path folder;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private TcpNetwork network;
    private FabricCluster cluster;

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

    private static TcpOptions options(Way way) throws Exception {
        return switch (way) {
            case NOTHING -> TcpOptions.DEFAULT;
            case WITH_TLS -> TcpOptions.DEFAULT.withTls(TestCertificates.tls(folder, "node", "node"));
            case WITH_DELAY -> {
                LinkFaults faults = new LinkFaults(1);
                faults.delay(0, Duration.ofMillis(2), Duration.ZERO);
                faults.delay(1, Duration.ofMillis(2), Duration.ZERO);
                yield TcpOptions.DEFAULT.withFaults(faults);
            }
        };
    }

    private FabricCluster cluster(TcpOptions options, int... workersOfNode) {
        return cluster(new TcpNetwork(workersOfNode.length, options), workersOfNode);
    }

    private FabricCluster cluster(TcpNetwork of, int... workersOfNode) {
        network = of;
        cluster = new FabricCluster(network, workersOfNode);
        cluster.handleEverywhere(ECHO, TcpFabricTest::echo);
        return cluster;
    }

    private static void echo(RpcRequest request) {
        int bytes = Math.min(request.payloadBytes(), request.responseCapacity());
        request.payload().copy(request.payloadOffset(), request.response(), request.responseOffset(), bytes);
        request.reply(bytes);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("hangs").isNegative();
            LockSupport.parkNanos(100_000);
        }
    }

    /** A network where the workers of node 1 never run. */
    private static TcpNetwork withoutWorkersOfNode1(TcpOptions options) {
        return new TcpNetwork(2, options) {
            @Override
            public void start(Worker worker) {
                if (worker.node() != 1) {
                    super.start(worker);
                }
            }

            @Override
            public void close(Worker worker) {
                if (worker.node() != 1) {
                    super.close(worker);
                }
            }
        };
    }

    @Test
    void shouldReachTheMemoryOfANodeWhoseWorkersDoNothing() throws Exception {
        cluster(withoutWorkersOfNode1(TcpOptions.DEFAULT), 1, 2).start();
        cluster.run(0, 0, on -> {
            on.endpoint
                    .batch(1)
                    .cas(at(1, 0), 0, 5, on.local(0))
                    .fetchAdd(at(1, 0), 2, on.local(8))
                    .post(on.completion);
            on.awaitSuccess();
            assertThat(on.get(8)).isEqualTo(5);
            return null;
        });
        assertThat(cluster.data(1).getAcquire(0)).isEqualTo(7);
    }

    // Goal: batches may be longer than a frame, on the way there, on the way back, or in a single request.
    @Test
    void shouldCarryOutBatchesThatAreLongerThanAFrame() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1);
        Memory big = cluster.fabric(1).register(BIG_REGION, BIG_BYTES).memory();
        for (int i = 0; i < BIG_BYTES; i += 8) {
            big.putLong(i, i);
        }
        cluster.start();
        int requests = 1000;
        int bytes = 4001;
        cluster.run(0, 0, on -> {
            Batch batch = on.endpoint.batch(1);
            for (int i = 0; i < requests; i++) {
                batch.write(on.local(0), bytes, at(1, i)).fetchAdd(at(1, 8192), 1, on.local(8L * (i % 8)));
            }
            batch.post(on.completion);
            assertThat(on.completion.outstanding()).isEqualTo(1);
            on.awaitSuccess();
            assertThat(on.get(8L * ((requests - 1) % 8))).isEqualTo(requests - 1);
            for (int i = 0; i < requests; i++) {
                batch = i == 0 ? on.endpoint.batch(1) : batch;
                batch.read(RemoteAddress.of(1, BIG_REGION, 8L * i), bytes, on.local(0));
            }
            batch.fetchAdd(at(1, 8192), 1, on.local(4088)).post(on.completion);
            on.awaitSuccess();
            assertThat(on.get(0)).isEqualTo(8L * (requests - 1));
            assertThat(on.get(4088)).isEqualTo(requests);
            // A single READ into the slices of all coroutines; this is the only coroutine.
            on.endpoint
                    .batch(1)
                    .read(RemoteAddress.of(1, BIG_REGION, 0), BIG_BYTES, 0)
                    .post(on.completion);
            on.awaitSuccess();
            for (int i = 0; i < OnWorker.SLICE_BYTES * 256; i += 8) {
                assertThat(on.get(i)).isEqualTo(i);
            }
            on.put(BIG_BYTES - 8, 99);
            on.endpoint
                    .batch(1)
                    .write(0, BIG_BYTES, RemoteAddress.of(1, BIG_REGION, 0))
                    .post(on.completion);
            on.awaitSuccess();
            return null;
        });
        assertThat(big.getAcquire(BIG_BYTES - 8)).isEqualTo(99);
        assertThat(big.getAcquire(BIG_BYTES - 16)).isEqualTo(BIG_BYTES - 16);
    }

    @Test
    void shouldCarryTheLongestMessageAndRefuseALongerOne() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1).start();
        int longest = TcpFrames.MAX_MESSAGE_BYTES;
        cluster.run(0, 0, on -> {
            on.put(longest - 8, 77);
            on.endpoint.call(1, ECHO, 0, longest, 0, longest, on.completion);
            on.awaitSuccess();
            assertThat(on.get(longest - 8)).isEqualTo(77);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> on.endpoint.call(1, ECHO, 0, longest + 1, 0, 8, on.completion))
                    .withMessageContainingAll("" + longest, "" + (longest + 1));
            assertThat(on.completion.outstanding()).isZero();
            return null;
        });
    }

    @Test
    void shouldNotPostABatchThatLeavesTheBuffers() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1).start();
        cluster.run(0, 0, on -> {
            long end = 256L * OnWorker.SLICE_BYTES;
            for (int peer = 0; peer < 2; peer++) {
                Batch batch = on.endpoint.batch(peer).writeWord(1, at(peer, 8)).read(at(peer, 0), 16, end - 8);
                assertThatThrownBy(() -> batch.post(on.completion)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThat(on.completion.outstanding()).isZero();
            }
            on.call(1, ECHO, 0, 8);
            on.awaitSuccess();
            return null;
        });
        assertThat(cluster.data(1).getAcquire(8)).isZero();
    }

    @Test
    void shouldReconnectWhenTheLinkIsRestored() throws Exception {
        cluster(TcpOptions.DEFAULT, 2, 1).start();
        for (int round = 0; round < 3; round++) {
            int added = round;
            network.cluster().cut(0, 1);
            await(() -> !cluster.fabric(0).isReachable(1) && !cluster.fabric(1).isReachable(0));
            cluster.run(0, 1, on -> {
                on.call(1, ECHO, 0, 8);
                assertThat(on.awaitFailure()).isEqualTo(1);
                return null;
            });
            network.cluster().heal(0, 1);
            await(() -> cluster.fabric(0).isReachable(1) && cluster.fabric(1).isReachable(0));
            for (int node = 0; node < 2; node++) {
                int peer = 1 - node;
                cluster.run(node, 0, on -> {
                    on.call(peer, ECHO, 0, 8);
                    on.endpoint
                            .batch(peer)
                            .fetchAdd(at(peer, 0), 1, on.local(16))
                            .post(on.completion);
                    on.awaitSuccess();
                    assertThat(on.get(16)).isEqualTo(added);
                    return null;
                });
            }
        }
    }

    // Goal: an operation that has failed with its link takes no effect once a later one can succeed.
    // Method: an I/O thread stays amid a frame, where it logs a bad address, while the link is made anew on others.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotUseALinkWhileAFrameOfTheEarlierOneIsCarriedOut(int node) throws Exception {
        int peer = 1 - node;
        TcpOptions one = TcpOptions.DEFAULT;
        TcpOptions many = new TcpOptions(
                one.host(),
                one.port(),
                one.transport(),
                16,
                one.stallTimeout(),
                one.tls(),
                one.faults(),
                one.isSlower());
        cluster(many, 1, 1).start();
        try (HeldLog held = new HeldLog(TcpMemoryServer.class)) {
            CompletableFuture<Integer> failed = cluster.start(peer, 0, on -> {
                on.endpoint
                        .batch(node)
                        .read(RemoteAddress.of(node, BIG_REGION, 0), 8, on.local(0))
                        .post(on.completion);
                return on.awaitFailure();
            });
            held.awaitMessage();
            network.cluster().cut(0, 1);
            assertThat(cluster.join(failed)).isEqualTo(node);
            await(() -> !cluster.fabric(node).isReachable(peer));
            network.cluster().heal(0, 1);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            while (System.nanoTime() - end < 0) {
                assertThat(cluster.fabric(node).isReachable(peer)).isFalse();
                LockSupport.parkNanos(100_000);
            }
        }
        await(() -> cluster.fabric(node).isReachable(peer));
    }

    /** Keeps the threads that log a message waiting until it is closed. */
    private static final class HeldLog extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger;
        private final CountDownLatch logged = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        HeldLog(Class<?> of) {
            logger = (Logger) LoggerFactory.getLogger(of);
            start();
            logger.addAppender(this);
        }

        void awaitMessage() throws InterruptedException {
            assertThat(logged.await(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        protected void append(ILoggingEvent event) {
            logged.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            goOn.countDown();
        }
    }

    // Goal: requests to a peer that does not read fail. The memory that they occupy is bounded by the
    // outstanding requests.
    // Method: the workers of node 1 never run, and more bytes are sent than sockets hold.
    @ParameterizedTest
    @EnumSource
    void shouldGiveUpAPeerThatTakesNothing(Way way) throws Exception {
        cluster(withoutWorkersOfNode1(options(way).withStallTimeout(Duration.ofMillis(300))), 1, 1)
                .start();
        List<CompletableFuture<Integer>> failed = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            failed.add(cluster.start(0, 0, on -> {
                for (int call = 0; call < 100; call++) {
                    on.endpoint.call(1, ECHO, on.local(0), 4096, on.local(0), 4096, on.completion);
                }
                return on.awaitFailure();
            }));
        }
        for (CompletableFuture<Integer> peer : failed) {
            assertThat(cluster.join(peer)).isEqualTo(1);
        }
        assertThat(log.messages()).anyMatch(message -> message.contains("the peer has read nothing for PT0.3S"));
    }

    // Goal: the I/O thread does not wait for ever until results are taken.
    // Method: READs whose results are more bytes than sockets hold; after the first results, the worker that
    // is to take them does nothing until it is given up.
    @ParameterizedTest
    @EnumSource
    void shouldGiveUpAPeerThatTakesNoResults(Way way) throws Exception {
        cluster(options(way).withStallTimeout(Duration.ofMillis(300)), 1, 1);
        cluster.fabric(1).register(BIG_REGION, BIG_BYTES);
        cluster.start();
        int failed = cluster.run(0, 0, on -> {
            Completion first = new Completion(on.coroutine);
            for (int i = 0; i < 100; i++) {
                on.endpoint
                        .batch(1)
                        .read(RemoteAddress.of(1, BIG_REGION, 0), BIG_BYTES - 4096, 0)
                        .post(i == 0 ? first : on.completion);
            }
            assertThat(first.await()).isTrue();
            cluster.worker(0, 0)
                    .execute(() -> await(() -> log.messages().stream()
                            .anyMatch(message -> message.contains("it has read no results for PT0.3S"))));
            return on.awaitFailure();
        });
        assertThat(failed).isEqualTo(1);
    }

    // Goal: the I/O thread stops reading while results are not taken, instead of keeping more and more of
    // them. It goes on when they are taken.
    // Method: READs whose results would be a gigabyte, of which nothing is read until the writing is blocked.
    @ParameterizedTest
    @EnumSource
    void shouldStopReadingBatchesWhoseResultsAreNotTaken(Way way) throws Exception {
        cluster(options(way), 1, 1);
        cluster.fabric(1).register(BIG_REGION, BIG_BYTES);
        cluster.start();
        int batches = 120;
        List<CompletableFuture<Void>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            results.add(cluster.start(0, 0, on -> {
                for (int batch = 0; batch < batches / 8; batch++) {
                    for (int j = 0; j < 8; j++) {
                        on.endpoint
                                .batch(1)
                                .read(RemoteAddress.of(1, BIG_REGION, 0), BIG_BYTES - 4096, 0)
                                .post(on.completion);
                    }
                    on.awaitSuccess();
                }
                return null;
            }));
        }
        for (CompletableFuture<Void> result : results) {
            cluster.join(result);
        }
    }

    // Goal: the same for results that wait for the end of a simulated delay, for which the peer is not given up.
    @Test
    void shouldStopReadingBatchesWhoseResultsAreDelayed() throws Exception {
        LinkFaults faults = new LinkFaults(1);
        cluster(TcpOptions.DEFAULT.withFaults(faults).withStallTimeout(Duration.ofMillis(50)), 1, 1);
        cluster.fabric(1).register(BIG_REGION, BIG_BYTES);
        cluster.start();
        faults.delay(0, Duration.ofHours(1), Duration.ZERO);
        CompletableFuture<Integer> failed = cluster.start(0, 0, on -> {
            for (int i = 0; i < 32; i++) {
                on.endpoint
                        .batch(1)
                        .read(RemoteAddress.of(1, BIG_REGION, 0), BIG_BYTES - 4096, 0)
                        .post(on.completion);
            }
            return on.awaitFailure();
        });
        await(() -> sentBy(1) > 4L * BIG_BYTES);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        while (System.nanoTime() - end < 0) {
            assertThat(sentBy(1)).isLessThan(8L * BIG_BYTES);
            LockSupport.parkNanos(100_000);
        }
        assertThat(failed).isNotDone();
        network.cluster().cut(0, 1);
        assertThat(cluster.join(failed)).isEqualTo(1);
    }

    private long sentBy(int node) {
        return cluster.fabric(node).counters().get(FabricCounter.BYTES_SENT);
    }

    @Test
    void shouldRejectConnectionsWithoutAValidToken() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1).start();
        TcpFabric fabric = (TcpFabric) network.fabric(0);
        for (int node : new int[] {1, 0, -1, 2, Integer.MAX_VALUE}) {
            long before = fabric.rejectedConnections();
            HandshakeClient peer = new HandshakeClient(
                    HandshakeClient.NO_SECRET,
                    "test",
                    HandshakeClient.TCP_DATA,
                    node,
                    0,
                    1,
                    0,
                    new byte[TcpFrames.TOKEN_BYTES]);
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fabric.port())) {
                assertThat(peer.shakeHands(socket))
                        .isEqualTo(new HandshakeClient.Answer(HandshakeClient.REFUSED, 0, ""));
                assertThat(readUntilClosed(socket)).isZero();
            }
            await(() -> fabric.rejectedConnections() == before + 1);
        }
        assertThat(fabric.isReachable(1)).isTrue();
        assertThat(log.messages()).anyMatch(message -> message.contains("without a valid proof"));
    }

    private static int readUntilClosed(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (IOException e) {
            return 0; // closed with a reset
        }
    }

    @Test
    void shouldLookAPeerUpOnAVirtualThread() throws Exception {
        JvmControl.Cluster nodes = new JvmControl.Cluster(2);
        try (JvmControl peer = nodes.join(0);
                JvmControl control = nodes.join(1);
                TcpFabric fabric = new TcpFabric(control, TcpOptions.DEFAULT);
                SlowNames.Name slow = new SlowNames.Name("data.slow.test")) {
            byte[] token = new byte[TcpFrames.TOKEN_BYTES];
            byte[] answer = new TcpHello(peer.incarnation(), 1, "data.slow.test", 1, token).answer();
            peer.serve(TcpFabric.TOPIC, (node, question) -> answer);
            fabric.start();
            peer.start();
            control.start();
            assertThat(slow.awaitLookup().isVirtual()).isTrue();
        }
    }

    @Test
    void shouldRejectInvalidOptionsAndNameThem() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpOptions.DEFAULT.withAddress("", 1))
                .withMessageContaining("host");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpOptions.DEFAULT.withAddress("localhost", 65_536))
                .withMessageContainingAll("port", "65536");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpOptions.DEFAULT.withStallTimeout(Duration.ofMillis(9)))
                .withMessageContaining("stallTimeout");
    }

    // Goal: once warm, operations allocate nothing on any thread of either node, except Netty's entry for
    // each write on a worker. A round trip here has three such writes; each could carry any number of
    // operations.
    // Method: the bytes that all threads of this JVM allocate in many round trips, divided by their number.
    // They include the allocations of Netty's timers, the test and the JIT, and the JIT may be late. Hence
    // the least of a few attempts counts.
    @Test
    void shouldAllocateOnlyNettysEntryForEachWriteOnceWarm() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1).start();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 3_000;
        long atMost = 3L * 64 + 16;
        long bytes = cluster.run(0, 0, on -> {
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 12 && least > atMost; attempt++) {
                long before = threads.getTotalThreadAllocatedBytes();
                roundTrips(on, rounds);
                least = Math.min(least, (threads.getTotalThreadAllocatedBytes() - before) / rounds);
            }
            return least;
        });
        assertThat(bytes).as("bytes per round trip of a call and a batch").isLessThanOrEqualTo(atMost);
    }

    private static void roundTrips(OnWorker on, int count) {
        for (int i = 0; i < count; i++) {
            on.call(1, ECHO, 0, 8);
            on.endpoint
                    .batch(1)
                    .fetchAdd(at(1, 0), 1, on.local(16))
                    .read(at(1, 8), 64, on.local(24))
                    .post(on.completion);
            on.awaitSuccess();
        }
    }

    // Goal: a delay lengthens round trips, and loses, doubles and reorders nothing.
    @Test
    void shouldWorkOverLinksWithDelayAndJitter() throws Exception {
        LinkFaults faults = new LinkFaults(1);
        faults.delay(1, Duration.ofMillis(2), Duration.ofMillis(3));
        cluster(TcpOptions.DEFAULT.withFaults(faults), 1, 1).start();
        List<CompletableFuture<Void>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            results.add(cluster.start(0, 0, on -> {
                for (int round = 0; round < 20; round++) {
                    on.put(0, round);
                    long begin = System.nanoTime();
                    on.call(1, ECHO, 0, 8);
                    on.endpoint.batch(1).fetchAdd(at(1, 0), 1, on.local(16)).post(on.completion);
                    on.awaitSuccess();
                    assertThat(on.get(8)).isEqualTo(round);
                    assertThat(System.nanoTime() - begin)
                            .isGreaterThanOrEqualTo(Duration.ofMillis(2).toNanos());
                }
                return null;
            }));
        }
        for (CompletableFuture<Void> result : results) {
            cluster.join(result);
        }
        assertThat(cluster.data(1).getAcquire(0)).isEqualTo(160);
    }

    // Goal: requests under load fail, and the fabric still reaches its own node.
    @Test
    void shouldFailOutstandingRequestsWhenTheLinkIsCut() throws Exception {
        cluster(TcpOptions.DEFAULT, 1, 1).start();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<Integer> failed = cluster.start(0, 0, on -> {
            Completion completion = new Completion(on.coroutine);
            for (int round = 0; ; round++) {
                on.endpoint.batch(1).fetchAdd(at(1, 0), 1, on.local(0)).post(completion);
                on.endpoint.call(1, ECHO, on.local(0), 8, on.local(8), 8, completion);
                if (!completion.await()) {
                    return completion.failedPeer();
                }
                if (round == 100) {
                    busy.complete(null);
                }
            }
        });
        busy.get(HANG_SECONDS, TimeUnit.SECONDS);
        network.cluster().cut(0, 1);
        assertThat(cluster.join(failed)).isEqualTo(1);
        Fabric fabric = cluster.fabric(0);
        assertThat(fabric.isReachable(0)).isTrue();
    }
}
