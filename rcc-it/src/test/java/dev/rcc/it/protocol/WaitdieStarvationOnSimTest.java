package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.waitdie.Waitdie;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers whose shared locks on a record overlap for ever, and writers that want the same lock alone. */
class WaitdieStarvationOnSimTest {
    private static final int NODES = 3;
    private static final int COROUTINES = 6;
    private static final long RECORD = 7;
    private static final long READING_NANOS = 40_000;
    private static final Duration TIME = Duration.ofSeconds(1);

    /** One-sided, a free lock goes to the first transaction that comes: many more read than write. A waiting list would be in order. */
    private static final int LEAST_WRITES = 10;

    private final AtomicBoolean over = new AtomicBoolean();
    private int written;

    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldLetAWriterHaveALockThatReadersShareWithoutEnd(String code) {
        Protocol protocol = new Waitdie();
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "t", 8, 100)))
                .withCode(HybridCode.parse(protocol, code))
                .withShape(NODES, 1, COROUTINES, 1)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withSeed(1);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            cluster.loader().load(table, RECORD, record -> {});
            cluster.start();
            for (int node = 0; node < NODES; node++) {
                for (int coroutine = 0; coroutine < COROUTINES; coroutine++) {
                    boolean writes = coroutine == 0;
                    cluster.spawn(node, 0, coroutine, (runner, self) -> {
                        if (writes) {
                            write(runner, self, table);
                        } else {
                            readOn(runner, table);
                        }
                    });
                }
            }
            cluster.await(TIME, () -> written >= LEAST_WRITES);
            over.set(true);
            assertThat(cluster.awaitClients(TIME)).isTrue();
            assertThat(written).isGreaterThanOrEqualTo(LEAST_WRITES);
        }
    }

    private void readOn(TransactionRunner runner, Table table) {
        Procedure reading = new Procedure() {
            @Override
            public void declare(Transaction txn) {
                txn.read(table, RECORD);
            }

            @Override
            public void execute(Transaction txn) {
                txn.coroutine().sleep(READING_NANOS);
            }
        };
        while (!over.get()) {
            runner.run(reading);
        }
    }

    private void write(TransactionRunner runner, Coroutine self, Table table) {
        Procedure writing = new Procedure() {
            @Override
            public void declare(Transaction txn) {
                txn.update(table, RECORD);
            }

            @Override
            public void execute(Transaction txn) {}
        };
        while (!over.get()) {
            self.sleep(100_000);
            if (runner.run(writing) == Outcome.COMMITTED) {
                written++;
            }
        }
    }
}
