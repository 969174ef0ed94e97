package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.tcp.TcpProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cluster's first start ends at any of its steps on the nodes' disks; the next start takes it up.
 *
 * <p>Method: from one operation on, a disk fails. The steps are counted up until a first start has no more operations than that.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class FirstStartTest {
    private static final List<FailingDisk.Fault> FAULTS = List.of(FailingDisk.Fault.values());
    private static final int NODES = 3;
    private static final long KEYS = 6;
    /** Far more than a first start has. */
    private static final int STEPS_MAX = 1000;

    private static final long BIRTH = TimeUnit.DAYS.toNanos(20_000);

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(5);
    private LoopbackPeers peers;
    private final NodeHost[] hosts = new NodeHost[NODES];
    private FailingDisk[] disks;
    /** By node: how often it has run. */
    private final AtomicIntegerArray runs = new AtomicIntegerArray(NODES);

    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    @AfterEach
    void close() {
        closeAll();
    }

    private static ClusterConfig config() {
        Protocol protocol = Protocols.byName("nowait");
        return ClusterConfig.of(
                        protocol, List.of(TableSchema.ofLongKeys(0, "t", 8, 10).ordered(256)))
                .withCode(HybridCode.uniform(protocol, Primitive.RPC))
                .withShape(NODES, 1, 1, NODES)
                .withMemory(1 << 14, 1 << 14, 1 << 12);
    }

    private static DurabilityOptions on(Path data, FailingDisk disk) {
        return DurabilityOptions.in(data).withDisk(disk);
    }

    // ---- in one JVM ------------------------------------------------------------------------------------------------

    /** Starts a cluster; if it begins anew, with records of a value. */
    private static EmbeddedCluster start(ClusterConfig config, long value) {
        EmbeddedCluster cluster = new EmbeddedCluster(config);
        try {
            if (!cluster.isRecovered()) {
                for (long key = 0; key < KEYS; key++) {
                    cluster.loader().load(cluster.catalog().table(0), key, record -> record.putLong(0, value));
                }
            }
            cluster.start();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    /** The values of the records on all nodes. */
    private static Set<Long> values(EmbeddedCluster cluster) {
        Set<Long> values = new HashSet<>();
        for (int node = 0; node < NODES; node++) {
            for (int partition = 0; partition < NODES; partition++) {
                TablePartition copy = cluster.partition(node, cluster.catalog().table(0), partition);
                int record = copy.table().layout().tuple().recordOffset();
                copy.forEachTuple(tuple -> values.add(copy.memory().getLong(tuple + record)));
            }
        }
        return values;
    }

    private static boolean fails(ClusterConfig config, long value) {
        try (EmbeddedCluster cluster = start(config, value)) {
            return !cluster.failedDisks().isEmpty();
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    @Test
    void shouldStartInOneJvmWithTheRecordsOfOneStart() throws IOException {
        int step = 0;
        boolean failed = true;
        while (failed) {
            FailingDisk disk = new FailingDisk();
            ClusterConfig config = config().withDurability(on(directory.resolve("step" + step), disk));
            disk.failAfter(step, FAULTS.get(step % FAULTS.size()));
            failed = fails(config, 1);
            disk.losePower(random);
            disk.mend();
            Set<Long> values;
            try (EmbeddedCluster cluster = start(config, 2)) {
                values = values(cluster);
                assertThat(values).as("step %d", step).containsExactly(cluster.isRecovered() ? 1L : 2L);
            }
            try (EmbeddedCluster cluster = start(config, 3)) {
                assertThat(cluster.isRecovered()).isTrue();
                assertThat(values(cluster)).isEqualTo(values);
            }
            step++;
            assertThat(step).isLessThan(STEPS_MAX);
        }
    }

    // ---- in processes ----------------------------------------------------------------------------------------------

    private void serve(int node, Path data) {
        ClusterConfig config = config().withDurability(on(data, disks[node]));
        NodeHost.Factory factory = (serving, birth) ->
                new NodeServer(serving, new TcpProvider(), peers.channel(node), birth, Optional.empty());
        InnerFront front = new InnerFront(_ -> runs.incrementAndGet(node));
        hosts[node] = new NodeHost(factory, config, BIRTH, front, new FirstFailure(failure));
        try {
            hosts[node].serve();
        } catch (UncheckedIOException e) {
            failure.set(e);
        }
    }

    /** Starts all nodes, at ports that no connection of an earlier start has taken meanwhile. */
    private void serveAll(Path data) {
        peers = new LoopbackPeers(NODES);
        IntStream.range(0, NODES).forEach(node -> serve(node, data));
    }

    private void closeAll() {
        CompletableFuture.allOf(Stream.of(hosts)
                        .filter(host -> host != null)
                        .map(host -> CompletableFuture.runAsync(host::close))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private boolean haveAllRun(int times) {
        return IntStream.range(0, NODES).allMatch(node -> runs.get(node) == times);
    }

    private void awaitAllRun(int times) throws InterruptedException {
        await(() -> haveAllRun(times) || failure.get() != null);
        assertThat(failure).hasNullValue();
    }

    private void reset() {
        disks = Stream.generate(FailingDisk::new).limit(NODES).toArray(FailingDisk[]::new);
        IntStream.range(0, NODES).forEach(node -> runs.set(node, 0));
    }

    @ParameterizedTest(name = "node {0}, all end: {1}")
    @CsvSource({"2, true", "1, false"})
    void shouldStartInProcesses(int victim, boolean allEnd) throws Exception {
        int step = 0;
        boolean failed = true;
        while (failed) {
            Path data = directory.resolve("step" + step);
            reset();
            disks[victim].failAfter(step, FailingDisk.Fault.ALL);
            serveAll(data);
            await(() -> haveAllRun(1) || failure.get() != null);
            failed = failure.getAndSet(null) != null;
            if (failed && !allEnd) {
                hosts[victim].close();
                disks[victim].losePower(random);
                disks[victim].mend();
                serve(victim, data);
                awaitAllRun(1);
            }
            closeAll();
            for (FailingDisk disk : disks) {
                disk.losePower(random);
                disk.mend();
            }
            failure.set(null); // the end of a start that waits for its peers may be a failure, too
            IntStream.range(0, NODES).forEach(node -> runs.set(node, 0));
            serveAll(data);
            awaitAllRun(1);
            closeAll();
            step++;
            assertThat(step).isLessThan(STEPS_MAX);
        }
        assertThat(step).as("steps of a first start").isGreaterThan(10);
    }
}
