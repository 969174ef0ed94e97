package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A participant of CALVIN that its coordinator has given up, though it lives: the records that it forwards late reach no other transaction. */
class CalvinLateForwardOnSimTest {
    private static final int KEYS = 60;
    /** So that the participant forwards after the coordinator has given up, and before a probe notifies it of that. */
    private static final long HELD_NANOS = 6_300_000;

    private static final long LOOK_NANOS = 40_000_000;
    /** When the second transaction begins: the first one is in an epoch before then. */
    private static final long BEGIN_NANOS = 2_000_000;

    private static final int CUT_TIMES = 6;
    /** A little before the coordinator, which waits, looks whether its peers are there. */
    private static final long FIRST_CUT_NANOS = 3_820_000;

    private static final long STEP_NANOS = 23_003;
    /** Longer than it takes to find out, shorter than it takes for the next look. */
    private static final long CUT_NANOS = 1_200_000;

    private int lateTransactions;

    // Method: a record of node 1 is held for long. A transaction of node 0 waits for it when the way from node 0 to
    // node 1 is cut for a moment. It gives up, and its coroutine goes on with records of node 0. Then the record is
    // released, and forwarded.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldNotReachAnotherTransaction(String code) {
        for (int i = 0; i < CUT_TIMES; i++) {
            run(code, FIRST_CUT_NANOS + STEP_NANOS * i);
        }
        assertThat(lateTransactions)
                .as("clusters in which the transaction gave up")
                .isPositive();
    }

    private void run(String code, long cutNanos) {
        Protocol protocol = Protocols.byName("calvin");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "t", 64, 2 * KEYS)))
                .withCode(HybridCode.parse(protocol, code))
                .withShape(3, 1, 1, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRecovery(Duration.ZERO);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            LongStream.range(0, KEYS)
                    .forEach(key -> cluster.loader().load(table, key, record -> record.putLong(0, key)));
            cluster.start();
            long held = keyOf(cluster, 1);
            long own = keyOf(cluster, 0);
            cluster.spawn(2, 0, 0, (runner, self) -> runner.run(new Update(table, held, self, HELD_NANOS)));
            boolean[] gaveUp = new boolean[1];
            Update last = new Update(table, own, null, 0);
            cluster.spawn(0, 0, 0, (runner, self) -> {
                self.sleep(BEGIN_NANOS);
                gaveUp[0] = runner.run(Update.readOnce(table, held)) != Outcome.COMMITTED;
                last.self = self;
                last.nanos = LOOK_NANOS;
                runner.run(last);
            });
            cluster.await(Duration.ofNanos(cutNanos), () -> false);
            cluster.network().cutOneWay(0, 1);
            cluster.await(Duration.ofNanos(CUT_NANOS), () -> false);
            cluster.network().healOneWay(0, 1);
            cluster.await(Duration.ofMillis(100), () -> last.keyAfter >= 0);
            if (gaveUp[0] && last.keyAfter >= 0) {
                lateTransactions++;
                assertThat(last.keyAfter).as("%s, cut at %d ns", code, cutNanos).isEqualTo(own);
            }
        }
    }

    private static long keyOf(SimulatedCluster cluster, int node) {
        return LongStream.range(0, KEYS)
                .filter(key -> cluster.catalog()
                                .placement()
                                .primary(cluster.catalog().home().partition(KeyHash.of(key)))
                        == node)
                .findFirst()
                .orElseThrow();
    }

    /** Reads a record, waits, and looks at it again. */
    private static final class Update implements Procedure {
        private final Table table;
        private final long key;
        private Coroutine self;
        private long nanos;
        private int attempts = Integer.MAX_VALUE;
        private boolean reads;
        private Access access;
        private long keyAfter = -1;

        Update(Table table, long key, Coroutine self, long nanos) {
            this.table = table;
            this.key = key;
            this.self = self;
            this.nanos = nanos;
        }

        /** Reads a record in one attempt. A participant is not notified when a transaction that only reads gives up. */
        static Update readOnce(Table table, long key) {
            Update read = new Update(table, key, null, 0);
            read.attempts = 1;
            read.reads = true;
            return read;
        }

        @Override
        public void declare(Transaction txn) {
            if (attempts-- == 0) {
                txn.abort();
                return;
            }
            access = reads ? txn.read(table, key) : txn.update(table, key);
        }

        @Override
        public void execute(Transaction txn) {
            if (nanos > 0) {
                self.sleep(nanos);
            }
            keyAfter = access.getLong(0);
        }
    }
}
