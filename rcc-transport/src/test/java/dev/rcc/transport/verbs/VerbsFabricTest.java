package dev.rcc.transport.verbs;

import static dev.rcc.transport.verbs.VerbsNode.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour of this network alone; the promises of every network are in {@link FabricContractOnVerbsTest}. */
@Tag("rdma")
class VerbsFabricTest {
    private static final int ECHO = 3;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final List<VerbsNode> open = new ArrayList<>();
    private JvmControl.Cluster controls;

    @AfterEach
    void closeNodes() {
        open.forEach(VerbsNode::close);
        log.close();
    }

    @Test
    void shouldReportTheAtomicityOfTheDevice() {
        assertThat(cluster(1, VerbsOptions.DEFAULT)[0].fabric.atomicity()).isEqualTo(Atomicity.DEVICE);
    }

    @Test
    void shouldKeepTheOrderOfBatchesLongerThanTheSendQueue() {
        VerbsNode[] nodes =
                cluster(2, VerbsOptions.DEFAULT.withSendQueueDepth(3).withQpsPerPeer(2));
        int batches = 8;
        int requests = 50;
        for (int b = 0; b < batches; b++) {
            Batch batch = nodes[0].endpoint.batch(1);
            for (int i = 0; i < requests; i++) {
                batch.fetchAdd(at(1, 8L * b), 1, 8L * (b * requests + i));
            }
            batch.post(nodes[0].completion);
        }
        assertThat(nodes[0].completion.outstanding()).isEqualTo(batches);
        assertThat(nodes[0].await()).isTrue();
        for (int b = 0; b < batches; b++) {
            for (int i = 0; i < requests; i++) {
                assertThat(nodes[0].buffers.getLong(8L * (b * requests + i)))
                        .as("request %d of batch %d", i, b)
                        .isEqualTo(i);
            }
        }
    }

    // Goal: a batch can copy within the peer. Without a fence, the WRITEs would send the previous contents
    // of the buffers.
    @Test
    void shouldWriteValuesThatTheSameBatchHasReadOrFetched() {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        int bytes = 4000;
        for (int i = 0; i < bytes; i += 8) {
            nodes[1].data.putLong(i, i + 1);
        }
        nodes[0].endpoint
                .batch(1)
                .fetchAdd(at(1, 8), 100, 4096)
                .write(4096, 8, at(1, 8184))
                .read(at(1, 0), bytes, 0)
                .write(0, bytes, at(1, 4096))
                .post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
        assertThat(nodes[1].data.getLong(8184)).isEqualTo(9);
        assertThat(nodes[1].data.getLong(4096 + 8)).isEqualTo(109);
        for (int i = 16; i < bytes; i += 8) {
            assertThat(nodes[1].data.getLong(4096 + i)).isEqualTo(i + 1);
        }
    }

    // Goal: short WRITEs, which may travel inside their work requests, write the same bytes as long ones
    // would: previous contents of the buffers, and results of the same batch.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 63, 64, 65})
    void shouldWriteShortValuesFromBuffersAndFromTheSameBatch(int bytes) {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT.withSendQueueDepth(2));
        byte[] mine = new byte[bytes];
        byte[] theirs = new byte[bytes];
        Arrays.fill(mine, (byte) 5);
        Arrays.fill(theirs, (byte) 7);
        nodes[0].buffers.putBytes(1000, mine, 0, bytes);
        nodes[1].data.putBytes(0, theirs, 0, bytes);
        nodes[1].data.putLong(128, 77);
        nodes[0].endpoint
                .batch(1)
                .write(1000, bytes, at(1, 1024))
                .read(at(1, 0), bytes, 2000)
                .write(2000, bytes, at(1, 2048))
                .write(1000, bytes, at(1, 3072))
                .fetchAdd(at(1, 128), 1, 3000)
                .write(3000, Long.BYTES, at(1, 4096))
                .post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
        assertHolds(nodes[1].data, 1024, mine);
        assertHolds(nodes[1].data, 2048, theirs);
        assertHolds(nodes[1].data, 3072, mine);
        assertThat(nodes[1].data.getLong(4096)).isEqualTo(77);
    }

    /** Asserts that the memory holds the bytes, and a zero behind them. */
    private static void assertHolds(Memory memory, long offset, byte[] expected) {
        byte[] found = new byte[expected.length + 1];
        memory.getBytes(offset, found, 0, found.length);
        assertThat(found).isEqualTo(Arrays.copyOf(expected, found.length));
    }

    // Goal: no operation allocates on the heap once the pools are filled; the test takes, posts, polls and
    // gives back batches.
    @Test
    void shouldAllocateNothingOnceWarm() {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT.withQpsPerPeer(2));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 500;
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                operate(nodes);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / rounds);
        }
        assertThat(least)
                .as("bytes of heap for a batch of each verb and a call")
                .isZero();
    }

    private static void operate(VerbsNode[] nodes) {
        Completion completion = nodes[0].completion;
        nodes[0].endpoint
                .batch(1)
                .cas(at(1, 0), 0, 0, 64)
                .fetchAdd(at(1, 8), 1, 72)
                .read(at(1, 0), 72, 80)
                .write(160, 8, at(1, 160))
                .write(160, 160, at(1, 160))
                .writeWord(1, at(1, 16))
                .post(completion);
        nodes[0].endpoint.call(1, ECHO, 0, Long.BYTES, 8, Long.BYTES, completion);
        while (completion.outstanding() > 0) {
            nodes[0].worker.turn();
            nodes[1].worker.turn();
        }
        completion.await();
    }

    // Goal: the use of a closed object gives an answer or an exception, not a call into freed memory.
    @Test
    void shouldFailRequestsPostedAfterItsOwnClose() {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        Batch begun = nodes[0].endpoint.batch(1).writeWord(1, at(1, 0));
        nodes[0].close();
        begun.post(nodes[0].completion);
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        nodes[0].endpoint.call(1, ECHO, 0, 8, 8, 8, nodes[0].completion);
        assertThat(nodes[0].await()).isFalse();
        assertThat(nodes[0].completion.failedPeer()).isEqualTo(1);
        nodes[0].worker.arm();
        assertThatIllegalStateException().isThrownBy(() -> nodes[0].data.getLong(0));
        nodes[0].fabric.close();
        assertThat(nodes[1].data.getLong(0)).isZero();
    }

    // Goal: an aligned word is written and read whole.
    // Method: the word is all zeros or all ones; both its owner and a READ read it while it changes.
    @Test
    void shouldNotTearWords() throws Exception {
        int rounds = 3000;
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong torn = new AtomicLong();
        Thread owner = new Thread(() -> {
            while (!done.get()) {
                long word = nodes[1].data.getAcquire(0);
                if (word != 0 && word != -1) {
                    torn.set(word);
                }
            }
        });
        owner.start();
        nodes[0].buffers.putLong(0, -1);
        for (int round = 0; round < rounds; round++) {
            nodes[0].endpoint
                    .batch(1)
                    .write(8L * (round % 2), 8, at(1, 0))
                    .read(at(1, 0), 8, 64)
                    .post(nodes[0].completion);
            assertThat(nodes[0].await()).isTrue();
            assertThat(nodes[0].buffers.getLong(64)).isEqualTo(round % 2 - 1);
        }
        done.set(true);
        owner.join();
        assertThat(torn).hasValue(0);
    }

    @Test
    void shouldRejectAccessOutsideARegionBeforeAnythingTakesEffect() {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        Batch past = nodes[0].endpoint.batch(1).writeWord(1, at(1, 0)).read(at(1, VerbsNode.DATA_BYTES - 8), 16, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> past.post(nodes[0].completion))
                .withMessageContainingAll("region 1 of node 1 has 8192 bytes", "16");
        Batch beyond = nodes[0].endpoint.batch(1).writeWord(1, at(1, 0)).write(0, 8, at(1, 1L << 40));
        assertThatIllegalArgumentException().isThrownBy(() -> beyond.post(nodes[0].completion));
        Batch local = nodes[0].endpoint.batch(1).writeWord(1, at(1, 0)).read(at(1, 0), 16, 8192 - 8);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> local.post(nodes[0].completion));
        Batch negative = nodes[0].endpoint.batch(1).writeWord(1, at(1, 0)).read(at(1, 0), -1, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> negative.post(nodes[0].completion));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nodes[0].endpoint.batch(2))
                .withMessageContaining("0 to 1");
        assertThat(nodes[0].completion.outstanding()).isZero();
        assertThat(nodes[1].data.getLong(0)).isZero();
        nodes[0].endpoint.batch(1).writeWord(1, at(1, 0)).post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
    }

    @Test
    void shouldWakeASleepingWorkerWhenACompletionComes() {
        VerbsNode node = cluster(1, VerbsOptions.DEFAULT)[0];
        node.worker.turn();
        node.worker.arm();
        int before = node.worker.wakeUps.get();
        node.endpoint.batch(0).writeWord(5, at(0, 0)).post(node.completion);
        // No thread polls: only the event wakes the worker.
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (node.worker.wakeUps.get() == before) {
            assertThat(System.nanoTime()).as("the worker sleeps on").isLessThan(deadline);
            Thread.onSpinWait();
        }
        assertThat(node.await()).isTrue();
    }

    // Goal: a broken connection fails the outstanding requests, and is soon replaced.
    // Method: set the queue pairs of one end to the error state, as the device does when it gives up.
    @Test
    void shouldReplaceABrokenConnection() {
        log.expect();
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        PeerLink before = nodes[0].fabric.link(1);
        before.connections(0)[0].qp().toError();
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 8).post(nodes[0].completion);
        assertThat(nodes[0].await()).isFalse();
        assertThat(nodes[0].completion.failedPeer()).isEqualTo(1);
        turnUntilReplaced(before, nodes[0], nodes[1]);
        nodes[1].turnUntil(() -> nodes[1].fabric.isReachable(0));
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
        nodes[1].endpoint.batch(0).writeWord(3, at(0, 0)).post(nodes[1].completion);
        assertThat(nodes[1].await()).isTrue();
        assertThat(nodes[0].data.getAcquire(0)).isEqualTo(3);
        assertThat(log.messages()).singleElement().asString().contains("worker=0 peer=1", "flushed");
    }

    // Goal: once a request has failed, no later one succeeds before the link is made anew, as the failed one may still
    // take effect until then.
    // Method: of two connections to a peer, one breaks.
    @Test
    void shouldEndAllConnectionsOfAWorkerToAPeerWhenOneBreaks() {
        log.expect();
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT.withQpsPerPeer(2));
        PeerLink before = nodes[0].fabric.link(1);
        before.connections(0)[0].qp().toError();
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        assertThat(nodes[0].await()).isFalse();
        assertThat(before.connections(0)[1].isClosed()).isTrue();
        turnUntilReplaced(before, nodes[0], nodes[1]);
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
    }

    // The same from the higher node, which has to ask the lower node to make the link.
    @Test
    void shouldReplaceAConnectionThatTheHigherNodeFoundBroken() {
        log.expect();
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        PeerLink before = nodes[1].fabric.link(0);
        before.connections(0)[0].qp().toError();
        nodes[1].endpoint.batch(0).fetchAdd(at(0, 0), 1, 0).post(nodes[1].completion);
        assertThat(nodes[1].await()).isFalse();
        turnUntilReplaced(before, nodes[1], nodes[0]);
        nodes[1].endpoint.batch(0).fetchAdd(at(0, 0), 1, 0).post(nodes[1].completion);
        assertThat(nodes[1].await())
                .as(() -> "a new connection; logged: " + log.messages())
                .isTrue();
        assertThat(log.messages()).singleElement().asString().contains("worker=0 peer=0", "flushed");
    }

    /** Takes turns of both nodes until one of them uses another link to the other: each must have given up its ends of the link before. */
    private static void turnUntilReplaced(PeerLink before, VerbsNode node, VerbsNode peer) {
        int to = before.peer();
        node.turnUntil(() -> {
            peer.worker.turn();
            return node.fabric.link(to) != null && node.fabric.link(to) != before;
        });
        assertThat(before.connections(0)[0].isClosed()).isTrue();
    }

    @Test
    void shouldFailRequestsToADeadPeerAndConnectToItsNextIncarnation() {
        VerbsNode[] nodes = cluster(2, VerbsOptions.DEFAULT);
        nodes[1].close();
        nodes[0].turnUntil(() -> !nodes[0].fabric.isReachable(1));
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 1, 0).post(nodes[0].completion);
        assertThat(nodes[0].await()).isFalse();
        assertThat(nodes[0].completion.failedPeer()).isEqualTo(1);
        VerbsNode next = node(1, VerbsOptions.DEFAULT).start();
        nodes[0].awaitReachable(1);
        next.awaitReachable(0);
        nodes[0].endpoint.batch(1).fetchAdd(at(1, 0), 7, 0).post(nodes[0].completion);
        assertThat(nodes[0].await()).isTrue();
        assertThat(next.data.getAcquire(0)).isEqualTo(7);
    }

    @Test
    void shouldConnectWithAPeerThatStartsLaterThanItsControl() {
        controls = new JvmControl.Cluster(2);
        JvmControl first = controls.join(0);
        JvmControl second = controls.join(1);
        VerbsNode lower = new VerbsNode(first, VerbsOptions.DEFAULT);
        open.add(lower);
        VerbsNode higher = new VerbsNode(second, VerbsOptions.DEFAULT);
        open.add(higher);
        lower.fabric.start();
        first.start();
        second.start(); // now the higher node answers that it has not started
        assertThat(first.ask(1, "verbs", new byte[] {1, 0, 0, 0, 0}).join()).isEmpty();
        higher.fabric.start();
        lower.awaitReachable(1);
        higher.awaitReachable(0);
    }

    @Test
    void shouldRefuseSetUpThatCannotBeMeant() {
        VerbsNode node = cluster(1, VerbsOptions.DEFAULT)[0];
        assertThatIllegalStateException().isThrownBy(() -> node.fabric.register(9, 64));
        assertThatIllegalStateException().isThrownBy(node.fabric::start);
        controls = new JvmControl.Cluster(1);
        assertThatExceptionOfType(VerbsUnavailable.class)
                .isThrownBy(() -> new VerbsFabric(controls.join(0), VerbsOptions.DEFAULT.withDevice("nosuch0")))
                .withMessageContaining("nosuch0");
    }

    private VerbsNode[] cluster(int count, VerbsOptions options) {
        controls = new JvmControl.Cluster(count);
        VerbsNode[] nodes = new VerbsNode[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = node(i, options);
        }
        for (VerbsNode node : nodes) {
            node.start();
        }
        for (VerbsNode node : nodes) {
            for (int peer = 0; peer < count; peer++) {
                node.awaitReachable(peer);
            }
        }
        return nodes;
    }

    private VerbsNode node(int id, VerbsOptions options) {
        VerbsNode node = new VerbsNode(controls.join(id), options);
        node.endpoint.handle(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), request.payload().getLong(request.payloadOffset()));
            request.reply(Long.BYTES);
        });
        open.add(node);
        return node;
    }
}
