package dev.rcc.core.store;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.testing.LincheckJvm;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: reserve, publish, clear and lookup, which take no lock, make a linearizable set of keys.
 *
 * <p>Method: Lincheck runs inserts, deletes and lookups of three keys that share their three buckets. Only two entries of these buckets are free, so
 * inserts race for the same entry, and one of them goes to an overflow segment. The protocols promise that one transaction at a time inserts or
 * deletes a key (they hold the leaf). So the operations on a key form a group that Lincheck does not run in parallel. Lookups run at any time. The
 * mode is stress: Lincheck 3.7's model checker does not see accesses to a MemorySegment and so never switches threads between them (it passes an
 * index without CAS; stress does not).
 */
public class IndexLincheckTest {
    private static final int KEYS = 3;
    private static final int FREE_ENTRIES = 2;
    private static final TableSchema SCHEMA =
            TableSchema.ofLongKeys(0, "t", 8, 1).growing(1);
    private static final Table TABLE = new Catalog(new RingPlacement(1, 1), 0, List.of(SCHEMA)).table(0);
    private static final long[] COLLIDING = collidingKeys();

    private static final Memory IDENTITIES = identities();

    private final TablePartition partition = new TablePartition(
            TABLE,
            0,
            new Region(
                    0,
                    TABLE.region(0),
                    Memory.allocate(Arena.ofAuto(), TABLE.layout().regionBytes())));

    public IndexLincheckTest() {
        Set<Long> buckets = new HashSet<>();
        for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
            buckets.add(TABLE.layout().bucketOffset(KeyHash.of(COLLIDING[0]), choice));
        }
        int free = FREE_ENTRIES;
        for (long bucket : buckets) {
            for (int i = 0; i < TableLayout.BUCKET_ENTRIES; i++) {
                if (free-- <= 0) {
                    partition.memory().putLong(bucket + 8L * i, IndexEntry.live(i));
                }
            }
        }
    }

    @Operation(nonParallelGroup = "key 0")
    public boolean insert0() {
        return insert(0);
    }

    @Operation(nonParallelGroup = "key 0")
    public boolean delete0() {
        return delete(0);
    }

    @Operation(nonParallelGroup = "key 1")
    public boolean insert1() {
        return insert(1);
    }

    @Operation(nonParallelGroup = "key 1")
    public boolean delete1() {
        return delete(1);
    }

    @Operation(nonParallelGroup = "key 2")
    public boolean insert2() {
        return insert(2);
    }

    @Operation
    public boolean contains(@Param(gen = IntGen.class, conf = "0:2") int key) {
        return lookup(key) >= 0;
    }

    @Test
    void shouldBeLinearizable() throws Exception {
        LincheckJvm.run(LincheckJvm.Subject.INDEX, IndexLincheckTest.class);
    }

    public static void main(String[] args) {
        new StressOptions()
                .iterations(Integer.getInteger("rcc.lincheck.iterations", 20))
                .invocationsPerIteration(3000)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(SequentialIndex.class)
                .check(IndexLincheckTest.class);
    }

    /** The sequential specification of the index. */
    public static class SequentialIndex {
        private final Set<Integer> keys = new HashSet<>();

        public boolean insert0() {
            return keys.add(0);
        }

        public boolean delete0() {
            return keys.remove(0);
        }

        public boolean insert1() {
            return keys.add(1);
        }

        public boolean delete1() {
            return keys.remove(1);
        }

        public boolean insert2() {
            return keys.add(2);
        }

        public boolean contains(int key) {
            return keys.contains(key);
        }
    }

    private boolean insert(int key) {
        if (lookup(key) >= 0) {
            return false;
        }
        long hash = KeyHash.of(COLLIDING[key]);
        long entry = partition.reserve(hash, new long[TableLayout.CHOICES]);
        long identity =
                TABLE.layout().tupleOfEntry(entry) + TABLE.layout().tuple().identityOffset();
        partition.memory().putLong(identity + 8, COLLIDING[key]);
        partition.memory().putLong(identity, TupleLayout.liveHeader(8));
        partition.publish(entry, hash);
        return true;
    }

    private boolean delete(int key) {
        long tuple = lookup(key);
        if (tuple < 0) {
            return false;
        }
        partition.clearIdentity(tuple);
        partition.clear(TABLE.layout().entryOfTuple(tuple));
        return true;
    }

    private long lookup(int key) {
        return partition.lookup(KeyHash.of(COLLIDING[key]), IDENTITIES, 16L * key);
    }

    /** The keys in the form that lookups take, one after the other. */
    private static Memory identities() {
        Memory identities = Memory.allocate(Arena.ofAuto(), 16 * KEYS);
        for (int key = 0; key < KEYS; key++) {
            identities.putLong(16L * key, TupleLayout.liveHeader(8));
            identities.putLong(16L * key + 8, COLLIDING[key]);
        }
        return identities;
    }

    /** Keys that have the same three buckets. */
    private static long[] collidingKeys() {
        long[] keys = new long[KEYS];
        int found = 1;
        for (long key = 1; found < KEYS; key++) {
            boolean same = true;
            for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
                same &= TABLE.layout().bucketOffset(KeyHash.of(key), choice)
                        == TABLE.layout().bucketOffset(KeyHash.of(keys[0]), choice);
            }
            if (same) {
                keys[found++] = key;
            }
        }
        return keys;
    }
}
