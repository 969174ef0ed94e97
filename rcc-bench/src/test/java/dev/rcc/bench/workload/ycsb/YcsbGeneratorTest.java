package dev.rcc.bench.workload.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.bench.workload.HotArea;
import dev.rcc.bench.workload.ycsb.YcsbTransaction.WriteKind;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class YcsbGeneratorTest {
    private static final long SEED = 11;
    private static final int OPERATIONS = 10;
    private static final int TRANSACTIONS = 5_000;

    private final Table table =
            new Catalog(new Placement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "usertable", 64, 1_000))).table(0);
    private final YcsbTransaction txn = new YcsbTransaction(table, OPERATIONS, WriteKind.READ_MODIFY_WRITE, 0);

    @Test
    void shouldWriteAsOftenAsAsked() {
        YcsbGenerator generator = generator(new HotArea(1_000, 1, 0), 1_000);
        long writes = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            assertThat(generator.next()).isSameAs(txn);
            writes += txn.writeCount();
            generator.committed();
        }
        assertThat((double) writes / TRANSACTIONS / OPERATIONS)
                .as("seed %d", SEED)
                .isCloseTo(0.2, within(0.01));
        assertThat(generator.tally()).isEqualTo(writes);
    }

    @Test
    void shouldNotCountWhatDidNotCommit() {
        YcsbGenerator generator = generator(new HotArea(1_000, 1, 0), 1_000);
        generator.next();
        generator.next();
        assertThat(generator.tally()).isZero();
        assertThat(generator.anomalies()).isZero();
    }

    // Even when all accesses are to one hot record, and when there are no more records than operations.
    @Test
    void shouldAccessEachRecordOnce() {
        for (long records : new long[] {OPERATIONS, 1_000}) {
            YcsbGenerator generator = generator(new HotArea(records, 1, 1), records);
            for (int i = 0; i < 100; i++) {
                generator.next();
                Set<Long> keys = new HashSet<>();
                for (int operation = 0; operation < OPERATIONS; operation++) {
                    keys.add(txn.key(operation));
                }
                assertThat(keys).as("seed %d", SEED).hasSize(OPERATIONS).allMatch(key -> key < records);
            }
        }
    }

    private YcsbGenerator generator(HotArea chooser, long records) {
        return new YcsbGenerator(txn, chooser, records, 0.2, new SplittableRandom(SEED));
    }
}
