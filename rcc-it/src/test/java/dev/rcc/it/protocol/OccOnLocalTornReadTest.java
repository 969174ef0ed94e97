package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A procedure never sees half of a record, although nobody locks what is read. Method: all words of a record of many
 * cache lines are equal; some coroutines write two such records all the time, the others look, in their procedures and
 * so before any validation.
 */
class OccOnLocalTornReadTest extends ProtocolContract implements OccOnLocal {
    private static final int RECORD_BYTES = 4096;
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "wide", RECORD_BYTES, 4);

    @ForEveryCode
    void shouldNotShowATornRecordToAProcedure(HybridCode code) {
        AtomicInteger torn = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        try (TestCluster cluster =
                start(config(code, SCHEMA).withShape(2, 1, 3, 2).withMemory(256 * 1024, 64 * 1024, 1024), 0, 1)) {
            Table table = cluster.table(0);
            cluster.commit(0, procedure(txn -> txn.update(table, 0), (txn, access) -> fill(access, 0)));
            cluster.commit(0, procedure(txn -> txn.update(table, 1), (txn, access) -> fill(access, 0)));
            cluster.everywhere((runner, self) -> {
                boolean writes = self.id() % 3 == 0;
                for (int i = 0; i < 60; i++) {
                    long key = self.worker().random(2);
                    Outcome outcome = runner.run(procedure(
                            txn -> writes ? txn.update(table, key) : txn.read(table, key), (txn, access) -> {
                                long first = access.getLong(VALUE);
                                for (int offset = 8; offset < RECORD_BYTES; offset += 8) {
                                    if (access.getLong(offset) != first) {
                                        torn.incrementAndGet();
                                    }
                                }
                                seen.incrementAndGet();
                                if (writes) {
                                    fill(access, txn.id());
                                }
                            }));
                    assertThat(outcome).isEqualTo(Outcome.COMMITTED);
                }
            });
            cluster.assertAtRest();
            assertThat(seen.get()).isGreaterThanOrEqualTo(2 * 3 * 60);
            assertThat(torn.get()).isZero();
        }
    }

    private static void fill(dev.rcc.core.txn.Access access, long value) {
        for (int offset = 0; offset < RECORD_BYTES; offset += 8) {
            access.putLong(offset, value);
        }
    }
}
