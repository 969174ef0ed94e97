package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Transactions as large as TPC-C's largest: one that updates 130 records and deletes as many, and one that reads 400, of 655 bytes each. With the
 * default buffer they are refused, with the name of the option to raise; with that they commit.
 */
@EachProtocol.All
class LargeTransactionOnSimTest extends ProtocolContract implements OnSim {
    private static final int RECORDS = 400;
    private static final TableSchema WIDE = TableSchema.ofLongKeys(0, "wide", 655, RECORDS);
    private static final TableSchema NARROW = TableSchema.ofLongKeys(0, "narrow", 8, RECORDS);
    private static final int DELETED = 100;
    /** Images, and by RPC the messages beside them: of the fetch, and of the commit to each backup. */
    private static final int ENOUGH_BYTES = 1 << 20;

    @Override
    public int maxCodes() {
        return 2;
    }

    @Override
    public FaultPlan faults() {
        return FaultPlan.NONE;
    }

    private static Procedure updateAndDelete(Table table) {
        return procedure(txn -> reads(txn, table, 260), (txn, accesses) -> {
            for (int key = 0; key < 260; key++) {
                long value = accesses.get(key).getLong(VALUE);
                if (key % 2 == 0) {
                    txn.update(table, key).putLong(VALUE, value + 1);
                } else {
                    txn.delete(table, key);
                }
            }
        });
    }

    private static List<Access> reads(Transaction txn, Table table, int count) {
        List<Access> accesses = new ArrayList<>();
        for (int key = 0; key < count; key++) {
            accesses.add(txn.read(table, key));
        }
        return accesses;
    }

    private TestCluster start(ClusterConfig config) {
        return start(config, c -> {
            for (long key = 0; key < RECORDS; key++) {
                c.loader.load(c.table(0), key, value(key));
            }
        });
    }

    private ClusterConfig defaults(HybridCode code) {
        return ClusterConfig.of(protocol(), List.of(WIDE)).withCode(code);
    }

    @ForEveryCode
    void shouldCommitWithALargerBuffer(HybridCode code) {
        ClusterConfig.Memory memory = defaults(code).memory();
        ClusterConfig roomy =
                defaults(code).withMemory(memory.logRingBytes(), ENOUGH_BYTES, memory.addressCacheEntries());
        try (TestCluster cluster = start(roomy)) {
            Table table = cluster.table(0);
            long[] sum = new long[1];
            cluster.commit(
                    0,
                    procedure(
                            txn -> reads(txn, table, RECORDS),
                            (txn, accesses) -> sum[0] = accesses.stream()
                                    .mapToLong(access -> access.getLong(VALUE))
                                    .sum()));
            assertThat(sum[0]).isEqualTo(RECORDS * (RECORDS - 1) / 2);
            cluster.commit(1, updateAndDelete(table));
            cluster.commit(
                    2,
                    procedure(
                            txn -> reads(txn, table, RECORDS),
                            (txn, accesses) -> sum[0] = accesses.stream()
                                    .filter(Access::exists)
                                    .mapToLong(access -> access.getLong(VALUE))
                                    .sum()));
            assertThat(sum[0]).isEqualTo(RECORDS * (RECORDS - 1) / 2 - 130 * 130 + 130);
            cluster.assertAtRest();
        }
    }

    @ForEveryCode
    void shouldNameTheOptionToRaiseForATooLargeTransaction(HybridCode code) {
        try (TestCluster cluster = start(defaults(code))) {
            Table table = cluster.table(0);
            List<Procedure> tooLarge = List.of(
                    procedure(txn -> reads(txn, table, RECORDS), (txn, accesses) -> {}), updateAndDelete(table));
            for (Procedure each : tooLarge) {
                Result result = cluster.run(0, each);
                assertThat(result.thrown())
                        .isInstanceOf(TransactionTooLarge.class)
                        .hasMessageMatching(".* needs [0-9,]+ bytes, allowed: 65,[0-9]{3}: .*raise buffer-bytes");
            }
            cluster.commit(1, write(table, 0, 7));
            assertThat(cluster.read(2, table, 0)).isEqualTo(7);
            cluster.assertAtRest();
        }
    }

    /** The room grows until it suffices, so it ends at every point of the fetch and of the commit. */
    @ForEveryCode
    void shouldCommitAllOfATransactionOrNothingWhateverItsProcedureCatches(HybridCode code) {
        try (TestCluster cluster =
                start(ClusterConfig.of(protocol(), List.of(NARROW)).withCode(code))) {
            Table table = cluster.table(0);
            int refused = 0;
            for (int room = 0; cluster.read(2, table, 0) == 0; room += 512) {
                Result result = cluster.run(0, procedure(txn -> List.of(txn.update(table, 0)), deletes(table, room)));
                boolean commits = result.thrown() == null;
                if (!commits) {
                    refused++;
                    assertThat(result.thrown()).isInstanceOf(TransactionTooLarge.class);
                }
                assertThat(cluster.read(2, table, 0)).isEqualTo(commits ? 7 : 0);
                assertThat(count(cluster, table)).isEqualTo(commits ? 1 : 1 + DELETED);
            }
            assertThat(refused).isPositive();
            cluster.assertAtRest();
        }
    }

    /** Writes one record and deletes others, and catches the exception if there is no room to fetch them. */
    private static BiConsumer<Transaction, List<Access>> deletes(Table table, int room) {
        return (txn, accesses) -> {
            accesses.getFirst().putLong(VALUE, 7);
            for (long key = 1; key <= DELETED; key++) {
                txn.delete(table, key);
            }
            leave(txn.buffer(), room);
            try {
                txn.fetch();
            } catch (TransactionTooLarge e) {
                assertThat(e).hasMessageContaining("needs");
            }
        };
    }

    private static long count(TestCluster cluster, Table table) {
        long[] count = new long[1];
        cluster.commit(
                1,
                procedure(
                        txn -> reads(txn, table, 1 + DELETED),
                        (txn, accesses) -> count[0] =
                                accesses.stream().filter(Access::exists).count()));
        return count[0];
    }

    /** Takes all of a buffer except for this many bytes. */
    private static void leave(BufferSlice buffer, int room) {
        long start = buffer.allocate(0);
        long free = 0;
        try {
            while (true) {
                buffer.allocate(Memory.WORD_BYTES);
                free += Memory.WORD_BYTES;
            }
        } catch (TransactionTooLarge e) {
            buffer.giveBack(start);
        }
        buffer.allocate((int) Math.max(0, free - room));
    }
}
