package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.ManualWorker;
import dev.rcc.transport.control.JvmControl;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Incarnations of nodes and the remains of dead ones. The test's thread plays the workers. */
class ShmFabricTest {
    private static final int ECHO = ManualCluster.ECHO;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private ManualCluster nodes;

    private ManualCluster cluster(int count) {
        nodes = new ManualCluster(count);
        return nodes;
    }

    @AfterEach
    void close() {
        if (nodes != null) {
            nodes.close();
        }
        log.close();
    }

    // Files.

    @Test
    void shouldMakeFilesThatOnlyTheirOwnerMayTouchAndTakeThemAwayAtTheEnd() throws Exception {
        cluster(2).start();
        List<Path> files = ShmNetwork.files(nodes.options[0]);
        // Each node has one file for its incarnation and two for regions; the rings have no names any more
        // once both ends have mapped them.
        assertThat(files).hasSize(6);
        for (Path file : files) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        nodes.close();
        assertThat(ShmNetwork.files(nodes.options[0])).isEmpty();
    }

    @Test
    void shouldServeInAnyDirectory(@TempDir Path directory) {
        nodes = new ManualCluster(2, new ShmOptions("elsewhere", directory, 4096)).start();
        assertThat(ShmNetwork.files(nodes.options[0])).hasSize(6);
        assertThat(nodes.callAndWait(0, 1, 4)).isTrue();
        assertThat(nodes.add(1, 0, 3)).isTrue();
        assertThat(nodes.data[0].getLong(0)).isEqualTo(3);
    }

    @Test
    void shouldReportNeededAndFreeSizesWhenTheFileSystemIsFull() {
        cluster(1).attach(0);
        long tooMuch = 1L << 43;
        assertThatIllegalStateException()
                .isThrownBy(() -> nodes.fabrics[0].register(5, tooMuch))
                .withMessageContainingAll(String.valueOf(tooMuch), "region-5", "bytes are free");
        assertThat(ShmNetwork.files(nodes.options[0]))
                .noneMatch(path -> path.toString().contains("region-5"));
        nodes.fabrics[0].register(5, 64); // and the id is free
    }

    @Test
    void shouldRefuseADirectoryThatIsNotThere() {
        JvmControl control = new JvmControl.Cluster(1).join(0);
        ShmOptions options = new ShmOptions("nowhere", Path.of("/dev/shm/no-such-directory"), 4096);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ShmFabric(control, options))
                .withMessageContaining("no-such-directory");
        control.close();
    }

    @Test
    void shouldRefuseOptionsThatCannotBeMeant() {
        Path dir = Path.of("/dev/shm");
        for (String name : new String[] {"", "a.b", "a/b", "x".repeat(65)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ShmOptions(name, dir, 4096))
                    .withMessageContainingAll("cluster", name);
        }
        for (int bytes : new int[] {0, -4096, 2048, 4097, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ShmOptions("c", dir, bytes))
                    .withMessageContainingAll("ringBytes", String.valueOf(bytes));
        }
    }

    @Test
    void shouldRemoveOnlyTheFilesOfDeadIncarnations() {
        cluster(3).start();
        ShmOptions options = nodes.options[0];
        killProcessOf(1);
        assertThat(ShmNetwork.files(options)).hasSize(9); // including the dead node's files
        nodes.attach(1);
        assertThat(ShmNetwork.files(options)).hasSize(9); // the next incarnation has replaced them
        killProcessOf(2);
        assertThat(ShmFabric.removeDead(options)).isEqualTo(3);
        assertThat(ShmNetwork.files(options)).hasSize(6);
        assertThat(ShmFabric.removeDead(options)).isZero();
    }

    /** Ends a node as kill -9 does: the lock of its incarnation goes, its files stay. */
    private void killProcessOf(int node) {
        nodes.kill(node);
        nodes.fabrics[node].files().abandon();
    }

    // Goal: clusters of one name do not disturb each other, though the names of their files begin alike.
    @Test
    void shouldNotKillANodeOfAnotherClusterWithTheSameName() {
        cluster(2).start();
        long member = nodes.fabrics[1].incarnation();
        try (JvmControl control = new JvmControl.Cluster(2).join(1);
                ShmFabric stranger = new ShmFabric(control, nodes.options[0])) {
            assertThat(stranger.incarnation()).isNotEqualTo(member);
            nodes.fabrics[0].admit(1, member);
            killProcessOf(1);
            nodes.fabrics[0].fence(1); // would fail: the stranger lives in this process
            nodes.fabrics[0].admit(1, member + 1);
            nodes.fabrics[0].fence(1);
        }
    }

    @Test
    void shouldNotKillANodeOfAnotherClusterWithTheSameNameWhenNoneWasAdmitted() {
        cluster(2).start();
        try (JvmControl control = new JvmControl.Cluster(2).join(1);
                ShmFabric stranger = new ShmFabric(control, nodes.options[0])) {
            assertThat(stranger.incarnation()).isNotEqualTo(nodes.fabrics[1].incarnation());
            killProcessOf(1);
            nodes.fabrics[0].fence(1);
        }
    }

    // Goal: what was let in is killed, however it was let in.
    @Test
    void shouldKillEveryPeerThatWasLetIn() {
        cluster(3).start();
        for (int node : new int[] {0, 2}) { // one is asked for the connection, the other one asks
            assertThatIllegalStateException()
                    .isThrownBy(() -> nodes.fabrics[1].fence(node))
                    .withMessageContaining("node " + node + " lives in the process of node 1");
        }
    }

    // Connections.

    @Test
    void shouldNotReconnectToAnIncarnationThatItHasCutOff() {
        log.expect();
        cluster(2).start();
        nodes.fabrics[0].connection(1).link(0).writer().memory().putLong(ShmRingLayout.TAIL, -1);
        nodes.turn(1);
        assertThat(nodes.fabrics[1].cutOffs()).isEqualTo(1);
        // An earlier request for a connection may arrive late.
        ShmHello hello = new ShmHello(
                nodes.fabrics[0].incarnation(), 1, nodes.fabrics[0].files().nodeFile(), List.of());
        byte[] open = ByteBuffer.allocate(1 + 2 * Long.BYTES + hello.toBytes().length)
                .put((byte) 1)
                .putLong(77)
                .putLong(nodes.fabrics[1].incarnation())
                .put(hello.toBytes())
                .array();
        assertThat(nodes.controls[0].ask(1, "shm", open).join()).isEmpty();
        assertThat(nodes.fabrics[1].isReachable(0)).isFalse();
    }

    @Test
    void shouldConnectNodesInAnyStartOrder() {
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}}) {
            cluster(3);
            for (int node = 0; node < 3; node++) {
                nodes.attach(node);
            }
            for (int node : order) {
                nodes.controls[node].start(); // a wiring may start the control before the fabric
            }
            for (int node : order) {
                nodes.fabrics[node].start();
            }
            nodes.awaitConnected();
            for (int from = 0; from < 3; from++) {
                for (int to = 0; to < 3; to++) {
                    assertThat(nodes.callAndWait(from, to, from * 10L + to)).isTrue();
                }
            }
            nodes.close();
        }
    }

    @Test
    void shouldReconnectWhenACutLinkIsHealed() {
        cluster(3).start();
        for (int round = 0; round < 20; round++) {
            nodes.cluster.cut(0, 1);
            ShmNetwork.await(() -> !nodes.fabrics[0].isReachable(1) && !nodes.fabrics[1].isReachable(0));
            assertThat(nodes.callAndWait(0, 1, 1)).isFalse();
            assertThat(nodes.callAndWait(1, 0, 1)).isFalse();
            assertThat(nodes.add(0, 1, 100)).isFalse();
            assertThat(nodes.callAndWait(0, 2, 1)).isTrue();
            assertThat(nodes.callAndWait(2, 1, 1)).isTrue();
            nodes.cluster.heal(0, 1);
            nodes.awaitConnected();
            assertThat(nodes.callAndWait(0, 1, 1)).isTrue();
            assertThat(nodes.callAndWait(1, 0, 1)).isTrue();
            assertThat(nodes.add(0, 1, 1)).isTrue();
        }
        assertThat(nodes.data[1].getLong(0)).isEqualTo(20);
    }

    @Test
    void shouldReconnectWhenThePeerLosesTheConnectionBeforeItsAnswerArrives() {
        cluster(2).start();
        nodes.cluster.beforeNextAnswer(1, () -> {
            nodes.cluster.cut(0, 1);
            nodes.cluster.heal(0, 1);
            nodes.cluster.awaitEvents(1); // its rings are gone, and it has reported that it is ready
            nodes.cluster.awaitAnswers(0);
        });
        nodes.cluster.cut(0, 1);
        nodes.cluster.heal(0, 1);
        nodes.cluster.awaitEvents(0);
        ShmNetwork.await(() -> nodes.fabrics[0].isReachable(1) && nodes.callAndWait(0, 1, 7));
        assertThat(nodes.add(0, 1, 5)).isTrue();
    }

    // Goal: the two ends end up connected, whenever each is notified of a short interruption.
    @Test
    void shouldReconnectAfterVeryShortInterruptions() {
        cluster(2).start();
        for (int round = 0; round < 200; round++) {
            nodes.cluster.cut(0, 1);
            nodes.cluster.heal(0, 1);
            if (round % 3 == 0) {
                nodes.turn();
            }
        }
        nodes.cluster.awaitEvents(0);
        nodes.cluster.awaitEvents(1);
        // Both are notified of the last event; their messages about it take a moment more.
        ShmNetwork.await(() -> nodes.fabrics[0].isReachable(1)
                && nodes.fabrics[1].isReachable(0)
                && nodes.callAndWait(0, 1, 7)
                && nodes.callAndWait(1, 0, 8));
        assertThat(nodes.add(0, 1, 5)).isTrue();
        assertThat(nodes.data[1].getLong(0)).isEqualTo(5);
    }

    // Method: the files of the first connections are there already, so the peer cannot make them.
    @Test
    void shouldTryAgainWhenAConnectionCouldNotBeMade() {
        cluster(2);
        log.expect();
        nodes.attach(0);
        nodes.attach(1);
        SplittableRandom ids = new SplittableRandom(nodes.fabrics[0].incarnation());
        ids.nextLong(); // that of the node's connection to itself
        for (int attempts = 0; attempts < 4; attempts++) { // two of them may be made at once
            nodes.fabrics[1].files().createLink(ids.nextLong(), 4096);
        }
        nodes.start(0);
        nodes.start(1);
        nodes.awaitConnected();
        assertThat(log.messages()).anySatisfy(message -> assertThat(message).contains("connect_failed"));
        assertThat(nodes.callAndWait(0, 1, 7)).isTrue();
    }

    @Test
    void shouldReachTheNextIncarnationOfANodeAndNotThePreviousOne() {
        cluster(2).start();
        Memory before = nodes.data[1];
        assertThat(nodes.add(0, 1, 4)).isTrue();
        assertThat(before.getLong(0)).isEqualTo(4);
        nodes.kill(1);
        nodes.attach(1);
        nodes.start(1);
        nodes.awaitConnected();
        assertThat(nodes.data[1].getLong(0)).isZero();
        assertThat(nodes.add(0, 1, 6)).isTrue();
        assertThat(nodes.data[1].getLong(0)).isEqualTo(6);
        assertThat(before.getLong(0)).isEqualTo(4);
        assertThat(nodes.callAndWait(0, 1, 3)).isTrue();
    }

    // Goal: a worker knows how many share its processors, so that it does not spin while they need one.
    @Test
    void shouldCountTheWorkersOfConnectedPeersAsNeighbours() {
        cluster(3).start();
        nodes.turn();
        for (Endpoint endpoint : nodes.endpoints) {
            assertThat(((ShmEndpoint) endpoint).neighbours()).isEqualTo(2);
        }
        nodes.kill(1);
        ShmNetwork.await(() -> !nodes.fabrics[0].isReachable(1));
        nodes.turn();
        assertThat(((ShmEndpoint) nodes.endpoints[0]).neighbours()).isEqualTo(1);
        nodes.attach(1);
        nodes.start(1);
        nodes.awaitConnected();
        nodes.turn();
        for (Endpoint endpoint : nodes.endpoints) {
            assertThat(((ShmEndpoint) endpoint).neighbours()).isEqualTo(2);
        }
    }

    @Test
    void shouldNotConnectNodesWhoseRingsDiffer() {
        cluster(2);
        nodes.options[1] = new ShmOptions(nodes.options[0].cluster(), nodes.options[0].directory(), 8192);
        log.expect();
        nodes.attach(0);
        nodes.attach(1);
        nodes.start(0);
        nodes.start(1);
        ShmNetwork.await(() -> nodes.fabrics[0].isReachable(0) && nodes.fabrics[1].isReachable(1));
        nodes.turn();
        assertThat(nodes.callAndWait(0, 1, 1)).isFalse();
        ShmNetwork.await(() -> !log.messages().isEmpty());
        assertThat(log.messages().getFirst()).contains("ringBytes", "4096", "8192");
    }

    @Test
    void shouldRefuseSetUpOutOfOrder() {
        cluster(1);
        nodes.attach(0);
        ShmFabric fabric = nodes.fabrics[0];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.open(nodes.workers[0], fabric.register(3, 64)))
                .withMessageContaining("already");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.open(new ManualWorker(1, 0), fabric.register(4, 64)));
        assertThatIllegalArgumentException().isThrownBy(() -> fabric.register(9, 0));
        nodes.start(0);
        assertThatIllegalStateException()
                .isThrownBy(() -> fabric.register(7, 64))
                .withMessageContaining("started");
        assertThatIllegalStateException().isThrownBy(fabric::start);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fabric.isReachable(1))
                .withMessageContaining("0 to 0");
        fabric.close();
        fabric.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> fabric.register(8, 64))
                .withMessageContaining("left");
    }

    @Test
    void shouldRefuseMessagesThatNoRingCanCarry() {
        nodes = new ManualCluster(2, ShmNetwork.options(4096)).start();
        int most = ShmRingLayout.maxPayloadBytes(4096);
        Completion completion = ManualCluster.completion();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nodes.endpoints[0].call(1, ECHO, 0, most + 1, 0, 8, completion))
                .withMessageContainingAll("ringBytes", String.valueOf(most));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nodes.endpoints[0].call(1, ECHO, 0, 8, 0, most + 1, completion));
        assertThat(completion.outstanding()).isZero();
        nodes.endpoints[0].call(1, ECHO, 0, most, 0, most, completion);
        nodes.turn();
        nodes.turn();
        nodes.turn();
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isTrue();
    }

    // Waking.

    // Goal: messages to a sleeping worker ring the doorbell once; a message to a worker that is awake does
    // not.
    @Test
    void shouldWakeTheWorkerThatSleepsAndOnlyThat() {
        cluster(3).start();
        for (int i = 0; i < 10; i++) {
            nodes.turn();
        }
        int[] before = {wakeUps(0), wakeUps(1), wakeUps(2)};
        int rings = nodes.fabrics[1].doorbell().rings();
        nodes.workers[1].arm();
        assertThat(nodes.turn(1)).as("the last look").isZero();
        Completion completion = ManualCluster.completion();
        nodes.call(0, 1, 5, completion);
        nodes.call(0, 2, 5, completion);
        nodes.turn(0);
        ShmNetwork.await(() -> wakeUps(1) > before[1]);
        assertThat(nodes.fabrics[1].doorbell().rings()).isEqualTo(rings + 1);
        nodes.call(0, 1, 6, completion); // the doorbell has rung already
        nodes.turn(0);
        assertThat(nodes.fabrics[1].doorbell().rings()).isEqualTo(rings + 1);
        nodes.turn(1); // it is awake now
        nodes.call(0, 1, 7, completion);
        nodes.turn(0);
        nodes.turn();
        nodes.turn();
        assertThat(completion.outstanding()).isZero();
        assertThat(nodes.fabrics[1].doorbell().rings()).isEqualTo(rings + 1);
        assertThat(wakeUps(2)).isEqualTo(before[2]);
        assertThat(wakeUps(0)).isEqualTo(before[0]);
    }

    // Goal: no ring of the doorbell is lost between the waker's check and its sleep, nor between the last
    // checks of a worker and a sender.
    // Method: the worker sleeps, and is called, again and again; only the doorbell ends a round.
    @Test
    void shouldLoseNoRinging() {
        cluster(2).start();
        nodes.turn();
        for (int round = 0; round < 1000; round++) {
            int before = wakeUps(1);
            nodes.workers[1].arm();
            assertThat(nodes.turn(1)).isZero();
            Completion completion = ManualCluster.completion();
            nodes.call(0, 1, round, completion);
            nodes.turn(0);
            ShmNetwork.await(() -> wakeUps(1) > before);
            nodes.turn();
            nodes.turn();
            assertThat(completion.outstanding()).isZero();
        }
    }

    @Test
    void shouldFindACallThatArrivedBeforeTheWorkerWasArmed() {
        cluster(2).start();
        nodes.turn();
        Completion completion = ManualCluster.completion();
        nodes.call(0, 1, 5, completion);
        nodes.turn(0);
        nodes.workers[1].arm();
        assertThat(nodes.turn(1)).isPositive();
    }

    @Test
    void shouldNotSleepWhileMessagesWaitForRoom() {
        nodes = new ManualCluster(2, ShmNetwork.options(4096)).start();
        nodes.turn();
        Completion completion = ManualCluster.completion();
        int calls = 4096 / 32 + 10; // more than the ring holds
        for (int i = 0; i < calls; i++) {
            nodes.call(0, 1, i, completion);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(nodes.turn(0)).isPositive();
        }
        for (int i = 0; i < 10; i++) {
            nodes.turn();
        }
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isTrue();
        assertThat(nodes.turn(0)).isZero();
    }

    // Death.

    @Test
    void shouldFailRequestsToADeadPeerThoughItsMemoryIsStillMapped() {
        cluster(3).start();
        Completion completion = ManualCluster.completion();
        nodes.call(0, 1, 1, completion);
        nodes.turn(0); // published
        nodes.call(0, 1, 2, completion); // not published
        nodes.kill(1);
        nodes.turn(0);
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
        assertThat(nodes.add(0, 1, 9)).isFalse();
        assertThat(nodes.data[1].getLong(0)).isZero();
        assertThat(nodes.callAndWait(0, 2, 3)).isTrue();
    }

    @Test
    void shouldDropTheReplyThatAHandlerHasKeptForAPeerThatIsGone() {
        cluster(2);
        nodes.attach(0);
        nodes.attach(1);
        List<RpcRequest> held = new ArrayList<>();
        nodes.endpoints[1].handle(9, held::add);
        nodes.start(0);
        nodes.start(1);
        nodes.awaitConnected();
        Completion completion = ManualCluster.completion();
        nodes.endpoints[0].call(1, 9, 0, 8, 8, 8, completion);
        nodes.turn(0);
        nodes.turn(1);
        assertThat(held).hasSize(1);
        nodes.cluster.cut(0, 1);
        ShmNetwork.await(() -> !nodes.fabrics[1].isReachable(0) && !nodes.fabrics[0].isReachable(1));
        // A worker is notified a moment after the fabric.
        ShmNetwork.await(() -> {
            nodes.turn();
            return completion.outstanding() == 0;
        });
        nodes.cluster.heal(0, 1);
        nodes.awaitConnected();
        held.getFirst().reply(8);
        // The next call is not answered by the reply to the last one.
        Completion next = ManualCluster.completion();
        nodes.endpoints[0].call(1, 9, 0, 8, 8, 8, next);
        nodes.turn();
        nodes.turn();
        assertThat(held).hasSize(2);
        assertThat(next.outstanding()).isOne();
        held.get(1).reply(8);
        nodes.turn();
        nodes.turn();
        assertThat(next.outstanding()).isZero();
    }

    @Test
    void shouldLetRecoveryReadTheRemainsOfADeadPeer() {
        cluster(2).start();
        assertThatIllegalStateException()
                .isThrownBy(() -> nodes.fabrics[0].remains(1))
                .withMessageContaining("connected");
        nodes.data[1].putRelease(40, 1234);
        long incarnation = nodes.controls[1].incarnation();
        killProcessOf(1);
        nodes.turn(0);
        ShmRemains remains = nodes.fabrics[0].remains(1).orElseThrow();
        assertThat(remains.node()).isEqualTo(1);
        assertThat(remains.incarnation()).isEqualTo(incarnation);
        Memory left = remains.region(ManualCluster.DATA);
        assertThat(left.size()).isEqualTo(ManualCluster.DATA_BYTES);
        assertThat(left.getAcquire(40)).isEqualTo(1234);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> left.putLong(40, 1))
                .withMessageContaining("read-only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> remains.region(99))
                .withMessageContaining("99");
        // The memory stays while a reader has it open, though the peer is back.
        nodes.attach(1);
        nodes.start(1);
        nodes.awaitConnected();
        nodes.turn();
        assertThat(nodes.callAndWait(0, 1, 1)).isTrue();
        assertThat(left.getAcquire(40)).isEqualTo(1234);
        remains.close();
        remains.close();
        assertThatIllegalStateException().isThrownBy(() -> left.getAcquire(40));
    }

    @Test
    void shouldForgetTheRemainsOfADeadPeer() {
        cluster(3).start();
        nodes.kill(1);
        nodes.turn();
        try (ShmRemains remains = nodes.fabrics[0].remains(1).orElseThrow()) {
            Memory left = remains.region(ManualCluster.DATA);
            nodes.fabrics[0].forgetRemains(1);
            assertThat(nodes.fabrics[0].remains(1)).isEmpty();
            assertThat(left.getAcquire(0)).isZero();
        }
        nodes.fabrics[0].forgetRemains(2); // node 2 is connected: nothing happens
        assertThat(nodes.callAndWait(0, 2, 1)).isTrue();
    }

    // A worker that began before its peer died finds the memory in place until it has released it.
    @Test
    void shouldKeepTheMappingUntilEveryWorkerHasLetGo() {
        cluster(2).start();
        nodes.turn();
        ShmConnection connection = nodes.fabrics[0].connection(1);
        var batch = nodes.endpoints[0].batch(1);
        nodes.kill(1);
        nodes.fabrics[0].forgetRemains(1);
        Memory data = connection.regions()[ManualCluster.DATA];
        assertThat(data.getLong(0)).isZero();
        batch.cas(RemoteAddress.of(1, ManualCluster.DATA, 0), 0, 1, 0);
        nodes.turn(0);
        assertThatIllegalStateException().isThrownBy(() -> data.getLong(0));
        // The batch touches no unmapped memory.
        Completion completion = ManualCluster.completion();
        batch.cas(RemoteAddress.of(1, ManualCluster.DATA, 0), 0, 1, 0).post(completion);
        nodes.turn(0);
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isFalse();
    }

    // Speed.

    @Test
    void shouldNotAllocateOnceWarm() {
        cluster(2).start();
        nodes.turn();
        Completion completion = new Completion(new FakeCoroutine(1, new FakeWorker(0)));
        long address = RemoteAddress.of(1, ManualCluster.DATA, 8);
        ShmEndpoint caller = (ShmEndpoint) nodes.endpoints[0];
        ShmEndpoint callee = (ShmEndpoint) nodes.endpoints[1];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int rounds = 20_000;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                nodes.endpoints[0].call(1, ECHO, 0, 8, 8, 8, completion);
                nodes.endpoints[0].call(0, ECHO, 0, 8, 8, 8, completion);
                nodes.endpoints[0]
                        .batch(1)
                        .cas(address, 0, 1, 16)
                        .read(address, 64, 64)
                        .write(64, 64, address)
                        .fetchAdd(address, 1, 24)
                        .post(completion);
                nodes.endpoints[0].batch(1).writeWord(0, address).postAtOnce(completion);
                callee.arm(); // the doorbell rings, too
                caller.poll();
                callee.poll();
                caller.poll();
            }
            assertThat(completion.outstanding()).isZero();
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / rounds);
        }
        assertThat(least).as("bytes per round").isZero();
    }

    private int wakeUps(int node) {
        return nodes.workers[node].wakeUps.get();
    }
}
