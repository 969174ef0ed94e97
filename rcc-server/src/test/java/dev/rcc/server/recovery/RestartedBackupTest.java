package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.tcp.TcpProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

/** A cluster that restarts from its disks, and a backup that dies while a primary is about to take its data. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RestartedBackupTest {
    private static final int NODES = 3;
    private static final int KEYS = 12;
    /** The node whose primary takes data, and the backup that has it. */
    private static final int PRIMARY = 0;

    private static final int BACKUP = 1;
    /** The topics of the questions for a node's progress, for its disk, and for the digests of its copies. */
    private static final String PHASE = "rcc.restart.phase";

    private static final String DISK = "rcc.restart.state";
    private static final String DIGESTS = "rcc.restart.digests";
    private static final byte[] NOTHING = {};

    @TempDir
    private Path directory;

    private final NodeHost[] hosts = new NodeHost[NODES];
    private final ControlChannel[] channels = new ControlChannel[NODES];
    private final HeldControl[] controls = new HeldControl[NODES];
    /** The nodes that have run since the last start. */
    private final Set<Integer> opened = ConcurrentHashMap.newKeySet();

    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private LoopbackPeers peers;

    @BeforeEach
    void restartWithRecordsInLogs() throws InterruptedException {
        serveAll("");
        await(() -> opened.size() == NODES);
        insert();
        assertThat(keysOf(PRIMARY)).isNotEmpty();
        closeAll();
        serveAll(DIGESTS);
        await(() -> IntStream.range(0, NODES).filter(node -> node != PRIMARY).allMatch(this::hasReplayed));
        controls[PRIMARY].delay(PHASE);
        controls[PRIMARY].letGo();
        await(() -> controls[PRIMARY].delays() == NODES - 1);
        hosts[BACKUP].close();
        await(() -> missing(PRIMARY).contains(BACKUP));
    }

    @AfterEach
    void closeAll() {
        Stream.of(hosts).filter(host -> host != null).forEach(NodeHost::close);
    }

    /** Starts all nodes; the primary's node does not ask about a topic. */
    private void serveAll(String unasked) {
        peers = new LoopbackPeers(NODES);
        opened.clear();
        IntStream.range(0, NODES).forEach(node -> serve(node, node == PRIMARY ? unasked : ""));
    }

    private void serve(int node, String unasked) {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "t", 8, 2 * KEYS)))
                .withCode(HybridCode.uniform(protocol, Primitive.RPC))
                .withShape(NODES, 1, 1, NODES)
                .withMemory(1 << 14, 1 << 14, 1 << 12)
                .withDurability(DurabilityOptions.in(directory.resolve("data")));
        NodeHost.Factory factory = (serving, birth) -> {
            channels[node] = peers.channel(node);
            controls[node] = new HeldControl(channels[node]);
            controls[node].holdQuestions(unasked);
            return new NodeServer(serving, new TcpProvider(), controls[node], birth, Optional.empty());
        };
        hosts[node] = new NodeHost(
                factory,
                config,
                TimeUnit.DAYS.toNanos(20_000),
                new InnerFront(_ -> opened.add(node)),
                new FirstFailure(failure));
        hosts[node].serve();
    }

    private void insert() {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        NodeServer server = hosts[PRIMARY].node().orElseThrow();
        server.spawn(0, 0, (runner, self) -> outcome.set(runner.run(new Insertion())));
        assertThat(server.awaitClients(Duration.ofMinutes(1))).isTrue();
        assertThat(outcome.get()).isEqualTo(Outcome.COMMITTED);
    }

    private static final class Insertion implements Procedure {
        @Override
        public void declare(Transaction txn) {
            for (long key = 0; key < KEYS; key++) {
                txn.insert(txn.catalog().table(0), key);
            }
        }

        @Override
        public void execute(Transaction txn) {}
    }

    private boolean hasReplayed(int node) {
        return channels[PRIMARY]
                .ask(node, PHASE, NOTHING)
                .handle((answer, failed) -> failed == null && answer[0] >= 1)
                .join();
    }

    private List<Integer> missing(int node) {
        return hosts[node].node().orElseThrow().missing();
    }

    /** The keys in a node's copy of the first partition. */
    private List<Long> keysOf(int node) {
        NodeServer server = hosts[node].node().orElseThrow();
        TablePartition copy = server.copy(server.catalog().table(0), PRIMARY).orElseThrow();
        int identity = copy.table().layout().tuple().identityOffset();
        List<Long> keys = new ArrayList<>();
        copy.forEachTuple(tuple -> keys.add(copy.memory().getLong(tuple + identity)));
        return keys.stream().sorted().toList();
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            assertThat(failure).hasNullValue();
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private void awaitRecovered() throws InterruptedException {
        await(() -> opened.size() == NODES);
        assertThat(keysOf(PRIMARY)).isNotEmpty().isEqualTo(keysOf(BACKUP));
    }

    @Test
    void shouldWaitForABackupThatDiesBeforeItsDataIsTaken() throws InterruptedException {
        int asked = controls[PRIMARY].asked(PHASE);
        controls[PRIMARY].letArrive();
        await(() -> controls[PRIMARY].asked(PHASE) > asked);
        serve(BACKUP, "");
        awaitRecovered();
    }

    // Goal: a primary keeps no data from a backup's memory in which the log has not been replayed.
    @Test
    void shouldTakeTheDataAgainOfABackupThatWasStartedAgainMeanwhile() throws InterruptedException {
        serve(BACKUP, DISK);
        await(() -> missing(PRIMARY).isEmpty());
        int asked = controls[PRIMARY].asked(PHASE);
        controls[PRIMARY].letArrive();
        await(() -> controls[PRIMARY].asked(PHASE) > asked);
        controls[BACKUP].letGo();
        awaitRecovered();
    }
}
