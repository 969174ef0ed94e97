package dev.rcc.protocols.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.PartialContext;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Lease;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerRetryTest {
    private static final int PEER = 1;

    private final FakeEndpoint endpoint = new FakeEndpoint();
    private final FakeWorker worker = new FakeWorker(0);
    private final FakeCoroutine coroutine = new FakeCoroutine(0, worker);
    private final Catalog catalog =
            new Catalog(new RingPlacement(2, 1), 8, 0, true, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 10)));
    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 1024);
    private final AttemptGate gate = new AttemptGate(1, new Admission());
    private int tries;
    private int sweeps;

    @Test
    void shouldGiveUpAndRequestASweepWhenAReachableNodeFailsEveryRequest() {
        boolean paid = retry(gate).settle(PEER, this::fail);
        assertThat(paid).isFalse();
        assertThat(tries).isEqualTo(PeerRetry.REFUSALS_MAX);
        assertThat(sweeps).isEqualTo(1);
    }

    @Test
    void shouldRetryForAsLongAsTheNodeIsUnreachable() {
        endpoint.unreachable = PEER;
        boolean paid = retry(gate).settle(PEER, node -> ++tries > 10 * PeerRetry.REFUSALS_MAX);
        assertThat(paid).isTrue();
        assertThat(sweeps).isZero();
    }

    @Test
    void shouldEndWhenTheNodeIsOutOfTheConfiguration() {
        endpoint.unreachable = PEER;
        coroutine.whileSleeping = () -> {
            if (tries == 3) {
                gate.lose(PEER);
            }
        };
        assertThat(retry(gate).settle(PEER, this::fail)).isFalse();
        assertThat(tries).isEqualTo(4);
        assertThat(sweeps).isZero();
    }

    @Test
    void shouldTakeANodeWithoutAReplacementForDeadAfterASecond() {
        AttemptGate unreplaced = new AttemptGate(0, new Admission());
        assertTakesForDeadAfter(AttemptGate.PATIENCE_NANOS, unreplaced);
    }

    @Test
    void shouldTakeANodeForDeadAfterTheClustersPatience() {
        long patience = 50_000_000;
        AttemptGate impatient = new AttemptGate(0, patience, new Admission(), Lease.forEver(), false);
        assertTakesForDeadAfter(patience, impatient);
    }

    private void assertTakesForDeadAfter(long patience, AttemptGate unreplaced) {
        endpoint.unreachable = PEER;
        assertThat(retry(unreplaced).settle(PEER, this::fail)).isFalse();
        assertThat(worker.nanoTime()).isBetween(patience, 2 * patience);
    }

    private boolean fail(int node) {
        assertThat(node).isEqualTo(PEER);
        tries++;
        return false;
    }

    private PeerRetry retry(AttemptGate ofWorker) {
        ofWorker.sweeper(() -> sweeps++);
        Memstore memstore = new Memstore(catalog, new FakeFabric(0));
        WorkerContext context = new PartialContext(worker, endpoint, buffers)
                .memstore(memstore)
                .gate(ofWorker)
                .make();
        Transaction txn = new Transaction(
                coroutine,
                catalog,
                new BufferSlice(buffers, 0, buffers.size()),
                new TimestampClock(new WallClock(worker, 0), worker.node(), 0));
        return new PeerRetry(context, txn);
    }
}
