package dev.rcc.transport.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.ManualWorker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Behaviour of this fabric alone, and races step by step: the test plays every worker, so each order of events is exact. */
class LocalEndpointTest {
    private static final int WORD = Memory.WORD_BYTES;
    private static final int ECHO = 1;
    private static final int HOLD = 2;
    private static final int PREFETCHED = 3;
    private static final int DATA = 1;
    private static final int UNKNOWN = 9;
    private static final int INBOX_CHAINS = 2;

    private final LocalNetwork network = new LocalNetwork(3, INBOX_CHAINS);
    private final Node zero = new Node(0);
    private final Node one = new Node(1);
    private final Node two = new Node(2);
    private final Completion completion = new Completion(new NoCoroutine());

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    // Completions.

    @Test
    void shouldTakeEffectAndCompleteAtTheNextPoll() {
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).post(completion);
        assertThat(one.data.getLong(0)).isZero();
        assertThat(completion.outstanding()).isEqualTo(1);
        assertThat(zero.worker.poll()).isEqualTo(1);
        assertThat(one.data.getLong(0)).isEqualTo(5);
        assertThat(completion.outstanding()).isZero();
        assertThat(zero.worker.poll()).isZero();
    }

    @Test
    void shouldCarryOutAndCompleteABatchAtOnce() {
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).postAtOnce(completion);
        assertThat(one.data.getLong(0)).isEqualTo(5);
        assertThat(completion.outstanding()).isZero();
        assertThat(completion.await()).isTrue();
        assertThat(completion.roundTrips()).isEqualTo(1);
        assertThat(completion.await()).isTrue();
        assertThat(completion.roundTrips()).isEqualTo(1);
        assertThat(zero.worker.poll()).isZero();
    }

    @Test
    void shouldRefuseABatchAtOnceToNoRegionBeforeAnyOfItTakesEffect() {
        Batch batch = zero.endpoint.batch(1).writeWord(5, at(1, 0)).writeWord(6, RemoteAddress.of(1, UNKNOWN, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> batch.postAtOnce(completion));
        assertThat(one.data.getLong(0)).isZero();
        assertThat(completion.outstanding()).isZero();
    }

    // Goal: the later of two workers that each WRITE a word and then READ the other's sees it, even if no coroutine is
    // switched in between, which would
    // order the two.
    @Test
    void shouldNotLetAReadPassAWriteThatWasCarriedOutAtOnce() throws Exception {
        int rounds = 300_000;
        long[][] found = new long[2][rounds + 1];
        Thread other = Thread.ofPlatform().start(() -> writeThenRead(one, rounds, 512, 0, found[1]));
        writeThenRead(zero, rounds, 0, 512, found[0]);
        other.join();
        for (int round = 1; round <= rounds; round++) {
            assertThat(Math.max(found[0][round], found[1][round]))
                    .as("the later of two writes in round %d", round)
                    .isGreaterThanOrEqualTo(round);
        }
    }

    private void writeThenRead(Node node, int rounds, long mine, long others, long[] found) {
        Completion ofNode = new Completion(new NoCoroutine());
        for (int round = 1; round <= rounds; round++) {
            node.endpoint.batch(2).writeWord(round, at(2, mine)).postAtOnce(ofNode);
            node.endpoint.batch(2).read(at(2, others), WORD, 0).post(ofNode);
            int _ = node.worker.poll();
            found[round] = node.buffers.getLong(0);
            while (two.data.getAcquire(others) < round) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldFailABatchWhosePeerStopsBeforeItIsCarriedOutAndReachNoLaterIncarnation() {
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).post(completion);
        Completion toLiving = new Completion(new NoCoroutine());
        zero.endpoint.batch(2).writeWord(6, at(2, 0)).post(toLiving);
        network.stop(1);
        Node again = new Node(1);
        assertThat(zero.worker.poll()).isGreaterThanOrEqualTo(2);
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
        assertThat(one.data.getLong(0)).isZero();
        assertThat(again.data.getLong(0)).isZero();
        assertThat(toLiving.await()).isTrue();
        assertThat(two.data.getLong(0)).isEqualTo(6);
    }

    @Test
    void shouldFailABatchThatFoundNoPeerThoughThePeerComesBackBeforeThePoll() {
        network.stop(1);
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).post(completion);
        Node again = new Node(1);
        zero.worker.poll();
        assertThat(completion.await()).isFalse();
        assertThat(again.data.getLong(0)).isZero();
        zero.endpoint.batch(1).writeWord(7, at(1, 0)).post(completion);
        zero.worker.poll();
        assertThat(completion.await()).isTrue();
        assertThat(again.data.getLong(0)).isEqualTo(7);
    }

    @Test
    void shouldGiveEachCompletionItsOwnResultAtAnyCountAndRingPosition() {
        network.stop(1);
        Completion[] completions = new Completion[500];
        for (int round = 1; round <= 500; round += 83) {
            for (int i = 0; i < round; i++) {
                completions[i] = new Completion(new NoCoroutine());
                zero.endpoint.batch(i % 3).post(completions[i]);
            }
            assertThat(zero.worker.poll()).isEqualTo(round);
            for (int i = 0; i < round; i++) {
                assertThat(completions[i].await())
                        .as("completion %d of %d", i, round)
                        .isEqualTo(i % 3 != 1);
                assertThat(completions[i].failedPeer()).isEqualTo(i % 3 == 1 ? 1 : Completion.NO_PEER);
            }
        }
    }

    @Test
    void shouldReportWhichPeerFailed() {
        network.stop(1);
        Completion toLiving = new Completion(new NoCoroutine());
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).post(completion);
        zero.endpoint.batch(2).writeWord(5, at(2, 0)).post(toLiving);
        assertThat(completion.outstanding()).isEqualTo(1);
        zero.worker.poll();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
        assertThat(toLiving.await()).isTrue();
        assertThat(one.data.getLong(0)).isZero();
        assertThat(two.data.getLong(0)).isEqualTo(5);
    }

    // Pools.

    @Test
    void shouldMakeNothingNewOnceWarm() {
        int batches = 0;
        int calls = 0;
        for (int round = 0; round < 100; round++) {
            Batch[] open = new Batch[20];
            for (int i = 0; i < open.length; i++) {
                open[i] = zero.endpoint.batch(1);
            }
            for (Batch batch : open) {
                batch.writeWord(round, at(1, 0)).post(completion);
                zero.call(1, ECHO, 0, 8, completion);
            }
            turnAll();
            turnAll();
            assertThat(completion.await()).isTrue();
            if (round == 0) {
                batches = zero.endpoint.batchesMade();
                calls = zero.endpoint.callsMade();
                assertThat(batches).isEqualTo(20);
                assertThat(calls).isEqualTo(20);
            }
        }
        assertThat(zero.endpoint.batchesMade()).isEqualTo(batches);
        assertThat(zero.endpoint.callsMade()).isEqualTo(calls);
    }

    @Test
    void shouldReuseABatchWhoseRequestsWereRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> zero.endpoint
                        .batch(1)
                        .read(RemoteAddress.of(1, 9, 0), WORD, 0)
                        .post(completion))
                .withMessageContaining("node 1 has no region 9");
        assertThat(completion.outstanding()).isZero();
        zero.endpoint.batch(1).writeWord(5, at(1, 0)).post(completion);
        assertThat(zero.endpoint.batchesMade()).isEqualTo(1);
        zero.worker.poll();
        assertThat(one.data.getLong(0)).isEqualTo(5);
    }

    @Test
    void shouldCarryOutNoRequestOfABatchThatItRefuses() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> zero.endpoint
                        .batch(1)
                        .writeWord(5, at(1, 0))
                        .read(RemoteAddress.of(1, 9, 0), WORD, 0)
                        .post(completion));
        zero.worker.poll();
        assertThat(one.data.getLong(0)).isZero();
    }

    @Test
    void shouldRefuseToLeaveARegion() {
        long end = one.data.size();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(
                        () -> zero.endpoint.batch(1).writeWord(1, at(1, end)).post(completion));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(
                        () -> zero.endpoint.batch(1).read(at(1, end - 8), 16, 0).post(completion));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> zero.endpoint
                        .batch(1)
                        .read(at(1, 0), 16, zero.buffers.size() - 8)
                        .post(completion));
        zero.endpoint.batch(1).read(at(1, end - 8), 8, 0).post(completion);
        assertThat(completion.outstanding()).isEqualTo(1);
    }

    // Chains and inboxes.

    @Test
    void shouldHandOverATurnsCallsTogether() {
        for (int i = 0; i < 100; i++) {
            zero.call(1, ECHO, 8 * i, 1024 + 8 * i, completion);
        }
        assertThat(one.worker.poll()).isZero();
        zero.worker.poll();
        assertThat(one.worker.wakeUps.get()).isEqualTo(1);
        assertThat(one.worker.poll()).isEqualTo(100 + 1);
        assertThat(zero.worker.wakeUps.get()).isEqualTo(1);
        zero.worker.poll();
        assertThat(completion.outstanding()).isZero();
    }

    @Test
    void shouldPrefetchForAllRequestsOfATurnBeforeItServesTheFirst() {
        for (int i = 0; i < 3; i++) {
            zero.call(1, PREFETCHED, 8 * i, 1024 + 8 * i, completion);
        }
        turnAll();
        assertThat(one.events)
                .containsExactly("0:0", "0:8", "0:16", "1:0", "1:8", "1:16", "serve 0", "serve 8", "serve 16");
        assertThat(completion.await()).as("what a prefetch throws does no harm").isTrue();
    }

    @Test
    void shouldKeepCallsWhileTheInboxIsFullAndLoseNone() {
        int calls = 5 * INBOX_CHAINS;
        for (int i = 0; i < calls; i++) {
            zero.buffers.putLong(8L * i, i);
            zero.call(1, ECHO, 8 * i, 1024 + 8 * i, completion);
            // A worker with pending calls must not sleep: no thread would wake it.
            assertThat(zero.worker.poll()).isPositive();
        }
        assertThat(zero.worker.poll()).isPositive();
        assertThat(one.worker.wakeUps.get()).isEqualTo(INBOX_CHAINS);
        for (int i = 0; completion.outstanding() > 0; i++) {
            assertThat(i).as("turns").isLessThan(10);
            turnAll();
        }
        assertThat(one.served).hasSize(calls).doesNotHaveDuplicates().isSorted();
        assertThat(zero.worker.poll()).isZero();
        for (int i = 0; i < calls; i++) {
            assertThat(zero.buffers.getLong(1024 + 8L * i)).isEqualTo(~(long) i);
        }
    }

    @Test
    void shouldServeOnlySoManyCallsInOnePoll() {
        int calls = 2 * LocalEndpoint.CALLS_PER_POLL + 10;
        for (int i = 0; i < calls; i++) {
            zero.call(1, ECHO, 0, 8, completion);
        }
        zero.worker.poll();
        one.worker.poll();
        assertThat(one.served).hasSize(LocalEndpoint.CALLS_PER_POLL);
        one.worker.poll();
        assertThat(one.served).hasSize(2 * LocalEndpoint.CALLS_PER_POLL);
        one.worker.poll();
        assertThat(one.served).hasSize(calls);
        turnAll();
        turnAll();
        assertThat(completion.outstanding()).isZero();
    }

    @Test
    void shouldServeACallToItself() {
        zero.call(0, ECHO, 0, 8, completion);
        assertThat(zero.worker.poll()).isPositive();
        zero.worker.poll();
        assertThat(completion.await()).isTrue();
        assertThat(zero.buffers.getLong(8)).isEqualTo(~0L);
        assertThat(zero.worker.poll()).isZero();
    }

    // Stops.

    @Test
    void shouldFailACallThatThePeerHolds() {
        zero.call(1, HOLD, 0, 8, completion);
        zero.worker.poll();
        one.worker.poll();
        network.stop(1);
        assertThat(completion.outstanding())
                .as("completed on the caller's worker only")
                .isEqualTo(1);
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
    }

    @Test
    void shouldFailACallThatWasNeverHandedOver() {
        zero.call(1, ECHO, 0, 8, completion);
        network.stop(1);
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(1);
        assertThat(zero.worker.poll()).as("dropped, not pending").isOne();
        assertThat(zero.worker.poll()).isZero();
    }

    @Test
    void shouldFailACallThatWaitsForRoomInTheInbox() {
        for (int i = 0; i < 3 * INBOX_CHAINS; i++) {
            zero.call(1, ECHO, 0, 8, completion);
            zero.worker.poll();
        }
        network.stop(1);
        // The flag allows this order: a poll after the stop, but before the task.
        zero.worker.poll();
        assertThat(completion.outstanding()).isEqualTo(3 * INBOX_CHAINS);
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();
        assertThat(zero.worker.poll()).isZero();
    }

    @Test
    void shouldFailACallBetweenTheStopAndItsTaskOnce() {
        network.stop(1);
        zero.call(1, ECHO, 0, 8, completion);
        zero.worker.runTasks();
        assertThat(completion.outstanding()).isEqualTo(1);
        zero.worker.poll();
        assertThat(completion.await()).isFalse();
    }

    // Goal: a reply that was in the caller's inbox when the call failed is not taken for the reply to a
    // later call.
    // Method: the peer replies and stops before the caller polls. Then the caller makes as many calls to
    // another peer as it has pooled objects, and gets the late reply first.
    @Test
    void shouldDropALateReply() {
        zero.call(1, ECHO, 0, 8, completion);
        zero.worker.poll();
        one.worker.poll();
        network.stop(1);
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();

        Completion later = new Completion(new NoCoroutine());
        zero.call(2, HOLD, 0, 16, later);
        zero.call(2, HOLD, 0, 24, later);
        zero.worker.poll();
        assertThat(later.outstanding()).as("the late reply completes nothing").isEqualTo(2);
        two.worker.poll();
        two.replyToHeld();
        two.worker.poll();
        zero.worker.poll();
        assertThat(later.await()).isTrue();
        assertThat(completion.outstanding()).isZero();
    }

    @Test
    void shouldDropRepliesToACallerThatHasStopped() {
        zero.call(1, HOLD, 0, 8, completion);
        zero.worker.poll();
        one.worker.poll();
        network.stop(0);
        one.worker.runTasks();
        one.replyToHeld();
        one.worker.poll();
        assertThat(one.worker.poll()).as("nothing is left pending").isZero();
    }

    @Test
    void shouldFailAllThatAStoppedNodeWaitsFor() {
        zero.call(1, HOLD, 0, 8, completion);
        zero.call(0, ECHO, 0, 16, completion);
        zero.worker.poll();
        one.worker.poll();
        zero.call(2, ECHO, 0, 24, completion);
        zero.fabric.close();
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();

        zero.call(2, ECHO, 0, 8, completion);
        zero.endpoint.batch(2).writeWord(5, at(2, 0)).post(completion);
        zero.worker.poll();
        assertThat(completion.await()).isFalse();
        assertThat(completion.failedPeer()).isEqualTo(2);
        assertThat(two.data.getLong(0)).isZero();
    }

    @Test
    void shouldReachANodeThatHasReattached() {
        one.data.putLong(0, 5);
        zero.call(1, HOLD, 0, 8, completion);
        zero.worker.poll();
        network.stop(1);
        Node again = new Node(1);
        zero.worker.runTasks();
        assertThat(completion.await()).isFalse();

        zero.endpoint.batch(1).fetchAdd(at(1, 0), 1, 16).post(completion);
        zero.call(1, ECHO, 0, 8, completion);
        zero.worker.poll();
        again.worker.poll();
        zero.worker.poll();
        assertThat(completion.await()).isTrue();
        assertThat(zero.buffers.getLong(16)).as("new memory").isZero();
        assertThat(one.data.getLong(0)).as("the former memory stays as it was").isEqualTo(5);
        assertThat(one.served).isEmpty();
        assertThat(again.served).hasSize(1);
    }

    // Helpers.

    private static long at(int node, long offset) {
        return RemoteAddress.of(node, DATA, offset);
    }

    /** A turn of every worker, as often as calls and replies need to cross. */
    private void turnAll() {
        for (int i = 0; i < 2; i++) {
            zero.worker.poll();
            one.worker.poll();
            two.worker.poll();
        }
    }

    /** A node with one worker, some data, and two handlers. */
    private final class Node {
        final ManualWorker worker;
        final Fabric fabric;
        final Memory data;
        final Memory buffers;
        final LocalEndpoint endpoint;
        final List<Long> served = new ArrayList<>();
        final List<String> events = new ArrayList<>();
        private final List<RpcRequest> held = new ArrayList<>();

        Node(int node) {
            worker = new ManualWorker(node, 0);
            fabric = network.attach(node);
            data = fabric.register(DATA, 4096).memory();
            Region region = fabric.register(2, 16384);
            buffers = region.memory();
            endpoint = (LocalEndpoint) fabric.open(worker, region);
            endpoint.handle(ECHO, request -> {
                served.add(request.payload().getLong(request.payloadOffset()));
                reply(request);
            });
            endpoint.handle(HOLD, held::add);
            endpoint.handle(PREFETCHED, new RpcHandler() {
                @Override
                public void handle(RpcRequest request) {
                    events.add("serve " + request.payloadOffset());
                    reply(request);
                }

                @Override
                public void prefetch(RpcRequest request, int round, Prefetch prefetch) {
                    events.add(round + ":" + request.payloadOffset());
                    prefetch.add(data, request.payloadOffset());
                    if (round == 1) {
                        throw new IllegalStateException("planted");
                    }
                }
            });
            fabric.start();
        }

        void call(int peer, int rpcId, int requestOffset, int replyOffset, Completion told) {
            endpoint.call(peer, rpcId, requestOffset, WORD, replyOffset, WORD, told);
        }

        void replyToHeld() {
            held.forEach(Node::reply);
            held.clear();
        }

        private static void reply(RpcRequest request) {
            long word = request.payload().getLong(request.payloadOffset());
            request.response().putLong(request.responseOffset(), ~word);
            request.reply(WORD);
        }
    }

    /** Stands for a coroutine that is not waiting. */
    private static final class NoCoroutine extends Coroutine {
        NoCoroutine() {
            super(0);
        }

        @Override
        public Worker worker() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void pause() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sleep(long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void suspend() {
            throw new AssertionError("would wait for ever");
        }

        @Override
        protected void resume() {}
    }
}
