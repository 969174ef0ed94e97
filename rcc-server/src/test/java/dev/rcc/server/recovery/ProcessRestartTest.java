package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.tcp.TcpProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that restarts from its disk while the cluster goes on. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProcessRestartTest {
    private static final int NODES = 3;
    /** The node that restarts. */
    private static final int LATE = 2;
    /** The topic of the question for the configuration that was agreed on last. */
    private static final String LAST = "raft.last";
    /** The topic of the order to begin another incarnation. */
    private static final String ANEW = "anew";
    /** The topic of the question for a node's disk. */
    private static final String DISK = "rcc.restart.state";

    @TempDir
    private Path directory;

    private final LoopbackPeers peers = new LoopbackPeers(NODES);
    private final NodeHost[] hosts = new NodeHost[NODES];
    /** Of the node that restarts, by incarnation, from 0. */
    private final List<HeldControl> controls = new CopyOnWriteArrayList<>();
    /** The incarnations of the node that restarts in which it admitted clients, from 0. */
    private final List<Integer> opened = new CopyOnWriteArrayList<>();

    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    @BeforeEach
    void startAll() {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)))
                .withCode(HybridCode.uniform(protocol, Primitive.RPC))
                .withShape(NODES, 1, 1, NODES)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withRecovery(Duration.ofSeconds(5));
        for (int node = 0; node < NODES; node++) {
            start(node, config);
        }
    }

    @AfterEach
    void closeAll() {
        for (NodeHost host : hosts) {
            host.close();
        }
    }

    private void start(int node, ClusterConfig config) {
        NodeHost.Factory factory = (serving, birth) -> {
            ControlChannel channel = peers.channel(node);
            return create(serving, birth, node == LATE ? held(channel) : channel);
        };
        InnerFront front = new InnerFront(_ -> {
            if (node == LATE) {
                opened.add(controls.size() - 1);
            }
        });
        hosts[node] = new NodeHost(factory, config, TimeUnit.DAYS.toNanos(20_000), front, new FirstFailure(failure));
        hosts[node].serve();
    }

    /** Gives the second incarnation old answers. */
    private HeldControl held(ControlChannel channel) {
        HeldControl control = new HeldControl(channel);
        if (controls.size() == 1) {
            control.repeat(LAST, controls.getFirst());
        }
        controls.add(control);
        return control;
    }

    /** Makes an incarnation, whose disk has no data. */
    private NodeServer create(ClusterConfig config, long birth, Control control) {
        Path own = directory.resolve("node-" + control.node());
        DurabilityOptions disk = DurabilityOptions.in(own.resolve("data-" + control.incarnation()))
                .withSizes(1 << 14, 1 << 15);
        MembershipOptions membership =
                new MembershipOptions(own.resolve("members"), Duration.ofMillis(100), Duration.ofMillis(500));
        return new NodeServer(config.withDurability(disk), new TcpProvider(), control, birth, Optional.of(membership));
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            assertThat(failure).hasNullValue();
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private boolean allServe() {
        return Stream.of(hosts)
                .allMatch(host -> host.node()
                        .filter(NodeServer::isServing)
                        .flatMap(NodeServer::configuration)
                        .filter(configuration -> configuration.members().cardinality() == NODES)
                        .isPresent());
    }

    private boolean hasDisk(int peer) {
        CompletableFuture<byte[]> answer = controls.getFirst().ask(peer, DISK, new byte[0]);
        return answer.handle((_, failed) -> failed == null).join();
    }

    // Goal: a node that finds during its restart that the cluster has gone on without it begins another
    // incarnation at once: the workers of this one never run, so no client is admitted to them.
    // Method: the second incarnation's answers about the last configuration are from the time before the first
    // configuration, so that it takes part in a restart that is over.
    @Test
    void shouldAdmitNoClientsWhenTheOtherNodesHaveGoneOnDuringItsRestart() throws Exception {
        await(this::allServe);
        await(() -> IntStream.range(0, NODES).noneMatch(this::hasDisk));
        HeldControl first = controls.getFirst();
        byte[] incarnation =
                ByteBuffer.allocate(Long.BYTES).putLong(first.incarnation()).array();
        CompletableFuture<byte[]> _ = first.ask(LATE, ANEW, incarnation);
        await(() -> opened.contains(2) && allServe());
        assertThat(opened).containsExactly(0, 2);
    }
}
