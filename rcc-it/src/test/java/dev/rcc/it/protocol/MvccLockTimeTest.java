package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.server.config.ClusterConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The promises of MVCC that locks records when they are accessed (rcc, 4.4), in virtual time. */
class MvccLockTimeTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final long X = 1;
    private static final long V = 2;
    private static final long MISSING = 3;
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    @Override
    public Protocol protocol() {
        return mvcc(LockTime.ACCESS);
    }

    private static Protocol mvcc(LockTime lockTime) {
        return new Mvcc(new MvccOptions(4, true, 0, lockTime));
    }

    private TestCluster start(LockTime lockTime, HybridCode code) {
        Protocol protocol = mvcc(lockTime);
        return start(
                ClusterConfig.of(protocol, List.of(SCHEMA))
                        .withCode(HybridCode.parse(protocol, code.digits()))
                        .withShape(3, 1, 4, 3)
                        .withMemory(64 * 1024, 32 * 1024, 1024)
                        .withRetries(RetryPolicy.NEVER),
                X,
                V);
    }

    // Method: while a transaction is in its procedure, a later one writes the same. It meets the lock, if
    // there is one; otherwise it commits, and the first one comes too late.
    @ForEveryCode
    void shouldHoldAWriteLockDuringItsProcedureOnlyIfItLocksAtAccess(HybridCode code) {
        for (LockTime lockTime : LockTime.values()) {
            try (TestCluster cluster = start(lockTime, code)) {
                Table table = cluster.table(0);
                CountDownLatch holding = new CountDownLatch(1);
                AtomicBoolean release = new AtomicBoolean();
                CompletableFuture<Result> first =
                        cluster.spawn(FIRST, 0, AtomicityContract.waiting(write(table, X, 5), holding, release));
                cluster.await(holding);
                Result second = cluster.run(
                        SECOND, procedure(txn -> txn.write(table, X), (txn, access) -> access.putLong(VALUE, 6)));
                release.set(true);
                boolean atAccess = lockTime == LockTime.ACCESS;
                assertThat(cluster.await(first).outcome() == Outcome.COMMITTED).isEqualTo(atAccess);
                assertThat(second.outcome() == Outcome.COMMITTED).isEqualTo(!atAccess);
                cluster.assertAtRest();
                assertThat(cluster.read(FIRST, table, X)).isEqualTo(atAccess ? 5 : 6);
            }
        }
    }

    @ForEveryCode
    void shouldDropAllLocksIfItAborts(HybridCode code) {
        try (TestCluster cluster = start(LockTime.ACCESS, code)) {
            Table table = cluster.table(0);
            Procedure all = procedure(
                    txn -> List.of(txn.update(table, X), txn.delete(table, V), txn.insert(table, MISSING)),
                    (txn, accesses) -> {
                        accesses.get(0).putLong(VALUE, 5);
                        txn.abort();
                    });
            assertThat(cluster.run(FIRST, all)).isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            cluster.assertAtRest();
            assertThat(cluster.read(SECOND, table, X)).isEqualTo(X);
            assertThat(cluster.read(SECOND, table, V)).isEqualTo(V);
            assertThat(cluster.read(SECOND, table, MISSING)).isNull();
        }
    }

    @ForEveryCode
    void shouldUnlockRecordsThatItLockedButDidNotWrite(HybridCode code) {
        for (boolean writesOther : new boolean[] {false, true}) {
            try (TestCluster cluster = start(LockTime.ACCESS, code)) {
                Table table = cluster.table(0);
                cluster.commit(
                        FIRST,
                        procedure(txn -> List.of(txn.update(table, X), txn.update(table, V)), (txn, accesses) -> {
                            if (writesOther) {
                                accesses.get(1).putLong(VALUE, 9);
                            }
                        }));
                cluster.assertAtRest();
                assertThat(cluster.read(FIRST, table, V)).isEqualTo(writesOther ? 9 : V);
                cluster.commit(FIRST, write(table, X, 7));
                cluster.assertAtRest();
            }
        }
    }

    // By RPC, one call fetches and locks, so a transaction takes a round trip less; one-sided, as many.
    @ForEveryCode
    void shouldLockByRpcInTheRoundTripThatFetches(HybridCode code) {
        Map<LockTime, Long> trips = new EnumMap<>(LockTime.class);
        for (LockTime lockTime : LockTime.values()) {
            try (TestCluster cluster = start(lockTime, code)) {
                Table table = cluster.table(0);
                cluster.commit(FIRST, write(table, X, 5)); // addresses are known afterwards
                long before = cluster.metrics().roundTrips();
                cluster.commit(FIRST, write(table, X, 6));
                trips.put(lockTime, cluster.metrics().roundTrips() - before);
                cluster.assertAtRest();
            }
        }
        int lock = protocol().stages().indexOf("lock");
        long spared = code.primitive(lock) == Primitive.RPC ? 1 : 0;
        assertThat(trips.get(LockTime.COMMIT) - trips.get(LockTime.ACCESS)).isEqualTo(spared);
    }
}
