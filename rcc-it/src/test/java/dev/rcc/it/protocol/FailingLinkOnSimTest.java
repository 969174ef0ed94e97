package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A link fails for some ms while no node dies, so often and so early that calls and batches are lost in all stages. Afterwards
 * no lock is held, acknowledged writes are at their primaries, and the copies agree.
 */
class FailingLinkOnSimTest {
    private static final int NODES = 3;
    private static final int COROUTINES = 4;
    private static final int KEYS_EACH = 20;
    private static final int KEYS = NODES * COROUTINES * KEYS_EACH;
    private static final int SEEDS = 3;

    private final AtomicBoolean over = new AtomicBoolean();
    private final Map<Long, Long> acknowledged = new HashMap<>();

    static Stream<String> protocolsAndCodes() {
        return Protocols.all().stream()
                .flatMap(protocol -> Stream.of("rpc", "one-sided").map(code -> protocol.name() + " " + code));
    }

    @ParameterizedTest
    @MethodSource("protocolsAndCodes")
    void shouldInstallAcknowledgedWritesAndLeaveNoLockWhenALinkFails(String protocolAndCode) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            run(protocolAndCode, seed, Duration.ofMillis(50), Failure.CUT, this::updateOwnKeys);
        }
    }

    // A datagram of an RPC is lost now and then, and the link goes on: of two workers only one finds the other one's
    // node dead.
    @ParameterizedTest
    @MethodSource("protocolsAndCodes")
    void shouldInstallWritesAndLeaveNoLockWhenDatagramsAreLost(String protocolAndCode) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            run(protocolAndCode, seed, Duration.ofMillis(50), Failure.LOST_DATAGRAMS, this::updateOwnKeys);
        }
    }

    @ParameterizedTest
    @MethodSource("protocolsAndCodes")
    void shouldInstallWritesAndLeaveNoLockWhenKeysAreInsertedAndDeleted(String protocolAndCode) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            run(protocolAndCode, 1000 + seed, Duration.ofMillis(50), Failure.CUT, this::churn);
        }
    }

    @ParameterizedTest
    @MethodSource("protocolsAndCodes")
    void shouldInstallWritesAndLeaveNoLockWhenALinkFailsWithoutRecovery(String protocolAndCode) {
        if (protocolAndCode.startsWith("calvin")) {
            return; // there, a node that was not reached counts as dead until the next configuration
        }
        for (long seed = 1; seed <= SEEDS; seed++) {
            run(protocolAndCode, seed, Duration.ZERO, Failure.CUT, this::updateOwnKeys);
        }
    }

    /**
     * How links fail.
     *
     * @param patience less than the time until another failure may free a transaction that has waited since the first
     *     one
     */
    private record Failure(int workers, FaultPlan faults, Duration patience) {
        static final Failure CUT = new Failure(1, FaultPlan.NONE, Duration.ofSeconds(5));
        static final Failure LOST_DATAGRAMS =
                new Failure(2, FaultPlan.NONE.withDatagramLoss(0.001), Duration.ofMillis(100));

        boolean isCut() {
            return equals(CUT);
        }
    }

    private void run(String protocolAndCode, long seed, Duration recovery, Failure failure, Workload workload) {
        int blank = protocolAndCode.indexOf(' ');
        Protocol protocol = Protocols.byName(protocolAndCode.substring(0, blank));
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "t", 8, 2 * KEYS)))
                .withCode(HybridCode.parse(protocol, protocolAndCode.substring(blank + 1)))
                .withShape(NODES, failure.workers, COROUTINES / failure.workers, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRecovery(recovery)
                .withSeed(seed);
        over.set(false);
        acknowledged.clear();
        try (SimulatedCluster cluster =
                EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr").withFaults(failure.faults))) {
            Table table = cluster.catalog().table(0);
            for (long key = 0; key < KEYS; key++) {
                cluster.loader().load(table, key, record -> {});
            }
            cluster.start();
            for (int node = 0; node < NODES; node++) {
                for (int coroutine = 0; coroutine < COROUTINES; coroutine++) {
                    long first = (long) (node * COROUTINES + coroutine) * KEYS_EACH;
                    cluster.spawn(
                            node,
                            coroutine % failure.workers,
                            coroutine / failure.workers,
                            (runner, self) -> workload.run(runner, self, table, first));
                }
            }
            cluster.await(Duration.ofNanos(200_000 + 7_919 * seed), () -> false);
            if (failure.isCut()) {
                cluster.network().cut(0, 1);
            }
            cluster.await(Duration.ofMillis(3), () -> false);
            if (failure.isCut()) {
                cluster.network().heal(0, 1);
            }
            cluster.await(Duration.ofMillis(5), () -> false);
            over.set(true);
            String label = protocolAndCode + ", seed " + seed;
            assertThat(cluster.awaitClients(failure.patience))
                    .as("clients end: %s", label)
                    .isTrue();
            assertThat(cluster.await(failure.patience, cluster::isReconfigured))
                    .as(label)
                    .isTrue();
            assertThat(cluster.quiesce(Duration.ofSeconds(5)))
                    .as("rings drained: %s", label)
                    .isTrue();
            assertThat(cluster.inspect().violations()).as(label).isEmpty();
            assertThat(lost(cluster, table))
                    .as("acknowledged, and not at the primary: %s", label)
                    .isEmpty();
        }
    }

    @FunctionalInterface
    private interface Workload {
        void run(TransactionRunner runner, Coroutine self, Table table, long first);
    }

    /** No other client writes the client's keys, so the last write that was acknowledged to it must be there. */
    private void updateOwnKeys(TransactionRunner runner, Coroutine self, Table table, long first) {
        long value = 0;
        while (!over.get()) {
            self.sleep(10_000);
            long key = first + self.worker().random(KEYS_EACH);
            long next = ++value;
            Procedure update = new Procedure() {
                private Access access;

                @Override
                public void declare(Transaction txn) {
                    access = txn.update(table, key);
                }

                @Override
                public void execute(Transaction txn) {
                    access.putLong(0, next);
                }
            };
            if (runner.run(update) == Outcome.COMMITTED) {
                acknowledged.put(key, next);
            }
        }
    }

    /** All read, insert and delete a few keys that they share; each updates one of its own, too. */
    private void churn(TransactionRunner runner, Coroutine self, Table table, long first) {
        long value = 0;
        while (!over.get()) {
            self.sleep(10_000);
            long own = first + self.worker().random(KEYS_EACH);
            long shared = (long) KEYS + self.worker().random(16);
            long other = (long) KEYS + self.worker().random(16);
            long kind = self.worker().random(4);
            long next = ++value;
            Procedure procedure = new Procedure() {
                private Access updated;
                private Access changed;

                @Override
                public void declare(Transaction txn) {
                    updated = kind == 0 ? null : txn.update(table, own);
                    changed = switch ((int) kind) {
                        case 1 -> txn.insert(table, shared);
                        case 2 -> txn.delete(table, shared);
                        default -> txn.read(table, shared);
                    };
                    if (other != shared) {
                        txn.read(table, other);
                    }
                }

                @Override
                public void execute(Transaction txn) {
                    if (updated != null) {
                        updated.putLong(0, next);
                    }
                    if (kind == 1 && !changed.exists()) {
                        changed.putLong(0, next);
                    }
                }
            };
            if (runner.run(procedure) == Outcome.COMMITTED && kind != 0) {
                acknowledged.put(own, next);
            }
        }
    }

    private List<String> lost(SimulatedCluster cluster, Table table) {
        List<String> lost = new ArrayList<>();
        acknowledged.forEach((key, value) -> {
            int partition = cluster.catalog().home().partition(KeyHash.of(key));
            int primary = cluster.catalog().placement().primary(partition);
            long found = valueAt(cluster.copy(primary, table, partition), table, key);
            if (found < value) {
                lost.add("key " + key + " is " + found + ", acknowledged was " + value);
            }
        });
        return lost;
    }

    private static long valueAt(Memory copy, Table table, long key) {
        TupleLayout t = table.layout().tuple();
        for (long slot = 0; slot < table.layout().slots(); slot++) {
            long tuple = table.layout().tupleOffset(slot);
            if (TupleLayout.isLive(copy.getLong(tuple + t.identityOffset()))
                    && copy.getLong(tuple + t.keyOffset()) == key) {
                return copy.getLong(tuple + t.recordOffset());
            }
        }
        return -1;
    }
}
