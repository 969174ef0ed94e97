package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.calvin.CalvinOptions;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.stream.LongStream;

/** The order is agreed on before anything is locked, whatever an epoch is made of. */
abstract class CalvinOrderContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 16, 200);

    /** Drawn more often than the contracts that all protocols share. */
    @Override
    public int oneIn() {
        return 4;
    }

    private static ClusterConfig with(CalvinOptions options, HybridCode code) {
        Protocol calvin = new Calvin(options);
        return ClusterConfig.of(calvin, List.of(SCHEMA))
                .withCode(HybridCode.parse(calvin, code.digits()))
                .withShape(3, 2, 3, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024);
    }

    // All keys of all transactions are the same, in the order that would deadlock transactions that lock them
    // one by one.
    @ForEveryCode
    void shouldNeverAbortOnAConflict(HybridCode code) {
        int each = rounds(10);
        int all = 18 * each; // by three coroutines of two workers of three nodes
        for (CalvinOptions options : List.of(
                CalvinOptions.DEFAULT, new CalvinOptions(0, 1, 1024), new CalvinOptions(500_000, 1_000, 64 * 1024))) {
            try (TestCluster cluster = start(with(options, code), 0, 1, 2, 3)) {
                Table table = cluster.table(0);
                cluster.everywhere((runner, self) -> {
                    for (int i = 0; i < each; i++) {
                        int first = self.worker().random(4);
                        assertThat(runner.run(procedure(
                                        txn -> LongStream.range(0, 4)
                                                .mapToObj(key -> txn.update(table, (first + key) % 4))
                                                .toList(),
                                        (txn, accesses) -> accesses.forEach(
                                                access -> access.putLong(VALUE, access.getLong(VALUE) + 1)))))
                                .isEqualTo(Outcome.COMMITTED);
                    }
                });
                cluster.assertAtRest();
                assertThat(cluster.metrics().attempted()).isEqualTo(all);
                for (long key = 0; key < 4; key++) {
                    assertThat(cluster.read(0, table, key)).isEqualTo(key + all);
                }
            }
        }
    }

    // The inputs of one transaction must fit into a batch; a transaction whose inputs do not fit ends, and
    // the coroutine goes on.
    @ForEveryCode
    void shouldRefuseATransactionWhoseInputsDoNotFitIntoABatch(HybridCode code) {
        try (TestCluster cluster = start(with(new CalvinOptions(0, 8, 4096), code), 0)) {
            Table table = cluster.table(0);
            // A batch has 16 bytes and a transaction 40 before its keys, of 40 bytes each: 101 fit, 102 do not.
            for (int keys : new int[] {101, 102}) {
                Result result = cluster.run(
                        1,
                        procedure(
                                txn -> LongStream.range(0, keys)
                                        .mapToObj(key -> txn.read(table, key))
                                        .toList(),
                                (txn, accesses) ->
                                        assertThat(accesses.get(0).exists()).isTrue()));
                if (keys == 101) {
                    assertThat(result).isEqualTo(Result.COMMITTED);
                } else {
                    assertThat(result.thrown()).isInstanceOf(TransactionTooLarge.class);
                }
            }
            cluster.commit(1, write(table, 0, 5));
            assertThat(cluster.read(0, table, 0)).isEqualTo(5);
            cluster.assertAtRest();
        }
    }
}
