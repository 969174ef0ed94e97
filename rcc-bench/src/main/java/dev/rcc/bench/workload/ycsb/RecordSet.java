package dev.rcc.bench.workload.ycsb;

import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.KeyHash;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Records that operations draw from by one distribution: all records, or the records whose primary copies one node holds. Immutable,
 * shared by all coroutines; drawing allocates nothing.
 */
final class RecordSet {
    private final KeyChooser chooser;
    private final long size;
    /** The keys by rank; empty when every rank is its own key. */
    private final long[] keys;

    private RecordSet(KeyChooser chooser, long size, long[] keys) {
        this.chooser = chooser;
        this.size = size;
        this.keys = keys;
    }

    /** All records. */
    static RecordSet all(long records, KeyChooser chooser) {
        return new RecordSet(chooser, records, new long[0]);
    }

    /**
     * The records of each node, by its number.
     *
     * @param choosers makes the distribution over a number of records
     */
    static RecordSet[] byNode(Placement placement, long records, LongFunction<KeyChooser> choosers) {
        long[][] keys = new long[placement.nodes()][(int) (records / placement.nodes()) + 1];
        int[] sizes = new int[placement.nodes()];
        for (long key = 0; key < records; key++) {
            int node = placement.primary(placement.partition(KeyHash.of(key)));
            if (sizes[node] == keys[node].length) {
                keys[node] = Arrays.copyOf(keys[node], sizes[node] + (sizes[node] >> 1) + 1);
            }
            keys[node][sizes[node]++] = key;
        }
        RecordSet[] sets = new RecordSet[keys.length];
        for (int node = 0; node < sets.length; node++) {
            sets[node] = new RecordSet(
                    choosers.apply(Math.max(1, sizes[node])), sizes[node], Arrays.copyOf(keys[node], sizes[node]));
        }
        return sets;
    }

    long size() {
        return size;
    }

    /** Draws a record's rank. */
    long draw(SplittableRandom random) {
        return chooser.next(random);
    }

    /** The rank after this one; after the last comes the first. */
    long next(long rank) {
        return rank + 1 == size ? 0 : rank + 1;
    }

    long key(long rank) {
        return keys.length == 0 ? rank : keys[(int) rank];
    }
}
