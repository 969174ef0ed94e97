package dev.rcc.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrossingEndpointTest {
    private static final int OWN = 0;
    private static final int BESIDE = 1;
    private static final int ELSEWHERE = 2;

    private final Crossings shared = new Crossings();
    private final Crossings counted = new Crossings();
    private final Completion ofTransaction = completion();
    private final Completion ofNobody = completion();
    private final DoneAtOnce network = new DoneAtOnce();
    private final Endpoint endpoint = new CrossingEndpoint(network, Zones.of(List.of("a", "a", "b")), OWN, shared);

    private static Completion completion() {
        return new Completion(new FakeCoroutine(1, new FakeWorker(OWN)));
    }

    CrossingEndpointTest() {
        ofTransaction.count(counted);
    }

    private static List<Long> counts(Crossings crossings) {
        return List.of(
                crossings.count(Measure.ROUND_TRIPS),
                crossings.count(Measure.MESSAGES),
                crossings.count(Measure.BYTES));
    }

    @Test
    void shouldCountABatchAsARequestAndAnAnswer() {
        Batch batch = endpoint.batch(ELSEWHERE)
                .read(0, 100, 0)
                .write(0, 40, 0)
                .writeWord(1, 0)
                .cas(0, 1, 2, 0)
                .fetchAdd(0, 1, 0);
        assertThat(batch.peer()).isEqualTo(ELSEWHERE);
        assertThat(batch.size()).isEqualTo(5);
        batch.post(ofTransaction);
        assertThat(ofTransaction.await()).isTrue();
        assertThat(counts(counted)).containsExactly(1L, 2L, 100L + 40 + 8 + 2 * 8 + 2 * 8);
        assertThat(counts(shared)).containsExactly(0L, 0L, 0L);
        assertThat(network.posted).isEqualTo(1);
    }

    @Test
    void shouldCountABatchThatIsUsedAgainOnceMore() {
        endpoint.batch(ELSEWHERE).read(0, 100, 0).post(ofTransaction);
        ofTransaction.await();
        endpoint.batch(ELSEWHERE).read(0, 1, 0).post(ofTransaction);
        ofTransaction.await();
        assertThat(counts(counted)).containsExactly(2L, 4L, 101L);
    }

    @Test
    void shouldPostABatchAtOnceAsSuch() {
        endpoint.batch(ELSEWHERE).writeWord(1, 0).postAtOnce(ofTransaction);
        assertThat(ofTransaction.await()).isTrue();
        assertThat(network.postedAtOnce).isEqualTo(1);
        assertThat(counts(counted)).containsExactly(1L, 2L, 8L);
    }

    @Test
    void shouldCountACallAndItsReply() {
        endpoint.call(ELSEWHERE, 7, 0, 64, 0, 24, ofTransaction);
        ofTransaction.await();
        assertThat(counts(counted)).containsExactly(1L, 2L, 88L);
    }

    @Test
    void shouldCountOneRoundTripForAllThatIsWaitedForTogether() {
        endpoint.call(ELSEWHERE, 7, 0, 64, 0, 24, ofTransaction);
        endpoint.batch(ELSEWHERE).writeWord(1, 0).post(ofTransaction);
        endpoint.batch(BESIDE).writeWord(1, 0).post(ofTransaction);
        ofTransaction.await();
        assertThat(counts(counted)).containsExactly(1L, 4L, 96L);
        endpoint.batch(BESIDE).writeWord(1, 0).post(ofTransaction);
        ofTransaction.await();
        assertThat(counts(counted)).containsExactly(1L, 4L, 96L);
    }

    @Test
    void shouldCountNothingThatStaysInTheZone() {
        for (int node : new int[] {OWN, BESIDE}) {
            endpoint.batch(node).read(0, 100, 0).post(ofTransaction);
            endpoint.call(node, 7, 0, 64, 0, 24, ofTransaction);
            ofTransaction.await();
        }
        assertThat(counts(counted)).containsExactly(0L, 0L, 0L);
        assertThat(network.posted).isEqualTo(4);
    }

    @Test
    void shouldCountOperationsOutsideTransactionsForTheWorker() {
        endpoint.call(ELSEWHERE, 7, 0, 64, 0, 24, ofNobody);
        endpoint.batch(ELSEWHERE).writeWord(1, 0).post(ofNobody);
        ofNobody.await();
        assertThat(counts(shared)).containsExactly(0L, 4L, 96L);
        assertThat(counts(counted)).containsExactly(0L, 0L, 0L);
    }

    /** A network on which each batch is complete when it is posted. */
    private static final class DoneAtOnce implements Endpoint {
        private int posted;
        private int postedAtOnce;

        @Override
        public Batch batch(int peer) {
            return new EmptyBatch(peer);
        }

        @Override
        public void call(int peer, int rpcId, long request, int bytes, long reply, int room, Completion completion) {
            done(completion);
        }

        private void done(Completion completion) {
            posted++;
            completion.add();
            completion.succeed();
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            throw new UnsupportedOperationException("serves nothing");
        }

        private final class EmptyBatch implements Batch {
            private final int peer;
            private int size;

            EmptyBatch(int peer) {
                this.peer = peer;
            }

            private Batch appended() {
                size++;
                return this;
            }

            @Override
            public Batch read(long sourceAddress, int bytes, long targetOffset) {
                return appended();
            }

            @Override
            public Batch write(long sourceOffset, int bytes, long targetAddress) {
                return appended();
            }

            @Override
            public Batch writeWord(long value, long targetAddress) {
                return appended();
            }

            @Override
            public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
                return appended();
            }

            @Override
            public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
                return appended();
            }

            @Override
            public int peer() {
                return peer;
            }

            @Override
            public int size() {
                return size;
            }

            @Override
            public void post(Completion completion) {
                done(completion);
            }

            @Override
            public void postAtOnce(Completion completion) {
                postedAtOnce++;
                done(completion);
            }
        }
    }
}
